#pragma once
// How deep are two shapes in each other, and which way is out?
#include <span>
#include <vector>

#include "toccata/proximity/placed_shape.hpp"
#include "toccata/report/penetration_result.hpp"

namespace toccata {

// Of two convex kinds, and of a half space and anything, the bracket closes to rounding (curved kinds: as far
// as 255 corners of an inner polytope get, usually 1e-4 of the depth). Of shapes of several pieces
// lower_depth is the deepest pair of pieces, and upper_depth the best of the directions tried for the whole
// shapes: honest bounds that may be far apart, since a shape may be hooked into another.
// Meshes are surfaces, as for `distance`: where their surfaces do not meet they are apart, and both answers
// agree about that always.
PenetrationResult penetration(const PlacedShape& a, const PlacedShape& b);

// The same answers as one by one, in the same order. threads: 0 = all cores.
std::vector<PenetrationResult> penetrations(std::span<const PlacedPair> pairs, int threads = 0);

}  // namespace toccata
