#pragma once
// How far the eight children of a node reach along a direction, in single precision.
#include "hierarchy/box_tree.hpp"

namespace toccata::hierarchy {

// heights[k]: no point of child k is higher, relative to the shape's centre; unused children get -infinity.
// The direction is at most a unit vector up to rounding.
//
// Heights within the node are sums of products of lengths that reach |center| + the half extents at most: two
// dozen roundings of that, v = 2^-24 each (the direction's own among them), are within 32 v of the node's
// reach. The origin's height is found in double, and the sum with it is rounded up.
void node_heights(const Vector3& direction, const BoxNode& node, double* heights);

}  // namespace toccata::hierarchy
