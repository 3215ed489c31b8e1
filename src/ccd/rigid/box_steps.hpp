#pragma once
// For eight boxes of one body and one box of the other: how long is each pair proven apart?
//
// Notation: everything in the frame of the eight boxes, frozen at time t, relative to their node's origin.
// Along a fixed unit direction n the gap obeys s(delta) >= s - r delta - K delta^2 / 2, with s the gap of the
// boxes now, r the largest closing speed of any two of their points (signed: negative when they separate) and
// K a bound on their accelerations, the same for all directions. Each direction gives the root of that
// parabola, any of which is safe. Since K is common, the direction that is best at some time is the one whose
// line s - r delta is highest there; the root is taken for that one alone.
// Directions: the line of centres, 6 faces, the line across the relative motion; where the answer is near,
// also the 9 cross products of axes. docs/rigid_bounds.md derives the paddings.
#include "ccd/rigid/box_tree.hpp"

namespace toccata {

// A box of the other body; its axes are beta_i.
struct BoxStepsInput {
  float center[3];
  float axis[3][3];  // axis[i][coordinate]
  float half[3];
  float velocity[3];          // of this body at the node's origin minus that of the other box's centre
  float spin[3];              // angular velocity of this body
  float spin_along[3];        // spin . axis[i]
  float other_spin[3];        // angular velocity of the other body
  float other_spin_along[3];  // other_spin . axis[i]
  float own_swing[3];         // closing speed of the other box along its own axis i, from its spin
  float acceleration;         // K > 0
  float gap_padding;          // subtracted from s: rounding, pose errors, minimum distance
  float rate_padding;         // added to r
  float near_step;            // boxes proven apart for less than this also try the edge directions
  float enough;               // a step beyond this is as good as any
  bool spins;                 // this body turns
  bool other_spins;
};

// steps[k] >= 0: child k and the other box are apart on [t, t + steps[k]). gaps[k]: a lower bound on their
// distance now (less the padding; may be negative). Answers do not depend on the instruction set.
void box_steps(const BoxNode& node, const BoxStepsInput& input, float* steps, float* gaps);

}  // namespace toccata
