#pragma once
// Turns of a box's axes that make it smaller: the principal axes of a patch tell its normal well, but hardly
// how a rectangle lies best in its plane. The same bits on every instruction set.
#include <cstddef>
#include <cstdint>
#include <span>

#include "hierarchy/box_axes.hpp"
#include "hierarchy/tree_surface.hpp"

namespace toccata::hierarchy {

// Turns the first two axes of the child about the third so that the box of the points of the list, which is
// not empty, has about the least surface; of many points, that of some. `finish_axes` must follow.
void turn_axes(BoxAxes& axes, std::size_t slot, const Vector3& origin, const TreePoint* points,
               std::span<const std::int32_t> list);

// Makes axes that were turned orthonormal floats again, and finds the inverses.
void finish_axes(BoxAxes& axes);

}  // namespace toccata::hierarchy
