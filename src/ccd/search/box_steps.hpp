#pragma once
// For eight boxes of one body and one box of the other: how long is each pair proven apart?
//
// Notation: everything in the frame of the eight boxes, frozen at time t, relative to their node's origin.
// Along a fixed unit direction n the gap obeys s(delta) >= s - r delta - K delta^2 / 2, with s the gap of the
// boxes now, r the largest closing speed of any two of their points (signed: negative when they separate) and
// K a bound on their accelerations, the same for all directions. Each direction gives the root of that
// parabola, any of which is safe. Since K is common, the direction that is best at some time is the one whose
// line s - r delta is highest there; the root is taken for that one alone.
// Directions: 6 faces, first the one with the widest gap; where the answer is near, also the 9 cross products
// of axes. docs/notes/rigid_bounds.md derives the paddings.
#include "ccd/search/pair_state.hpp"
#include "ccd/search/pending_group.hpp"
#include "hierarchy/box_tree.hpp"

namespace toccata::search {

// One body's rotation in the frame of the eight boxes. Vectors here have a fourth coordinate, zero.
struct BoxTurn {
  alignas(32) double turning[4];  // velocity of the body's shape centre due to its rotation alone
  double spin[4];
  double arms[3][4];  // [k]: what the rotation adds where coordinate k of a place is one
  float float_spin[4];
  TurnBound bound;
};

// The state of two bodies from the frame of the one whose node is tested; its origin is that shape's centre.
struct BoxView {
  alignas(32) double rotation[3][4];  // columns; of the other body's coordinates to this frame
  double translation[4];
  double velocity[4];  // of this shape's centre minus that of the other's
  float float_rotation[3][4];
  BoxTurn own;    // arms: of places in this frame
  BoxTurn other;  // arms: of places in the other body's coordinates
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

// A group to be tested: the children of a node against child `slot` of the other body's node `theirs`.
struct BoxTest {
  const BoxView* view = nullptr;
  const BoxNode* node = nullptr;
  const BoxNode* theirs = nullptr;
  std::uint32_t slot = 0;
  // Children that are done stay done. Of a fresh one none is, and all are apart until its `earliest`.
  PendingGroup* group = nullptr;
  bool is_fresh = false;
};

// How long each child of a group that is not done is apart from the other box, from the time of the view on,
// which is `now` for the group, and not before it was known to be: sets the group's times; what is later than
// `last` needs nothing any more.
void box_steps(const BoxTest& test, const BoxTestLimits& limits);
// Two groups at once: the same answers in little more time than one.
void box_steps(const BoxTest (&tests)[2], const BoxTestLimits& limits);

}  // namespace toccata::search
