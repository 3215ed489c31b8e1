#include "toccata/bound/sphere.hpp"

#include <algorithm>

#include "bound/rounding.hpp"

namespace toccata {
namespace {

// Rounded up: the difference, three squares, two sums and the root are at most 8 u of the length.
double enclosing_radius(std::span<const Vector3> points, const Vector3& center) {
  double squared_radius = 0.0;
  for (const Vector3& p : points) squared_radius = std::max(squared_radius, (p - center).squaredNorm());
  return std::sqrt(squared_radius) * (1.0 + 8.0 * bound::u) + bound::smallest_length;
}

}  // namespace

template <>
Sphere fit<Sphere>(std::span<const Vector3> points) {
  Vector3 lower = points[0], upper = points[0];
  for (const Vector3& p : points) {
    lower = lower.cwiseMin(p);
    upper = upper.cwiseMax(p);
  }
  const Vector3 middle = 0.5 * lower + 0.5 * upper;
  // Ritter: start from the widest pair of opposite points, grow just enough for each point outside.
  Eigen::Index axis = 0;
  (upper - lower).maxCoeff(&axis);
  const auto by_axis = [axis](const Vector3& a, const Vector3& b) { return a[axis] < b[axis]; };
  const auto [first, last] = std::minmax_element(points.begin(), points.end(), by_axis);
  Vector3 center = 0.5 * *first + 0.5 * *last;
  double radius = 0.5 * (*last - *first).norm();
  for (const Vector3& p : points) {
    const Vector3 offset = p - center;
    const double distance = offset.norm();
    if (distance <= radius) continue;
    const double grown = 0.5 * (radius + distance);
    center += (distance - grown) / distance * offset;
    radius = grown;
  }
  const Sphere ritter = {center, enclosing_radius(points, center)};
  const Sphere boxed = {middle, enclosing_radius(points, middle)};
  return ritter.radius < boxed.radius ? ritter : boxed;
}

Sphere merge(const Sphere& a, const Sphere& b) {
  const Vector3 offset = b.center - a.center;
  const double distance = offset.norm();
  // One holds the other, by more than the roundings of the sum.
  if (distance + b.radius <= a.radius * (1.0 - 8.0 * bound::u)) return a;
  if (distance + a.radius <= b.radius * (1.0 - 8.0 * bound::u)) return b;
  const double radius = 0.5 * (distance + a.radius + b.radius);
  Sphere result;
  result.center = distance > 0.0 ? Vector3(a.center + (radius - a.radius) / distance * offset) : a.center;
  // Whatever rounding made of the centre, the radius reaches over both from there.
  result.radius = std::max(bound::upper_length(a.center - result.center) + a.radius,
                           bound::upper_length(b.center - result.center) + b.radius) *
                  (1.0 + 2.0 * bound::u);
  return result;
}

double lower_distance(const Sphere& a, const Sphere& b) {
  const double gap =
      bound::lower_length(b.center - a.center) - (a.radius + b.radius) * (1.0 + 2.0 * bound::u);
  return std::max(0.0, gap * (1.0 - 2.0 * bound::u));
}

bool overlap(const Sphere& a, const Sphere& b) {
  return !(lower_distance(a, b) > 0.0);
}

Sphere transformed(const Pose& pose, const Sphere& sphere) {
  return {pose.apply(sphere.center),
          (sphere.radius * (1.0 + bound::rotation_slack) + bound::move_error(pose, sphere.center)) *
              (1.0 + 4.0 * bound::u)};
}

}  // namespace toccata
