#pragma once
// The lists of a mesh wherever they lie: in a TriangleMesh, or in a file that is mapped.
#include <span>

#include "toccata/geometry/triangle_mesh.hpp"

namespace toccata {

struct MeshView {
  std::span<const Vector3> vertices;
  std::span<const Face> faces;

  MeshView() = default;
  MeshView(std::span<const Vector3> points, std::span<const Face> triangles)
      : vertices(points), faces(triangles) {}
  MeshView(const TriangleMesh& mesh) : vertices(mesh.vertices), faces(mesh.faces) {}  // implicit: it is one
};

// Every coordinate is finite, and every index names a vertex: seen at a glance, as it is of nearly all
// meshes. What is wrong with another one is told by validate.
bool is_sound(const MeshView& mesh);

}  // namespace toccata
