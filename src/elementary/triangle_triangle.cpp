#include "toccata/elementary/triangle_triangle.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "elementary/nearest_guess.hpp"
#include "toccata/base/rounding.hpp"
#include "toccata/elementary/point_triangle.hpp"
#include "toccata/elementary/segment_segment.hpp"
#include "toccata/elementary/triangle_intersection.hpp"

namespace toccata {
namespace {

struct Nearest {
  double squared_distance = std::numeric_limits<double>::infinity();
  Vector3 point_a = Vector3::Zero();
  Vector3 point_b = Vector3::Zero();
  Feature feature_a;
  Feature feature_b;
};

void look_at_edges(const Triangle& a, const Triangle& b, Nearest& best) {
  for (std::int8_t i = 0; i < 3; ++i) {
    for (std::int8_t j = 0; j < 3; ++j) {
      const auto pair = segment_segment_interior_distance({a[i], a[(i + 1) % 3]}, {b[j], b[(j + 1) % 3]});
      if (!pair || !(pair->squared_distance < best.squared_distance)) continue;
      best = {pair->squared_distance,
              pair->point_a,
              pair->point_b,
              {FeatureKind::Edge, i},
              {FeatureKind::Edge, j}};
    }
  }
}

void look_at_corners(const Triangle& a, const Triangle& b, Nearest& best) {
  for (std::int8_t i = 0; i < 3; ++i) {
    const PointTriangleDistance from_a = point_triangle_distance(a[i], b);
    if (from_a.squared_distance < best.squared_distance) {
      best = {from_a.squared_distance, a[i], from_a.point, {FeatureKind::Vertex, i}, from_a.feature};
    }
    const PointTriangleDistance from_b = point_triangle_distance(b[i], a);
    if (from_b.squared_distance < best.squared_distance) {
      best = {from_b.squared_distance, from_b.point, b[i], from_b.feature, {FeatureKind::Vertex, i}};
    }
  }
}

// Where the segment crosses the plane of the triangle, as far as rounding allows.
Vector3 crossing(const Vector3& p, const Vector3& q, const Triangle& t) {
  const Vector3 normal = (t[1] - t[0]).cross(t[2] - t[0]);
  const double hp = normal.dot(p - t[0]);
  const double hq = normal.dot(q - t[0]);
  if (hp == hq) return p;
  return p + std::clamp(hp / (hp - hq), 0.0, 1.0) * (q - p);
}

bool take_crossing(const Triangle& edges_of, const Triangle& other, Vector3& point, std::int8_t& edge) {
  for (std::int8_t i = 0; i < 3; ++i) {
    const Segment segment = {edges_of[i], edges_of[(i + 1) % 3]};
    if (!segment_triangle_intersect(segment, other)) continue;
    point = crossing(segment.start, segment.end, other);
    edge = i;
    return true;
  }
  return false;
}

Feature on_edge(int edge, double parameter) {
  if (parameter == 0.0) return {FeatureKind::Vertex, static_cast<std::int8_t>(edge)};
  if (parameter == 1.0) return {FeatureKind::Vertex, static_cast<std::int8_t>((edge + 1) % 3)};
  return {FeatureKind::Edge, static_cast<std::int8_t>(edge)};
}

// The guessed features with their nearest points found by the careful functions.
Nearest careful(const Triangle& a, const Triangle& b, const elementary::NearestGuess& guess) {
  const int i = guess.edge_a, j = guess.edge_b;
  if (i < 0) {
    const PointTriangleDistance d = point_triangle_distance(b[j], a);
    return {d.squared_distance, d.point, b[j], d.feature, {FeatureKind::Vertex, static_cast<std::int8_t>(j)}};
  }
  if (j < 0) {
    const PointTriangleDistance d = point_triangle_distance(a[i], b);
    return {d.squared_distance, a[i], d.point, {FeatureKind::Vertex, static_cast<std::int8_t>(i)}, d.feature};
  }
  const SegmentSegmentDistance d = segment_segment_distance({a[i], a[(i + 1) % 3]}, {b[j], b[(j + 1) % 3]});
  return {d.squared_distance, d.point_a, d.point_b, on_edge(i, d.parameter_a), on_edge(j, d.parameter_b)};
}

TriangleTriangleDistance beyond_limit(double separation) {
  TriangleTriangleDistance result;
  result.distance = result.lower_distance = separation;
  return result;
}

Vector3 edge_of(const Triangle& t, const Feature& edge) {
  return t[(edge.index + 1) % 3] - t[edge.index];
}

// Near contact the difference of the nearest points loses its direction; the normal of their features keeps
// it.
double best_separation(const Triangle& a, const Triangle& b, const Nearest& nearest) {
  const Vector3 difference = nearest.point_b - nearest.point_a;
  const double separation = triangle_triangle_separation(a, b, difference);
  const double distance = std::sqrt(nearest.squared_distance);
  if (separation >= distance * (1.0 - 1e-14)) return separation;
  Vector3 normal = difference;
  if (nearest.feature_a.kind == FeatureKind::Edge && nearest.feature_b.kind == FeatureKind::Edge) {
    normal = edge_of(a, nearest.feature_a).cross(edge_of(b, nearest.feature_b));
  } else if (nearest.feature_a.kind == FeatureKind::Face || nearest.feature_b.kind == FeatureKind::Face) {
    const Triangle& face = nearest.feature_a.kind == FeatureKind::Face ? a : b;
    normal = (face[1] - face[0]).cross(face[2] - face[0]);
  }
  if (normal.dot(difference) < 0.0) normal = -normal;
  return std::max(separation, triangle_triangle_separation(a, b, normal));
}

// Apart, even where the rounded points coincide.
TriangleTriangleDistance told(const Nearest& nearest, double lower_distance) {
  TriangleTriangleDistance result;
  result.distance = std::max(std::sqrt(nearest.squared_distance), std::numeric_limits<double>::min());
  result.lower_distance = std::clamp(lower_distance, 0.0, result.distance);
  result.point_a = nearest.point_a;
  result.point_b = nearest.point_b;
  result.feature_a = nearest.feature_a;
  result.feature_b = nearest.feature_b;
  return result;
}

TriangleTriangleDistance touching(const Triangle& a, const Triangle& b, const Nearest& nearest) {
  TriangleTriangleDistance result;
  result.point_a = nearest.point_a;
  result.point_b = nearest.point_b;
  result.feature_a = nearest.feature_a;
  result.feature_b = nearest.feature_b;
  if (nearest.squared_distance == 0.0) return result;
  std::int8_t edge = 0;
  if (take_crossing(a, b, result.point_a, edge)) {
    result.feature_a = {FeatureKind::Edge, edge};
    result.feature_b = {FeatureKind::Face, 0};
  } else if (take_crossing(b, a, result.point_a, edge)) {
    result.feature_a = {FeatureKind::Face, 0};
    result.feature_b = {FeatureKind::Edge, edge};
  }
  result.point_b = result.point_a;
  return result;
}

}  // namespace

double triangle_triangle_separation(const Triangle& a, const Triangle& b, const Vector3& direction) {
  // Each height is sum_k n_k * fl(x_k - o_k): at most 4 roundings per term, so its error is below
  // 4.1 u * sum |n_k| |fl(x_k - o_k)|, computed itself with 3 roundings; 5 u covers both.
  const Vector3& origin = a[0];
  double front = 0.0;  // a[0] itself
  double back = std::numeric_limits<double>::infinity();
  double error = 0.0;
  for (int i = 0; i < 3; ++i) {
    const Vector3 to_b = b[i] - origin;
    back = std::min(back, direction.dot(to_b));
    error = std::max(error, direction.cwiseAbs().dot(to_b.cwiseAbs()));
    if (i == 0) continue;
    const Vector3 to_a = a[i] - origin;
    front = std::max(front, direction.dot(to_a));
    error = std::max(error, direction.cwiseAbs().dot(to_a.cwiseAbs()));
  }
  const double gap =
      (back - front) - 11.0 * unit_roundoff * error;  // two heights, 0.5 u each for the differences
  const double length = direction.norm();
  // Shorter directions could lose digits of the products to underflow.
  if (!(length > 1e-140) || !std::isfinite(length)) return -std::numeric_limits<double>::infinity();
  // |n| carries at most 3.5 roundings, the division one.
  return gap > 0.0 ? gap / length * (1.0 - 6.0 * unit_roundoff) : gap / length;
}

TriangleTriangleDistance triangle_triangle_distance(const Triangle& a, const Triangle& b, double limit) {
  const elementary::NearestGuess guess = elementary::guess_nearest(a, b);
  if (guess.squared_distance > limit * limit) {
    const double separation = triangle_triangle_separation(a, b, guess.difference);
    if (separation > limit) return beyond_limit(separation);
  }
  Nearest nearest = careful(a, b, guess);
  double separation = best_separation(a, b, nearest);
  // A slab nearly as wide as the points are apart proves that they are the nearest.
  if (!(separation > 0.0 && separation * separation >= nearest.squared_distance * (1.0 - 1e-12))) {
    look_at_edges(a, b, nearest);
    look_at_corners(a, b, nearest);
    separation = best_separation(a, b, nearest);
    if (!(separation > 0.0) && triangle_triangle_intersect(a, b)) return touching(a, b, nearest);
  }
  return told(nearest, separation);
}

TriangleTriangleDistance elementary::guessed_distance(const Triangle& a, const Triangle& b) {
  return told(careful(a, b, guess_nearest(a, b)), 0.0);
}

}  // namespace toccata
