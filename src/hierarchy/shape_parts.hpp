#pragma once
// The connected parts of a mesh, each by a few of its vertices: what tells cheaply that a part cannot be
// inside another body.
#include <array>
#include <vector>

#include "hierarchy/shape_data.hpp"

namespace toccata {

struct ShapeParts {
  // Of each part that has triangles: the vertices with the smallest and the largest x, y and z.
  std::vector<std::array<Vector3, 6>> extremes;
  // The bounding box of all triangles, body coordinates.
  Vector3 lower = Vector3::Zero();
  Vector3 upper = Vector3::Zero();
};

// Found on first use, once for all copies of the shape.
const ShapeParts& parts_of(const ShapeData& shape);

}  // namespace toccata
