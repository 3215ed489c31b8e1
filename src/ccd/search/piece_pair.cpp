#include "ccd/search/piece_pair.hpp"

#include <Eigen/Geometry>
#include <algorithm>

#include "ccd/search/persistence.hpp"

namespace toccata::search {
namespace {

// Near contact the difference of the nearest points loses its direction to rounding; what their features fix
// of it does not: the normal of a face or of two edges, the plane across an edge.
Vector3 feature_direction(const TrianglePairState& pair, const TriangleTriangleDistance& d) {
  const auto edge = [](const std::array<Vector3, 3>& t, int i) {
    return Vector3(t[static_cast<std::size_t>((i + 1) % 3)] - t[static_cast<std::size_t>(i)]);
  };
  const Vector3 difference = d.point_b - d.point_a;
  Vector3 n = difference;
  const bool edge_a = d.feature_a.kind == FeatureKind::Edge, edge_b = d.feature_b.kind == FeatureKind::Edge;
  if (d.feature_a.kind == FeatureKind::Face) {
    n = edge(pair.a, 0).cross(edge(pair.a, 1));
  } else if (d.feature_b.kind == FeatureKind::Face) {
    n = edge(pair.b, 0).cross(edge(pair.b, 1));
  } else if (edge_a && edge_b) {
    n = edge(pair.a, d.feature_a.index).cross(edge(pair.b, d.feature_b.index));
  } else if (edge_a || edge_b) {
    const Vector3 e =
        (edge_a ? edge(pair.a, d.feature_a.index) : edge(pair.b, d.feature_b.index)).stableNormalized();
    n = difference.stableNormalized();
    for (int i = 0; i < 2; ++i) n -= n.dot(e) * e;
  }
  return n.dot(difference) < 0.0 ? Vector3(-n) : n;
}

}  // namespace

void PiecePair::set_mixed(const MovingShape& body_a, std::int32_t piece_a, const MovingShape& body_b,
                          std::int32_t piece_b) {
  convex_.emplace(body_a, piece_a, body_b, piece_b);
  const std::int32_t triangle_a = convex_->a.triangle(), triangle_b = convex_->b.triangle();
  if (triangle_a < 0 || triangle_b < 0) return;
  a_ = corners_of(*body_a.shape, triangle_a);
  b_ = corners_of(*body_b.shape, triangle_b);
  convex_.reset();
}

double PieceMoment::careful_step(double distance, double step, double enough) const {
  if (convex_) return std::max(step, convex_->careful_step(distance, enough));
  const Vector3 difference = nearest_.point_b - nearest_.point_a;
  step = std::max({step, step_along(difference, distance),
                   step_along(feature_direction(triangles_, nearest_), distance)});
  if (step >= enough) return step;
  // What turns in place comes no nearer along its axis.
  for (const TrianglePairState::Turn& turn : triangles_.turn) {
    if (turn.acceleration == 0.0) continue;
    const bool ahead = turn.axis.dot(difference) >= 0.0;
    step = std::max(step, step_along(ahead ? turn.axis : Vector3(-turn.axis), distance));
  }
  return step;
}

bool PieceMoment::pierces(double margin) const {
  if (convex_) return convex_->is_deeper_than(margin);
  const TrianglePairState triangles = triangle_pair_state(state_, pair_.a_, pair_.b_);
  return search::piercing_margin(triangles.a, triangles.b) > margin;
}

}  // namespace toccata::search
