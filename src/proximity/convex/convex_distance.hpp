#pragma once
// The distance of two convex sets as a proven bracket. A direction is only a hint, its evaluation is the
// proof: `lower` comes from heights along a direction with their roundings counted, `upper` from two points
// of the sets, and iterations only narrow what lies between. For polytopes without radius the last stage is
// exact, so that "they share a point" is decided on the corners as rounded to b's coordinates.
#include <array>
#include <cstdint>
#include <limits>

#include "elementary/convex_set.hpp"

namespace toccata::convex {

// The features of an answer: vertices of both sides that span the nearest points (Support::vertex; -1 on a
// curved core), with their weights. Four: the cores share a point inside.
struct ConvexFeatures {
  std::int32_t count = 0;
  std::array<std::int32_t, 4> vertex_a = {-1, -1, -1, -1};
  std::array<std::int32_t, 4> vertex_b = {-1, -1, -1, -1};
};

// What a pair remembers of its last answer. It only makes the next answer faster; any content is right, as
// long as it was written for the same two sets.
struct ConvexMemory {
  ConvexFeatures features;
  Vector3 direction = Vector3::Zero();  // from a to b, in b's coordinates
};

// When an answer is good enough. The defaults ask for all that doubles can give.
struct ConvexLimits {
  double absolute_error = 0.0;                              // of upper - lower
  double relative_error = 0.0;                              // of upper - lower, as a share of upper
  double enough = std::numeric_limits<double>::infinity();  // stop once lower > enough: "farther than"
  double within = -1.0;                                     // stop once upper <= within: "not farther than"
};

struct ConvexDistance {
  double lower = 0.0;  // proven: lower <= distance <= upper; both 0 where the sets share a point
  double upper = 0.0;
  bool meets = false;  // proven that they share a point. lower = 0 without it: not known within `upper`
  // Unit, from a to b: `lower` can be checked along it, to rounding. Where the sets meet, the last one looked
  // along, or zero.
  Vector3 direction = Vector3::Zero();
  Vector3 point_a = Vector3::Zero();  // b's coordinates. Nearest points of the surfaces; where the sets meet:
  Vector3 point_b = Vector3::Zero();  // points of both near each other, `upper` does not speak of them
  ConvexFeatures features;
  std::int32_t iterations = 0;
  // The same for the cores alone: what the depth of rounded sets is made of. lower_core is signed: below
  // zero, -lower_core along `direction` is enough to part the cores.
  double lower_core = 0.0;
  double upper_core = 0.0;
};

// Ends for every finite input. Polytopes, rounded ones included: upper - lower is at most 112 u of the
// lengths that enter (reach of both and their translation), or the limits. Curved cores: at most 192 u of
// them as far as seen, since the last stage walks in pairs of doubles; always a proven bracket.
ConvexDistance convex_distance(const ConvexSet& a, const Pose& a_to_b, const ConvexSet& b,
                               ConvexMemory* memory = nullptr, const ConvexLimits& limits = {});

}  // namespace toccata::convex
