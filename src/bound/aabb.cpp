#include "toccata/bound/aabb.hpp"

#include <algorithm>

#include "bound/rounding.hpp"
#include "toccata/base/rounding.hpp"

namespace toccata {

template <>
Aabb fit<Aabb>(std::span<const Vector3> points) {
  Aabb box = {points[0], points[0]};
  for (const Vector3& p : points) {
    box.lower = box.lower.cwiseMin(p);
    box.upper = box.upper.cwiseMax(p);
  }
  return box;
}

Aabb merge(const Aabb& a, const Aabb& b) {
  return {a.lower.cwiseMin(b.lower), a.upper.cwiseMax(b.upper)};
}

Aabb grown(const Aabb& box, double margin) {
  Aabb result;
  for (int k = 0; k < 3; ++k) {
    result.lower[k] = next_down(box.lower[k] - margin);
    result.upper[k] = next_up(box.upper[k] + margin);
  }
  return result;
}

bool overlap(const Aabb& a, const Aabb& b) {
  return (a.lower.array() <= b.upper.array()).all() && (b.lower.array() <= a.upper.array()).all();
}

double lower_distance(const Aabb& a, const Aabb& b) {
  const Vector3 gap = (b.lower - a.upper).cwiseMax(a.lower - b.upper).cwiseMax(0.0);
  return bound::lower_length(gap);
}

Vector3 center_of(const Aabb& box) {
  return 0.5 * box.lower + 0.5 * box.upper;
}

double radius_of(const Aabb& box) {
  const Vector3 center = center_of(box);
  return bound::upper_length((box.upper - center).cwiseMax(center - box.lower));
}

Aabb transformed(const Pose& pose, const Aabb& box) {
  const Vector3 center = center_of(box);
  const Vector3 half = (box.upper - center).cwiseMax(center - box.lower) * (1.0 + 2.0 * bound::u);
  const Vector3 middle = pose.apply(center);
  const double error = bound::move_error(pose, center) + 4.0 * bound::u * middle.cwiseAbs().maxCoeff();
  const Vector3 reach = pose.rotation.cwiseAbs() * half * (1.0 + 8.0 * bound::u) +
                        Vector3::Constant(error + bound::smallest_length);
  return {middle - reach, middle + reach};
}

}  // namespace toccata
