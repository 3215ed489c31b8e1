#pragma once
// For eight boxes of one body and one box of the other: how long is each pair proven apart?
//
// Notation: everything in the frame of the eight boxes, frozen at time t, relative to their node's origin.
// Along a fixed unit direction n the gap obeys s(delta) >= s - r delta - K delta^2 / 2, with s the gap of the
// boxes now, r the largest closing speed of any two of their points (signed: negative when they separate) and
// K a bound on their accelerations, the same for all directions. Each direction gives the root of that
// parabola, any of which is safe. Since K is common, the direction that is best at some time is the one whose
// line s - r delta is highest there; the root is taken for that one alone.
// Directions: 6 faces, first the one with the widest gap; the line across the relative motion; where the
// answer is near, also the 9 cross products of axes. docs/notes/rigid_bounds.md derives the paddings.
#include "ccd/search/pair_state.hpp"
#include "ccd/search/pending_group.hpp"
#include "hierarchy/box_tree.hpp"

namespace toccata::search {

// One body's rotation in the frame of the eight boxes.
struct BoxTurn {
  double spin[3];
  double turning[3];  // velocity of the body's shape centre due to its rotation alone
  TurnBound bound;
};

// The state of two bodies from the frame of the one whose node is tested; its origin is that shape's centre.
struct BoxView {
  double rotation[3][3];  // of the other body's coordinates (about its shape centre) to this frame
  float float_rotation[3][3];
  double translation[3];
  double velocity[3];  // of this shape's centre minus that of the other's
  BoxTurn own;
  BoxTurn other;
  double acceleration;
  double gap_padding;
  double rate_padding;
};

struct BoxTestLimits {
  double distance = 0.0;   // apart means further apart than this
  float near_step = 0.0F;  // boxes proven apart for less than this also try the edge directions
  float now = 0.0F;        // the time of the view, as the groups count it
  float last = 0.0F;       // later is as good as never
};

// How long each child of `group.node` is apart from child `slot` of the other body's node `theirs`, from the
// time of the view on, which is `now` for the group: sets the times of those that were not done yet; what is
// later than `last` needs nothing any more.
void box_steps(const BoxView& view, const BoxNode& node, const BoxNode& theirs, std::uint32_t slot,
               const BoxTestLimits& limits, PendingGroup& group);

}  // namespace toccata::search
