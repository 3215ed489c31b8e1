#pragma once
// What a Shape holds. Its pieces are the triangles of its mesh.
#include <array>
#include <cstdint>

#include "hierarchy/box_tree.hpp"
#include "hierarchy/lazy_slot.hpp"
#include "toccata/hierarchy/shape.hpp"

namespace toccata {

struct ShapeData {
  TriangleMesh mesh;
  Vector3 center = Vector3::Zero();  // of the bounding box: the tree's origin
  double radius = 0.0;               // of the ball around it that holds every vertex, rounded up
  BoxTree tree;                      // for everything but what follows
  // What the other methods prepare, each its own type, on first use:
  LazySlot controlled;
  LazySlot boxes;       // of the interval and the screw method
  LazySlot open_edges;  // only solids and containment ask for it
  LazySlot parts;       // only solids: see shape_parts.hpp
};

// Corners of a piece relative to the shape's centre.
inline std::array<Vector3, 3> corners_of(const ShapeData& shape, std::int32_t piece) {
  const Face& f = shape.mesh.faces[static_cast<std::size_t>(piece)];
  return {shape.mesh.vertices[static_cast<std::size_t>(f[0])] - shape.center,
          shape.mesh.vertices[static_cast<std::size_t>(f[1])] - shape.center,
          shape.mesh.vertices[static_cast<std::size_t>(f[2])] - shape.center};
}

}  // namespace toccata
