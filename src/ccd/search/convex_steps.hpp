#pragma once
// For two convex pieces in motion, not both triangles: how long are they proven apart? Along one fixed unit
// direction n, from a to b, every pair of points obeys
//   gap(s) >= n . (y - x) + s n . (v(y) - v(x)) - s rate_padding - s^2/2 K.
// The least of the first two terms over all points of both is a difference of support heights along n + s (n
// x w), with w the angular velocity: exact to first order at every s, and concave in s, so that between two
// times it lies above its chord. That is tighter than the largest speed of any point, and it costs no more.
// docs/notes/convex_motion_bounds.md derives the paddings.
#include "ccd/search/pair_state.hpp"
#include "hierarchy/piece.hpp"
#include "proximity/convex/convex_distance.hpp"

namespace toccata::search {

// Two pieces, in the coordinates of their bodies.
struct ConvexPair {
  ConvexPair(const MovingShape& body_a, std::int32_t piece_a, const MovingShape& body_b, std::int32_t piece_b)
      : a(*body_a.shape, piece_a, body_a.on_skin), b(*body_b.shape, piece_b, body_b.on_skin) {}

  Piece a;
  Piece b;
  mutable convex::ConvexMemory memory;  // of the last look: only makes the next one faster
  Vector3 hint = Vector3::Zero();  // along it other pieces of the same bodies were last apart, as in memory
};

// At one moment, seen from b's frame. A half space must be at rest: see SeenMotions.
class ConvexMoment {
 public:
  // Both must outlive this object. horizon: the longest step of interest.
  ConvexMoment(const PairState& state, const ConvexPair& pair, double horizon);

  // Not below the distance, up to the padding of the state; finds the direction that careful_step needs.
  // Only as good as `limits` ask for.
  double find_distance(const convex::ConvexLimits& limits = {});

  // A step in time during which the pieces stay more than `distance` apart; zero if that cannot be told.
  // precondition: find_distance() was called
  double careful_step(double distance, double enough) const;
  // The same along the direction that was remembered, or along the hint or across a triangle if nothing is,
  // without nearest points; zero if there is none.
  double remembered_step(double distance) const;

  // Are they in each other by more than this? Only a yes is a proof.
  bool is_deeper_than(double margin) const;

 private:
  struct Heights {
    double gap;    // lower bound to first order, rounding of this computation included
    double speed;  // of the two points that make it, closing: a guess
  };

  double step_along(const Vector3& unit, double distance) const;
  Heights heights(const Vector3& n, double s) const;
  double acceleration_along(const Vector3& n) const;
  double step_above_plane(const Vector3& n, double gap) const;
  template <typename Closed>
  double chord_step(double gap, double speed, double acceleration, Closed&& closed) const;

  const PairState& state_;
  const ConvexPair& pair_;
  const FrameView& view_;
  double horizon_;
  Pose a_to_b_;
  double acceleration_ = 0.0;
  struct Turn {
    Vector3 axis = Vector3::Zero();  // unit
    double acceleration = 0.0;       // the share that stays across the axis
  };
  Turn turn_[2];
  convex::ConvexDistance nearest_;
};

}  // namespace toccata::search
