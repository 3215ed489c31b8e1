#pragma once
// For eight boxes of one body and one box of the other: how long is each pair proven apart?
//
// Notation: everything in the frame of the eight boxes, frozen at time t, relative to their node's origin.
// Along a fixed unit direction n the gap obeys s(delta) >= s - r delta - K delta^2 / 2, with s the gap of the
// boxes now, r the largest closing speed of any two of their points (signed: negative when they separate) and
// K a bound on their accelerations. Each direction gives the root of that parabola; the largest root counts.
// Directions: 6 faces, the line of centres, the line across the relative motion; where the answer is near,
// also the 9 cross products of axes. docs/rigid_bounds.md derives the paddings.
#include "ccd/rigid/box_tree.hpp"

namespace toccata {

struct BoxStepsInput {
  float center[3];   // of the other box
  float axis[3][3];  // axis[i][coordinate] of the other box
  float half[3];
  float scaled_axis[3][3];  // half[i] * axis[i]
  float velocity[3];        // of this body at the node's origin minus that of the other box's centre
  float spin[3];            // angular velocity of this body
  float other_spin[3];
  float lever[3][3];          // axis[i] x spin
  float swing[3][3];          // half[i] * (other_spin x axis[i])
  float own_swing[3];         // closing speed of the other box along its own axis i, from its spin
  float spin_along[3];        // spin . axis[i]
  float other_spin_along[3];  // other_spin . axis[i]
  float turning[3];           // velocity of this body at the node's origin due to its rotation alone
  float turn_rate;            // axial acceleration over spin
  float axial;                // axial acceleration of this body
  float acceleration;         // everything else in K: constant parts of both and the other box's axial part
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
