#pragma once
// The triangles of a mesh that may be nearest to a point, told in single precision by the tree of rays:
// what is left out is proven farther, what is left is for exact distances (docs/notes/point_distance.md).
#include <cstdint>

#include "hierarchy/ray_tree.hpp"

namespace toccata::hierarchy {

// How far a point may be from the middle of a shape of radius 1.
inline constexpr double largest_walked_distance = 0x1p30;

// In the frame of the tree.
struct TreePoint {
  double place[3];
  double padding;  // how far the triangles that count may be from those of the tree, and the point
  double scale;    // a power of two, about 1 / radius of the shape
};

// How far the nearest triangle may be, and what need not be found: triangles nearer than `high` by no more
// than `slack`.
struct PointLimit {
  double high;
  double slack;
};

// visit(context, triangle, low) of every triangle that may be nearer than the limit so far; low: not above
// its distance.
struct PointVisitor {
  void* context;
  void (*visit)(void* context, std::int32_t triangle, double low);
};

// Returns an upper bound of the distance of the nearest triangle, or the limit if none was found below it.
// precondition: |coordinates| * scale < largest_walked_distance
double walk_point(const RayTree& tree, const TreePoint& point, const PointLimit& limit,
                  const PointVisitor& visitor);

}  // namespace toccata::hierarchy
