#pragma once
// Boxes around points, in SIMD lanes: what building a tree of boxes spends most of its time on.
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "hierarchy/fitted_box.hpp"
#include "hierarchy/tree_surface.hpp"

namespace toccata::hierarchy {

// The bounds of inverse * (point - origin) over the points of the list, which is not empty.
Bounds bounds_along(const Matrix3& inverse, const Vector3& origin, const TreePoint* points,
                    std::span<const std::int32_t> list);

// The triangles among a node's children.
struct TriangleSlots {
  std::size_t count = 0;
  std::array<std::size_t, box_width> slot;
  std::array<const std::int32_t*, box_width> corners;
};

// Puts flat boxes around triangles into their slots: along the longest edge, across it in the plane, along
// the normal; `padding` wider than computed. Returns what they add to the node's reach.
double put_triangles(const TriangleSlots& triangles, const TreePoint* points, const Vector3& origin,
                     double padding, BoxNode& node);

}  // namespace toccata::hierarchy
