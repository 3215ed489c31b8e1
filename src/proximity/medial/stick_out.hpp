#pragma once
// How far a hull of balls sticks out of a solid, by branch and bound over its balls.
//
// A ball (c, r) sticks out by at most r + s(c), s the signed distance, negative inside. Between balls a bound
// of second order holds: with all balls (p_k, D_k) in a set and any weights b_k, x = sum b_k p_k,
//   sum b_k |y - p_k|^2 = |y - x|^2 + V,  V = sum_{i<k} b_i b_k |p_i - p_k|^2,
// a point y outside all of them has |y - x|^2 > sum b_k D_k^2 - V: the ball about x with that squared radius
// is in the set. The set is the solid grown by E, D_k = E - s(p_k). docs/notes/medial_bounds.md goes on.
#include <array>
#include <optional>

#include "proximity/medial/solid_probe.hpp"
#include "toccata/elementary/ball_hull.hpp"

namespace toccata::medial {

struct StickOut {
  double lower = 0.0;  // some ball of the hull sticks out as far as this; below zero: it is inside
  double upper = 0.0;  // and none farther than this
};

struct StickOutLimits {
  double accuracy = 0.0;  // stop once upper - lower is within it,
  double enough = 0.0;    // or upper is not above this,
  double too_far = 0.0;   // or lower is above this
  int most_probes = 2000;
};

// What is known of the solid at the centres of a hull's balls, and half way between balls k and k + 1: many
// hulls share them. Empty: it is looked up, and put there.
struct HullProbes {
  std::array<std::optional<Probed>, 3> at_ball, between;
};

StickOut stick_out(const BallHull& hull, SolidProbe& probe, const StickOutLimits& limits);
StickOut stick_out(const BallHull& hull, SolidProbe& probe, const StickOutLimits& limits, HullProbes& known);

}  // namespace toccata::medial
