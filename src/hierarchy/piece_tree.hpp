#pragma once
// One tree over pieces of every kind: convex sets each in a box of its own, and the trees of whole meshes.
#include <span>
#include <vector>

#include "elementary/convex_set.hpp"
#include "hierarchy/box_tree.hpp"

namespace toccata {

// What one part of a shape brings: a convex set, or, where there is none, the triangles of a tree.
struct TreePart {
  const ConvexSet* set = nullptr;  // about the shape's centre
  BoxTree tree;                    // of triangles, about the same centre
  std::int32_t first_piece = 0;    // the number of the set; of the tree's triangle 0
};

// reach: bounds the coordinates of all points about the centre, and of the centre itself: what rounding
// scales with.
BoxTree build_piece_tree(std::span<const TreePart> parts, double reach);

// The smallest and the largest coordinates of the set, rounded outwards.
struct AxisBounds {
  Vector3 lower = Vector3::Zero();
  Vector3 upper = Vector3::Zero();
};
AxisBounds axis_bounds(const ConvexSet& set);

}  // namespace toccata
