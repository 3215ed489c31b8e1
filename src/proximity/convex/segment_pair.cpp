#include "proximity/convex/segment_pair.hpp"

#include <algorithm>
#include <cmath>

namespace toccata::convex {
namespace {

double clamped_share(double numerator, double denominator) {
  return denominator > 0.0 ? std::clamp(numerator / denominator, 0.0, 1.0) : 0.0;
}

// The ends between which a share lies; an end alone if it is there.
void write_side(double share, bool is_point, std::array<std::int32_t, 4>& vertices, std::int32_t& count) {
  vertices[0] = !is_point && share >= 1.0 ? 1 : 0;
  vertices[1] = !is_point && share > 0.0 ? 1 : 0;
  count = vertices[0] == vertices[1] ? 1 : 2;
}

}  // namespace

std::optional<CoreDistance> segment_pair_distance(const Difference& difference) {
  const auto &of_a = difference.a->points, &of_b = difference.b->points;
  const Vector3 p = difference.a_to_b.apply(of_a.front()), q = of_b.front();
  const bool is_point_a = of_a.size() == 1, is_point_b = of_b.size() == 1;
  const Vector3 p_end = is_point_a ? p : difference.a_to_b.apply(of_a.back()), q_end = of_b.back();
  const Vector3 u = p_end - p, v = q_end - q, r = p - q;
  const double uu = u.squaredNorm(), vv = v.squaredNorm(), uv = u.dot(v), ur = u.dot(r), vr = v.dot(r);
  // The nearest points of the lines, then one share after the other brought into its segment.
  double s = clamped_share(uv * vr - ur * vv, uu * vv - uv * uv);
  const double t = clamped_share(uv * s + vr, vv);
  s = clamped_share(uv * t - ur, uu);
  CoreDistance result;
  result.of_a = p + s * u;
  result.of_b = q + t * v;
  const Vector3 between = result.of_a - result.of_b;
  const double length = between.norm();
  if (!(length > 0.0)) return std::nullopt;
  result.direction = between / length;
  const Vector3& n = result.direction;
  result.lower =
      std::min(n.dot(p), n.dot(p_end)) - std::max(n.dot(q), n.dot(q_end)) - difference.height_error;
  result.upper = length * (1.0 + 4.0 * unit_roundoff) + difference.point_error;
  if (!(result.lower > 0.0) ||
      result.upper - result.lower > 2.0 * (difference.height_error + difference.point_error))
    return std::nullopt;
  std::int32_t count_a = 0, count_b = 0;
  write_side(s, is_point_a, result.features.vertex_a, count_a);
  write_side(t, is_point_b, result.features.vertex_b, count_b);
  result.features.count = std::max(count_a, count_b);
  result.iterations = 1;
  return result;
}

}  // namespace toccata::convex
