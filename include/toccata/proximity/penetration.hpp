#pragma once
// How deep are two shapes in each other, and which way is out?
#include <span>
#include <vector>

#include "toccata/base/stop.hpp"
#include "toccata/proximity/placed_shape.hpp"
#include "toccata/report/penetration_result.hpp"

namespace toccata {

struct PenetrationOptions {
  // Meshes are solids, which must be closed: one inside the other overlaps it, and the answer has the deepest
  // points of each in the other. Without it they are surfaces.
  bool solid = false;
  // Of solids: how far apart the bounds of the deepest points may be. 0: a thousandth of the smaller size().
  // Round kinds add 5e-3 of their size, which their surface is known to.
  double absolute_error = 0.0;
  // Of solids: look for a translation that parts them, too. Without it upper_depth is infinite and the
  // contact does not hold.
  bool with_way_out = true;
  Stop stop = {};   // of solids
  int threads = 0;  // of a batch: 0 = all cores
};

// Of two convex kinds, and of a half space and anything, the bracket closes to rounding (curved kinds: as far
// as 255 corners of an inner polytope get, usually 1e-4 of the depth). Of shapes of several pieces
// lower_depth is the deepest pair of pieces, and upper_depth the best of the directions tried for the whole
// shapes: honest bounds that may be far apart, since a shape may be hooked into another.
// Meshes are surfaces, as for `distance`: where their surfaces do not meet they are apart, and both answers
// agree about that always.
//
// Of solids lower_depth is at least that of the deepest points, since none of them may stay inside, and
// upper_depth is a translation along which they were followed until proven apart. The shortest one of two
// bodies that are not convex is an open problem: it lies between the two. Compounds are asked part by part:
// where parts of one body overlap each other, upper bounds of depths in it are wide. Medial meshes fail.
PenetrationResult penetration(const PlacedShape& a, const PlacedShape& b,
                              const PenetrationOptions& options = {});

// The same answers as one by one, in the same order; those not come to before the stop are OutOfBudget.
std::vector<PenetrationResult> penetrations(std::span<const PlacedPair> pairs,
                                            const PenetrationOptions& options = {});

}  // namespace toccata
