#pragma once
// One object of a deforming scene: what is joined to what. Where its vertices are is said step by step.
#include <cstdint>
#include <utility>
#include <vector>

#include "toccata/geometry/triangle_mesh.hpp"

namespace toccata {

// Faces, wires and points over the object's own vertices. A vertex in no face and no edge is a free point.
struct DeformableObject {
  std::int32_t vertex_count = 0;
  std::vector<Face> faces = {};
  std::vector<Edge> wires = {};  // edges besides those of the faces

  DeformableObject() = default;
  DeformableObject(std::int32_t vertices, std::vector<Face> triangles, std::vector<Edge> loose_edges = {})
      : vertex_count(vertices), faces(std::move(triangles)), wires(std::move(loose_edges)) {}
  // The connectivity of a mesh; its positions play no part.
  DeformableObject(const TriangleMesh& mesh)
      : vertex_count(static_cast<std::int32_t>(mesh.vertices.size())), faces(mesh.faces) {}
};

}  // namespace toccata
