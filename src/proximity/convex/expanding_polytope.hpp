#pragma once
// The depth of the origin inside the Minkowski difference of two cores (van den Bergen's expanding polytope
// algorithm, 2001) as a bracket: every face of a closed surface about the origin whose corners are points of
// the difference bounds the depth from below, every height of the difference from above.
#include "proximity/convex/simplex.hpp"

namespace toccata::convex {

struct CoreDepth {
  double lower = 0.0;
  double upper = 0.0;
  Vector3 normal = Vector3::UnitZ();  // of upper: unit, outward
  Vector3 of_a = Vector3::Zero();  // the two points whose difference is nearest to the origin on the surface
  Vector3 of_b = Vector3::Zero();
  int iterations = 0;
};

// `start`: corners and weights that make up the origin, to rounding.
CoreDepth core_depth(const Difference& difference, const Simplex& start, double wanted, double wanted_share);

}  // namespace toccata::convex
