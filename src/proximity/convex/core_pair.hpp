#pragma once
// What distance and depth share: from the cores to the sets, and questions in very large or small units.
#include <vector>

#include "proximity/convex/gjk.hpp"

namespace toccata::convex {

// Remembers, and asks the cores what `limits` ask of the sets; closed forms first. `simplex` is written only
// where the cores are not proven apart (lower_core <= 0). True if a closed form answered.
bool distance_between_cores(const Difference& difference, ConvexMemory* memory, const ConvexLimits& limits,
                            ConvexDistance& core, Simplex* simplex = nullptr);

// From the answer for the cores to that for the sets: the radii taken off, in the coordinates of b.
// `is_closed`: the direction is that between the points, to rounding.
void add_radii(const Difference& difference, bool is_closed, ConvexDistance& result);

// Whether squares and cubes of the lengths neither overflow nor vanish.
bool is_ordinary(const Difference& difference);

// Otherwise: the same question in units that are a power of two away.
struct RescaledSet {
  ConvexSet set;
  std::vector<Vector3> points;
  RescaledSet(const ConvexSet& from, double factor);
};
struct RescaledPair {
  double factor, back;
  RescaledSet a, b;
  Pose a_to_b;
  ConvexLimits limits;
  RescaledPair(const ConvexSet& set_a, const Pose& set_a_to_b, const ConvexSet& set_b,
               const ConvexLimits& set_limits);
};
void scale_back(ConvexDistance& result, double back);

}  // namespace toccata::convex
