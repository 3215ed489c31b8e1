#pragma once
// The connected parts of a shape (of its meshes, and each convex set), each by a few of its points: what
// tells cheaply that a part cannot be inside another body.
#include <array>
#include <vector>

#include "hierarchy/shape_data.hpp"

namespace toccata {

struct ShapeParts {
  // Of each part that has triangles: the vertices with the smallest and the largest x, y and z; of a convex
  // set its points there.
  std::vector<std::array<Vector3, 6>> extremes;
  // The bounding box of all of them, body coordinates.
  Vector3 lower = Vector3::Zero();
  Vector3 upper = Vector3::Zero();
};

// Found on first use, once for all copies of the shape.
const ShapeParts& parts_of(const ShapeData& shape);

}  // namespace toccata
