#pragma once
// The shape whose surface is meant where distances from a shape's surface are asked for.
#include "toccata/proximity/placed_shape.hpp"

namespace toccata::point_distance {

// A mesh or a convex kind as it is; a height field as what its surface, walls and floor enclose. Throws
// std::invalid_argument for a compound, whose parts may cover each other's surfaces.
PlacedShape asked_shape(const PlacedShape& shape);

}  // namespace toccata::point_distance
