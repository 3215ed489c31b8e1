#pragma once
// The walk of Gilbert, Johnson and Keerthi (1988) over the Minkowski difference of two cores, with a bracket.
#include "proximity/convex/convex_distance.hpp"
#include "proximity/convex/simplex.hpp"

namespace toccata::convex {

// The answer for the cores: their bracket in lower_core and upper_core, their points, no radii; limits speak
// of the cores, too. `simplex`: the corners and weights of the nearest points, if they are wanted.
void gjk_distance(const Difference& difference, const ConvexMemory* memory, const ConvexLimits& limits,
                  ConvexDistance& core, Simplex* simplex = nullptr);

}  // namespace toccata::convex
