#pragma once
// All triangles of a mesh near a point, told in single precision by the boxes in the tree of rays: what is
// left out is proven farther (docs/notes/point_distance.md). The same on all instruction sets.
#include <cstdint>
#include <span>

#include "hierarchy/ray_tree.hpp"

namespace toccata::hierarchy {

// In the frame of the tree. precondition: no coordinate, nor the radius, is 1024 radii of the mesh
struct NearBall {
  Vector3 middle;
  double padding;  // how far the triangles that count may be from those of the tree, and the middle
  double radius;
};

// Lists triangles, among them all that come within the ball. Returns how many, or more than there is room for
// if it stopped because of that.
std::size_t list_near(const RayTree& tree, const NearBall& ball, std::span<std::int32_t> room);

}  // namespace toccata::hierarchy
