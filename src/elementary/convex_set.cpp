// Rounding. Heights of points are three products and two sums: off by at most 4 u sum |d_i||p_i| <= 4 u
// |d||p|, and so is the largest of them. The curved cores have a root and a product more. A placed core turns
// the direction first, another 4 u per coordinate of it, and adds direction . translation. 16 u of the core's
// reach covers each, 16 u of the translation the last. Of balls a height is that of the centre and the radius
// times the length of the direction, whose three roundings, with one of the product and one of the sum, are
// 5 u |d| r more: within the 16 u of the reach, which counts the radius.
#include "elementary/convex_set.hpp"

#include <algorithm>
#include <cmath>

#include "elementary/hull_index.hpp"
#include "toccata/base/rounding.hpp"

namespace toccata {
namespace {

Support of_points(const ConvexSet& set, const Vector3& d) {
  const std::span<const Vector3> points = set.points;
  Support best;
  if (set.index != nullptr) {
    best.vertex = farthest_vertex(*set.index, d, -1);
    if (!set.index->is_exact()) best.vertex = proven_farthest(*set.index, d, best.vertex);
    best.point = set.index->point(best.vertex);
    best.value = d.dot(best.point);
    return best;
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double value = d.dot(points[i]);
    if (best.vertex >= 0 && !(value > best.value)) continue;
    best = {points[i], value, static_cast<std::int32_t>(i)};
  }
  return best;
}

Support of_box(const Vector3& half, const Vector3& d) {
  Support s;
  s.vertex = 0;
  for (int i = 0; i < 3; ++i) {
    s.point[i] = d[i] < 0.0 ? -half[i] : half[i];
    if (!(d[i] < 0.0)) s.vertex |= 1 << i;
  }
  s.value = d.dot(s.point);
  return s;
}

// The farthest point of the rim of the disc with this radius about the z axis.
Vector2 on_rim(double radius, const Vector3& d) {
  const double across = std::hypot(d.x(), d.y());
  return across > 0.0 ? Vector2(radius * (d.x() / across), radius * (d.y() / across)) : Vector2(radius, 0.0);
}

Support of_cylinder(const Vector3& half, const Vector3& d) {
  const Vector2 rim = on_rim(half.x(), d);
  Support s;
  s.point = {rim.x(), rim.y(), d.z() < 0.0 ? -half.z() : half.z()};
  s.value = half.x() * std::hypot(d.x(), d.y()) + half.z() * std::abs(d.z());
  return s;
}

Support of_cone(const Vector3& half, const Vector3& d) {
  const double tip = half.z() * d.z();
  const double base = half.x() * std::hypot(d.x(), d.y()) - half.z() * d.z();
  Support s;
  s.value = std::max(tip, base);
  const Vector2 rim = on_rim(half.x(), d);
  s.point = tip >= base ? Vector3(0.0, 0.0, half.z()) : Vector3(rim.x(), rim.y(), -half.z());
  return s;
}

Support of_ellipsoid(const Vector3& half, const Vector3& d) {
  const Vector3 scaled = half.cwiseProduct(d);
  Support s;
  s.value = scaled.stableNorm();
  if (s.value > 0.0) s.point = half.cwiseProduct(scaled / s.value);
  return s;
}

Support of_balls(const ConvexSet& set, const Vector3& d) {
  const double length = d.norm();
  Support best;
  std::size_t ball = 0;
  for (std::size_t i = 0; i < set.points.size(); ++i) {
    const double value = d.dot(set.points[i]) + length * set.half[static_cast<Eigen::Index>(i)];
    if (i > 0 && !(value > best.value)) continue;
    best.value = value;
    ball = i;
  }
  best.point = set.points[ball];
  if (length > 0.0) best.point += (set.half[static_cast<Eigen::Index>(ball)] / length) * d;
  return best;
}

}  // namespace

Support core_support(const ConvexSet& set, const Vector3& d) {
  switch (set.core) {
    case Core::Points:
      return of_points(set, d);
    case Core::Box:
      return of_box(set.half, d);
    case Core::Cylinder:
      return of_cylinder(set.half, d);
    case Core::Cone:
      return of_cone(set.half, d);
    case Core::Balls:
      return of_balls(set, d);
    case Core::Ellipsoid:
      break;
  }
  return of_ellipsoid(set.half, d);
}

double found_reach(const ConvexSet& set) {
  if (set.core == Core::Balls) {
    double reach = 0.0;
    for (std::size_t i = 0; i < set.points.size(); ++i)
      reach = std::max(reach, set.points[i].norm() + set.half[static_cast<Eigen::Index>(i)]);
    return reach * (1.0 + 8.0 * unit_roundoff);
  }
  if (set.core != Core::Points) {
    // The corner of the box about it is at most sqrt(3) farther than needed.
    return set.half.norm() * (1.0 + 8.0 * unit_roundoff);
  }
  double squared = 0.0;
  for (const Vector3& p : set.points) squared = std::max(squared, p.squaredNorm());
  return std::sqrt(squared) * (1.0 + 8.0 * unit_roundoff);
}

ConvexSet set_of_points(std::span<const Vector3> points, double radius, const HullIndex* index) {
  ConvexSet set;
  set.radius = radius;
  set.points = points;
  set.index = index;
  set.reach = found_reach(set);
  return set;
}

ConvexSet set_of_balls(std::span<const Vector3> centers, const Vector3& radii, double radius) {
  ConvexSet set;
  set.core = Core::Balls;
  set.radius = radius;
  set.points = centers;
  set.half = radii;
  set.reach = found_reach(set);
  return set;
}

ConvexSet set_of_core(Core core, const Vector3& half, double radius) {
  ConvexSet set;
  set.core = core;
  set.radius = radius;
  set.half = half;
  set.reach = found_reach(set);
  return set;
}

Support support(const ConvexSet& set, const Vector3& direction) {
  if (!set.is_placed) return core_support(set, direction);
  Support s = core_support(set, set.place.rotation.transpose() * direction);
  s.point = set.place.apply(s.point);
  s.value += direction.dot(set.place.translation);
  return s;
}

double support_error(const ConvexSet& set) {
  const double reach = core_reach(set) + (set.is_placed ? set.place.translation.norm() : 0.0);
  return 16.0 * unit_roundoff * reach;
}

double reach_from(const ConvexSet& set, const Vector3& center) {
  if (set.core == Core::Balls && !set.is_placed) {
    double reach = 0.0;
    for (std::size_t i = 0; i < set.points.size(); ++i)
      reach = std::max(reach, (set.points[i] - center).norm() + set.half[static_cast<Eigen::Index>(i)]);
    return (reach + set.radius) * (1.0 + 16.0 * unit_roundoff);
  }
  const Vector3 origin = set.is_placed ? set.place.translation : Vector3(Vector3::Zero());
  if (set.core != Core::Points || set.is_placed)
    return ((origin - center).norm() + core_reach(set) + set.radius) * (1.0 + 16.0 * unit_roundoff);
  double squared = 0.0;
  for (const Vector3& p : set.points) squared = std::max(squared, (p - center).squaredNorm());
  return (std::sqrt(squared) + set.radius) * (1.0 + 16.0 * unit_roundoff);
}

}  // namespace toccata
