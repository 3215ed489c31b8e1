#include "toccata/elementary/segment_segment.hpp"

#include <Eigen/Geometry>

#include "toccata/elementary/point_triangle.hpp"

namespace toccata {

std::optional<SegmentSegmentDistance> segment_segment_interior_distance(const Segment& a, const Segment& b) {
  const Vector3 u = a.end - a.start;
  const Vector3 v = b.end - b.start;
  const Vector3 offset = b.start - a.start;
  const Vector3 normal = u.cross(v);
  const double squared_normal = normal.squaredNorm();
  if (!(squared_normal > 0.0)) return std::nullopt;
  // offset + t v - s u is along the normal: cross with v, resp. u, and project on the normal.
  const double s = offset.cross(v).dot(normal);
  const double t = offset.cross(u).dot(normal);
  if (!(s > 0.0 && s < squared_normal && t > 0.0 && t < squared_normal)) return std::nullopt;
  SegmentSegmentDistance result;
  result.parameter_a = s / squared_normal;
  result.parameter_b = t / squared_normal;
  if (squared_normal < 1e-6 * u.squaredNorm() * v.squaredNorm()) {
    // Nearly parallel: the parameters carry errors of rounding over angle. One error common to both moves the
    // pair along the segments and costs only error times angle, so tie one point to the other by projection.
    const Vector3 guess = a.start + result.parameter_a * u;
    result.parameter_b = (guess - b.start).dot(v) / v.squaredNorm();
    if (!(result.parameter_b > 0.0 && result.parameter_b < 1.0)) return std::nullopt;
  }
  result.point_a = a.start + result.parameter_a * u;
  result.point_b = b.start + result.parameter_b * v;
  result.squared_distance = (result.point_b - result.point_a).squaredNorm();
  return result;
}

SegmentSegmentDistance segment_segment_distance(const Segment& a, const Segment& b) {
  SegmentSegmentDistance best;
  best.squared_distance = std::numeric_limits<double>::infinity();
  if (const auto interior = segment_segment_interior_distance(a, b)) best = *interior;
  for (int end = 0; end < 2; ++end) {
    const Vector3& p = end == 0 ? a.start : a.end;
    const PointSegmentDistance from_a = point_segment_distance(p, b.start, b.end);
    if (from_a.squared_distance < best.squared_distance) {
      best = {from_a.squared_distance, static_cast<double>(end), from_a.parameter, p, from_a.point};
    }
    const Vector3& q = end == 0 ? b.start : b.end;
    const PointSegmentDistance from_b = point_segment_distance(q, a.start, a.end);
    if (from_b.squared_distance < best.squared_distance) {
      best = {from_b.squared_distance, from_b.parameter, static_cast<double>(end), from_b.point, q};
    }
  }
  return best;
}

}  // namespace toccata
