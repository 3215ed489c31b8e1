#pragma once
// Boxes around points and triangles, a node's children in SIMD lanes: the same bits in any number of them.
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "hierarchy/box_axes.hpp"
#include "hierarchy/fitted_box.hpp"
#include "hierarchy/tree_surface.hpp"

namespace toccata::hierarchy {

// The bounds of the points of the list, which is not empty, along the coordinates' axes.
Bounds bounds_of(const TreePoint* points, std::span<const std::int32_t> list);

// What a node's children are made of, by slot: a triangle's corners, or the bounds of points below.
struct alignas(64) BoxBounds {
  double lower[3][box_width];  // along its axes, relative to the node's origin
  double upper[3][box_width];
  double straight_lower[3][box_width];  // along the coordinates' axes
  double straight_upper[3][box_width];
  std::array<const std::int32_t*, box_width> corners = {};  // null: not a triangle

  // The bounds of inverse * (point - origin) over the points of the list, which is not empty.
  void put_along(const BoxAxes& axes, std::size_t slot, const Vector3& origin, const TreePoint* points,
                 std::span<const std::int32_t> list);
  void put_straight(std::size_t slot, const Bounds& bounds);
};

// Puts boxes into the first `count` slots, `padding` wider than computed, and zeros into the others.
// Triangles get flat ones: along the longest edge, across it in the plane, along the normal; others the
// smaller one of that along the axes and that along the coordinates'. Returns the node's reach.
double put_boxes(const BoxAxes& axes, const BoxBounds& bounds, std::size_t count, const TreePoint* points,
                 double padding, BoxNode& node);
// Of triangles only, by their corners.
double put_triangles(const std::array<const std::int32_t*, box_width>& corners, std::size_t count,
                     const TreePoint* points, double padding, BoxNode& node);

}  // namespace toccata::hierarchy
