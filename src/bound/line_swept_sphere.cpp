#include "toccata/bound/line_swept_sphere.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "bound/rounding.hpp"
#include "toccata/bound/obb.hpp"
#include "toccata/bound/principal_axes.hpp"
#include "toccata/elementary/point_triangle.hpp"
#include "toccata/elementary/segment_segment.hpp"

namespace toccata {
namespace {

// Some point of the segment near each point: an upper bound of the radius whatever the nearest point is.
double enclosing_radius(std::span<const Vector3> points, std::span<const double> radii, const Vector3& start,
                        const Vector3& end) {
  double radius = 0.0;
  const double size = start.cwiseAbs().maxCoeff() + end.cwiseAbs().maxCoeff();
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vector3 nearest = point_segment_distance(points[i], start, end).point;
    // The nearest point is on the segment up to three roundings of its coordinates.
    radius = std::max(radius, bound::upper_length(points[i] - nearest) + 8.0 * bound::u * size +
                                  (radii.empty() ? 0.0 : radii[i]));
  }
  return radius * (1.0 + 4.0 * bound::u);
}

// Balls around the points (no radii: points), along the given direction.
LineSweptSphere fit_along(std::span<const Vector3> points, std::span<const double> radii, const Obb& box) {
  const Vector3 axis = box.axes.col(0);
  const auto radius_at = [&](std::size_t i) { return radii.empty() ? 0.0 : radii[i]; };
  double radius = 0.0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vector3 offset = points[i] - box.center;
    radius = std::max(radius, (offset - offset.dot(axis) * axis).norm() + radius_at(i));
  }
  // The ends are drawn in as far as the balls around them still cover what lies beyond.
  double low = INFINITY, high = -INFINITY;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vector3 offset = points[i] - box.center;
    const double along = offset.dot(axis);
    const double room = radius - radius_at(i), side = (offset - along * axis).norm();
    const double overhang = std::sqrt(std::max(0.0, room * room - side * side));
    low = std::min(low, along + overhang);
    high = std::max(high, along - overhang);
  }
  if (low > high) low = high = 0.5 * low + 0.5 * high;
  LineSweptSphere result;
  result.start = box.center + low * axis;
  result.end = box.center + high * axis;
  // All of the above is a choice; this makes it enclose.
  result.radius = enclosing_radius(points, radii, result.start, result.end);
  return result;
}

}  // namespace

template <>
LineSweptSphere fit<LineSweptSphere>(std::span<const Vector3> points) {
  return fit_along(points, {}, fit_obb(points, principal_axes(points)));
}

LineSweptSphere merge(const LineSweptSphere& a, const LineSweptSphere& b) {
  const std::array<Vector3, 4> ends = {a.start, a.end, b.start, b.end};
  const std::array<double, 4> radii = {a.radius, a.radius, b.radius, b.radius};
  return fit_along(ends, radii, fit_obb(ends, principal_axes(ends)));
}

double lower_distance(const LineSweptSphere& a, const LineSweptSphere& b) {
  const SegmentSegmentDistance nearest = segment_segment_distance({a.start, a.end}, {b.start, b.end});
  const Vector3 n = nearest.point_b - nearest.point_a;
  // The slab between the nearest points proves the distance, whatever their quality.
  const Vector3 b0 = b.start - a.start, b1 = b.end - a.start, a1 = a.end - a.start;
  const double gap = std::min(n.dot(b0), n.dot(b1)) - std::max(0.0, n.dot(a1));
  const Vector3 m = n.cwiseAbs();
  const double error =
      12.0 * bound::u * std::max({m.dot(b0.cwiseAbs()), m.dot(b1.cwiseAbs()), m.dot(a1.cwiseAbs())});
  const double length = bound::upper_length(n);
  const double apart = (gap - error) / length * (1.0 - 4.0 * bound::u);
  return std::max(0.0, (apart - (a.radius + b.radius) * (1.0 + 2.0 * bound::u)) * (1.0 - 2.0 * bound::u));
}

bool overlap(const LineSweptSphere& a, const LineSweptSphere& b) {
  return !(lower_distance(a, b) > 0.0);
}

LineSweptSphere transformed(const Pose& pose, const LineSweptSphere& v) {
  const double error = std::max(bound::move_error(pose, v.start), bound::move_error(pose, v.end));
  return {pose.apply(v.start), pose.apply(v.end),
          (v.radius * (1.0 + bound::rotation_slack) + error) * (1.0 + 4.0 * bound::u)};
}

double radius_of(const LineSweptSphere& v) {
  const Vector3 center = center_of(v);
  return (std::max(bound::upper_length(v.start - center), bound::upper_length(v.end - center)) + v.radius) *
         (1.0 + 4.0 * bound::u);
}

}  // namespace toccata
