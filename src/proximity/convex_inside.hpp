#pragma once
// Is a convex piece wholly inside another, or inside several that overlap?
#include <vector>

#include "hierarchy/piece.hpp"
#include "toccata/base/pose.hpp"

namespace toccata::proximity {

// Yes is a proof, up to rounding: no point of the inner piece is on the outer one's surface or beyond. Of
// pieces with corners no is one as well; of curved ones it may be said of what is within a thousandth of its
// size of the outer surface. A flat outer piece holds nothing.
bool is_inside(const Piece& inner, const Pose& inner_to_outer, const Piece& outer);

// Whether pieces of the outer shape cover it together. Yes is a proof as above: the piece is cut into cells,
// each of which is inside one of them. No may be said of what a few thousand cells do not decide: pieces that
// overlap by less than about a twentieth of the inner one's size where it crosses from one into the next.
bool is_covered(const Piece& inner, const Pose& inner_to_outer, const ShapeData& outer,
                const std::vector<std::int32_t>& pieces);

}  // namespace toccata::proximity
