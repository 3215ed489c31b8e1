#pragma once
// Is a convex piece wholly inside another?
#include "hierarchy/piece.hpp"
#include "toccata/base/pose.hpp"

namespace toccata::proximity {

// Yes is a proof, up to rounding: no point of the inner piece is on the outer one's surface or beyond. Of
// pieces with corners no is one as well; of curved ones it may be said of what is within a thousandth of its
// size of the outer surface. A flat outer piece holds nothing.
bool is_inside(const Piece& inner, const Pose& inner_to_outer, const Piece& outer);

}  // namespace toccata::proximity
