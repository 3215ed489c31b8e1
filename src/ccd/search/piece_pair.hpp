#pragma once
// Two convex pieces of two moving bodies: how far apart they are, how long they stay apart, and how long they
// stay in touch. Kinds of pieces are told apart here and nowhere else: two triangles, or any other two.
#include <cstdint>
#include <optional>

#include "ccd/search/convex_steps.hpp"
#include "ccd/search/pair_state.hpp"
#include "ccd/search/triangle_steps.hpp"
#include "elementary/nearest_guess.hpp"
#include "toccata/elementary/triangle_triangle.hpp"

namespace toccata::search {

// A pair of pieces, in the coordinates of their bodies.
class PiecePair {
 public:
  PiecePair(const MovingShape& body_a, std::int32_t piece_a, const MovingShape& body_b,
            std::int32_t piece_b) {
    if (body_a.shape->has_only_triangles() && body_b.shape->has_only_triangles()) {
      a_ = corners_of(*body_a.shape, piece_a);
      b_ = corners_of(*body_b.shape, piece_b);
    } else {
      set_mixed(body_a, piece_a, body_b, piece_b);
    }
  }

  // Neighbours are often apart along the same direction, in b's coordinates: those looked at before may tell
  // the next ones theirs. Only makes them faster.
  void take_hint(const Vector3& direction) {
    if (convex_) convex_->hint = direction;
  }
  void give_hint(Vector3& direction) const {
    if (convex_ && !convex_->memory.direction.isZero(0.0)) direction = convex_->memory.direction;
  }

 private:
  friend class PieceMoment;
  void set_mixed(const MovingShape& body_a, std::int32_t piece_a, const MovingShape& body_b,
                 std::int32_t piece_b);

  std::array<Vector3, 3> a_;  // of two triangles
  std::array<Vector3, 3> b_;
  std::optional<ConvexPair> convex_;  // of all others
};

struct PieceStep {
  double step = 0.0;  // in time; they stay more than `distance` apart during it; zero if that cannot be told
  bool is_far = false;  // they are proven more than distance + reach apart now
};

// A pair of pieces at one moment, seen from b's frame.
class PieceMoment {
 public:
  // horizon: the longest step of interest. Both must outlive this object.
  PieceMoment(const PairState& state, const PiecePair& pair, double horizon) : state_(state), pair_(pair) {
    if (pair.convex_) convex_.emplace(state, *pair.convex_, horizon);
  }

  // A safe step without nearest points: cheap, and good for pieces that are far apart or approach quickly.
  PieceStep quick_step(double distance, double reach) const {
    if (convex_) return {convex_->remembered_step(distance), false};
    const TriangleStep step = triangle_step(state_, pair_.a_, pair_.b_, distance, reach);
    return {step.step, step.is_far};
  }

  // Right up to the padding of the state; finds the nearest points, which careful_step needs. Not below the
  // distance and only as good as `limits` ask for; of two triangles with an error allowed it is that of the
  // features which look nearest.
  double find_distance(const convex::ConvexLimits& limits = {}) {
    if (convex_) return convex_->find_distance(limits);
    triangles_ = triangle_pair_state(state_, pair_.a_, pair_.b_);
    nearest_ = limits.relative_error > 0.0 ? elementary::guessed_distance(triangles_.a, triangles_.b)
                                           : triangle_triangle_distance(triangles_.a, triangles_.b);
    return nearest_.distance;
  }

  // A safe step by the nearest points and their features, at least `step`, which is known already; axes of
  // rotation are tried too as long as it is not `enough`.
  // precondition: find_distance() was called
  double careful_step(double distance, double step, double enough) const;

  // May the pieces be displaced relative to each other by this much and still intersect? Only a yes is a
  // proof.
  bool pierces(double margin) const;

 private:
  double step_along(const Vector3& direction, double distance) const {
    return triangle_step_along(triangles_, direction, distance, state_.gap_padding, state_.rate_padding);
  }

  const PairState& state_;
  const PiecePair& pair_;
  // Of two triangles, by find_distance.
  TrianglePairState triangles_;
  TriangleTriangleDistance nearest_;
  std::optional<ConvexMoment> convex_;  // of all but two triangles
};

}  // namespace toccata::search
