#pragma once
// The walk of Gilbert, Johnson and Keerthi (1988) over the Minkowski difference of two cores, with a bracket.
#include "proximity/convex/core_distance.hpp"
#include "proximity/convex/simplex.hpp"

namespace toccata::convex {

// Limits speak of the cores. `simplex`: the corners and weights of the nearest points, if they are wanted.
CoreDistance gjk_distance(const Difference& difference, const ConvexMemory* memory,
                          const ConvexLimits& limits, Simplex* simplex = nullptr);

}  // namespace toccata::convex
