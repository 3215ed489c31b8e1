#include "toccata/elementary/point_triangle.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <limits>

namespace toccata {
namespace {

constexpr std::int8_t next(int i) {
  return static_cast<std::int8_t>(i == 2 ? 0 : i + 1);
}

PointTriangleDistance on_edge(const Vector3& point, const Triangle& t, std::int8_t edge) {
  const std::int8_t end = next(edge);
  const PointSegmentDistance nearest = point_segment_distance(point, t[edge], t[end]);
  PointTriangleDistance result;
  result.squared_distance = nearest.squared_distance;
  result.point = nearest.point;
  result.weights = {0.0, 0.0, 0.0};
  result.weights[edge] = 1.0 - nearest.parameter;
  result.weights[end] = nearest.parameter;
  result.feature = {FeatureKind::Edge, edge};
  if (nearest.parameter == 0.0) result.feature = {FeatureKind::Vertex, edge};
  if (nearest.parameter == 1.0) result.feature = {FeatureKind::Vertex, end};
  return result;
}

// Weights of the corners 1 and 2 for the foot of the perpendicular from the point.
struct Foot {
  double v;
  double w;
};

Foot fat_foot(const Vector3& offset, const Vector3& u, const Vector3& v, const Vector3& normal,
              double squared_normal) {
  return {offset.cross(v).dot(normal) / squared_normal, u.cross(offset).dot(normal) / squared_normal};
}

// For a triangle thin against its longest edge u: along the edge and across it are solved apart, so that the
// badly known direction across does not move the foot along. `v` leads from u's start to the third corner.
Foot needle_foot(const Vector3& offset, const Vector3& u, const Vector3& v) {
  const double squared_length = u.squaredNorm();
  const double shear = v.dot(u) / squared_length;
  Vector3 across = v - shear * u;
  across -= across.dot(u) / squared_length * u;
  const double squared_width = across.squaredNorm();
  const double w = squared_width > 0.0 ? offset.dot(across) / squared_width : -1.0;
  return {offset.dot(u) / squared_length - w * shear, w};
}

// The nearest point if it is inside the triangle whose longest edge starts at corner `base`.
void look_inside_needle(const Vector3& point, const Triangle& t, int base, PointTriangleDistance& best) {
  const int second = next(base), third = next(second);
  const Vector3 u = t[second] - t[base];
  const Vector3 v = t[third] - t[base];
  const Foot foot = needle_foot(point - t[base], u, v);
  if (!(foot.v > 0.0 && foot.w > 0.0 && foot.v + foot.w < 1.0)) return;
  best.weights[base] = 1.0 - foot.v - foot.w;
  best.weights[second] = foot.v;
  best.weights[third] = foot.w;
  best.point = t[base] + foot.v * u + foot.w * v;
  best.squared_distance = (point - best.point).squaredNorm();
  best.feature = {FeatureKind::Face, 0};
}

int longest_edge(const Triangle& t) {
  int longest = 0;
  double squared_length = -1.0;
  for (int i = 0; i < 3; ++i) {
    const double candidate = (t[next(i)] - t[i]).squaredNorm();
    if (candidate > squared_length) {
      squared_length = candidate;
      longest = i;
    }
  }
  return longest;
}

}  // namespace

PointSegmentDistance point_segment_distance(const Vector3& point, const Vector3& start, const Vector3& end) {
  const Vector3 along = end - start;
  const double squared_length = along.squaredNorm();
  PointSegmentDistance result;
  if (squared_length > 0.0) {
    result.parameter = std::clamp((point - start).dot(along) / squared_length, 0.0, 1.0);
  }
  // From the nearer end, so that the end points are reproduced exactly.
  if (result.parameter <= 0.5) {
    result.point = start + result.parameter * along;
  } else {
    result.point = end - (1.0 - result.parameter) * along;
  }
  result.squared_distance = (point - result.point).squaredNorm();
  return result;
}

PointTriangleDistance point_triangle_distance(const Vector3& point, const Triangle& t) {
  const Vector3 u = t[1] - t[0];
  const Vector3 v = t[2] - t[0];
  const Vector3 normal = u.cross(v);
  const double squared_normal = normal.squaredNorm();
  PointTriangleDistance best;
  best.squared_distance = std::numeric_limits<double>::infinity();
  if (squared_normal > 1e-6 * u.squaredNorm() * v.squaredNorm()) {
    const Foot foot = fat_foot(point - t[0], u, v, normal, squared_normal);
    if (foot.v > 0.0 && foot.w > 0.0 && foot.v + foot.w < 1.0) {
      best.weights = {1.0 - foot.v - foot.w, foot.v, foot.w};
      best.point = t[0] + foot.v * u + foot.w * v;
      best.squared_distance = (point - best.point).squaredNorm();
      best.feature = {FeatureKind::Face, 0};
      return best;
    }
  } else if (squared_normal > 0.0) {
    look_inside_needle(point, t, longest_edge(t), best);
  }
  for (std::int8_t edge = 0; edge < 3; ++edge) {
    const PointTriangleDistance candidate = on_edge(point, t, edge);
    if (candidate.squared_distance < best.squared_distance) best = candidate;
  }
  return best;
}

}  // namespace toccata
