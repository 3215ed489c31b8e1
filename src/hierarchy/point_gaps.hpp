#pragma once
// One point against the eight children of a node: lower bounds of its distances, in single precision.
#include "hierarchy/box_tree.hpp"

namespace toccata::hierarchy {

// gaps[k]: at most the distance of the point (relative to the shape's centre) from child k, zero where it may
// be inside; unused children get infinity. `padding` is taken off on top of the rounding of the computation.
//
// Along an axis a_i a point of the box reaches |y_i| <= h_i of its own and, since the rounded axes are
// orthonormal to 8 v only (v = 2^-24), 8 v of the sum of the extents from the others. The point's own height
// carries a dozen roundings of its distance from the origin and of the node's reach. 32 v of both covers
// them; 2^-20 of the length covers the squares, their root, and the norm of the rounded basis.
void point_gaps(const Vector3& point, const BoxNode& node, float padding, float* gaps);

}  // namespace toccata::hierarchy
