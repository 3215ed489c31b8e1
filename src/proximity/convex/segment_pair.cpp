#include "proximity/convex/segment_pair.hpp"

#include <algorithm>
#include <cmath>

namespace toccata::convex {
namespace {

double into_unit(double share) {
  return std::min(std::max(share, 0.0), 1.0);
}

double inverse_of(double x) {
  return x > 0.0 ? 1.0 / x : 0.0;
}

// The ends between which a share lies; an end alone if it is there.
std::int32_t write_side(double share, bool is_point, std::array<std::int32_t, 4>& vertices) {
  vertices[0] = !is_point && share >= 1.0 ? 1 : 0;
  vertices[1] = !is_point && share > 0.0 ? 1 : 0;
  return vertices[0] == vertices[1] ? 1 : 2;
}

}  // namespace

bool segment_pair_distance(const Difference& difference, ConvexDistance& core) {
  const auto &of_a = difference.a->points, &of_b = difference.b->points;
  const Vector3 p = difference.a_to_b.apply(of_a.front()), q = of_b.front();
  const bool is_point_a = of_a.size() == 1, is_point_b = of_b.size() == 1;
  const Vector3 p_end = is_point_a ? p : difference.a_to_b.apply(of_a.back()), q_end = of_b.back();
  const Vector3 u = p_end - p, v = q_end - q, r = p - q;
  const double uu = u.squaredNorm(), vv = v.squaredNorm(), uv = u.dot(v), ur = u.dot(r), vr = v.dot(r);
  // The nearest points of the lines, then one share after the other brought into its segment. The three
  // divisions do not wait for each other.
  const double by_both = inverse_of(uu * vv - uv * uv), by_u = inverse_of(uu), by_v = inverse_of(vv);
  double s = into_unit((uv * vr - ur * vv) * by_both);
  const double t = into_unit((uv * s + vr) * by_v);
  s = into_unit((uv * t - ur) * by_u);
  core.point_a = p + s * u;
  core.point_b = q + t * v;
  const Vector3 between = core.point_b - core.point_a;
  const double squared = between.squaredNorm();
  if (!(squared > 0.0)) return false;
  const double length = std::sqrt(squared);
  const Vector3 n = between * (1.0 / length);
  const double along_a = n.dot(u), along_b = n.dot(v);
  // From the ends: n . q - n . p and what the segments add or take.
  core.lower_core = -n.dot(r) + std::min(along_b, 0.0) - std::max(along_a, 0.0) - difference.height_error;
  core.upper_core = length * (1.0 + 4.0 * unit_roundoff) + difference.point_error;
  const double floor = 2.0 * (difference.height_error + difference.point_error);
  if (!(core.lower_core > 0.0 && core.upper_core - core.lower_core <= floor)) return false;
  core.direction = n;
  const std::int32_t count_a = write_side(s, is_point_a, core.features.vertex_a);
  const std::int32_t count_b = write_side(t, is_point_b, core.features.vertex_b);
  core.features.count = std::max(count_a, count_b);
  core.iterations = 1;
  return true;
}

}  // namespace toccata::convex
