#pragma once
// The walk of Gilbert, Johnson and Keerthi (1988) over the Minkowski difference of two cores, with a bracket.
#include "proximity/convex/convex_distance.hpp"
#include "proximity/convex/simplex.hpp"

namespace toccata::convex {

struct CoreDistance {
  double lower =
      0.0;  // proven: no point of the difference is lower along `direction`; negative: they may meet
  double upper = std::numeric_limits<double>::infinity();
  bool meets = false;
  Vector3 direction = Vector3::Zero();  // of lower: unit, towards the difference (from b to a)
  Vector3 nearest = Vector3::Zero();    // of upper
  Simplex simplex;
  int iterations = 0;
};

// Limits speak of the cores.
CoreDistance gjk_distance(const Difference& difference, const ConvexMemory* memory,
                          const ConvexLimits& limits);

}  // namespace toccata::convex
