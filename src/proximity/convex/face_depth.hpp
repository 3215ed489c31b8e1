#pragma once
// The depth of two hulls of few corners by their separating axes: the sides of both and, where the product of
// two edges may be nearer than those, arcs between the normals of a's sides.
#include "proximity/convex/expanding_polytope.hpp"

namespace toccata::convex {

// As sure_depth. Unsure, too: of hulls without HullFaces, and where the nearest points are not to be told.
SureDepth face_depth(const Difference& difference, double enough);

}  // namespace toccata::convex
