#pragma once
// Three corners. Triangles may be degenerate everywhere in this stage: a segment or a point, taken as the
// convex hull of the corners.
#include <array>

#include "toccata/base/pose.hpp"
#include "toccata/geometry/triangle_mesh.hpp"

namespace toccata {

using Triangle = std::array<Vector3, 3>;

inline Triangle triangle_of(const TriangleMesh& mesh, std::size_t face) {
  const Face& f = mesh.faces[face];
  return {mesh.vertices[f[0]], mesh.vertices[f[1]], mesh.vertices[f[2]]};
}

inline Triangle transformed(const Pose& pose, const Triangle& triangle) {
  return {pose.apply(triangle[0]), pose.apply(triangle[1]), pose.apply(triangle[2])};
}

}  // namespace toccata
