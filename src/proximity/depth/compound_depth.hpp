#pragma once
// How deep bodies of several parts are in each other: part by part.
#include "toccata/proximity/penetration.hpp"

namespace toccata::depth {

// Is it a compound whose parts can be asked one by one?
bool is_compound(const PlacedShape& shape);

// Status, lower_depth and deepest points; the way out is not looked for, and upper_depth is infinite where
// they overlap. Depths in a body whose parts do not touch each other are those in the part that holds the
// point. Where parts overlap, their union is deeper: `lower` is that of one part, and `upper` how far the
// region of both boxes is from leaving the box of the outer body.
PenetrationResult compound_depth(const PlacedShape& a, const PlacedShape& b,
                                 const PenetrationOptions& options);

}  // namespace toccata::depth
