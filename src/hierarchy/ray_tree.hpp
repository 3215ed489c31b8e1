#pragma once
// What rays and points walk through: the tree of boxes of a mesh once more, in axis-aligned boxes of single
// precision with up to eight triangles in a leaf. A node has a third of the bytes of one with oriented boxes
// and takes a fifth of the time.
//
// Boxes are rounded outwards, triangles are left out only where single precision proves that the ray misses
// them: what is left is for exact tests, which the visitor makes. docs/notes/rigid_bounds.md has the sums.
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "hierarchy/lazy_slot.hpp"
#include "hierarchy/shape_data.hpp"

namespace toccata::hierarchy {

// Positions relative to the shape's centre. Slots without a child hold nothing: lower > upper.
struct alignas(64) RayNode {
  float bound[6][box_width];      // the lower bounds of the three coordinates, then the upper ones
  std::int32_t child[box_width];  // >= 0: a node; < 0: ~leaf
};

struct alignas(64) RayLeaf {
  float origin[3];
  float reach;  // not below the distance of any corner from the origin
  std::int32_t count;
  alignas(32) std::int32_t triangle[box_width];
  float corner[3][3][box_width];  // corner[i][coordinate][slot], relative to the origin
};

// Made when enough points were asked for their side: see triangle_sides.hpp.
struct LazySides {
  LazySlot found;
  std::atomic<std::int64_t> asked = 0;
};

struct RayTree {
  std::vector<RayNode> nodes;
  std::vector<RayLeaf> leaves;
  std::int32_t root = 0;  // as a child
  int depth = 0;          // nodes on the longest way down
  std::unique_ptr<LazySides> sides = std::make_unique<LazySides>();
};

// precondition: the shape is a mesh with triangles
RayTree build_ray_tree(const ShapeData& mesh);

// Of a mesh with triangles; null as long as too few questions have been asked to pay for it, and of meshes so
// small or large (1e-12, 1e12) that squares of lengths may leave the range of floats.
const RayTree* ray_tree_of(const ShapeData& mesh);
// The same for those who will ask enough, and whose answers must not depend on what was asked before.
const RayTree* ray_tree_at_once(const ShapeData& mesh);

// In the frame of the tree. The direction is between a half and four long: parameters count its lengths.
struct TreeRay {
  double origin[3];
  double direction[3];
  double limit;
  double padding;  // how far the triangles that count may be from those of the tree, and the origin
};

// Visits every triangle that the ray may meet before the limit, the near ones first for the most part;
// visit(context, triangle) returns the new limit.
struct RayVisitor {
  void* context;
  double (*visit)(void* context, std::int32_t triangle);
};
// Returns how many boxes it looked at.
std::int64_t walk_ray(const RayTree& tree, const TreeRay& ray, const RayVisitor& visitor);

}  // namespace toccata::hierarchy
