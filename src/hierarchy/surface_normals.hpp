#pragma once
// Normals of the faces, edges and vertices of a mesh that tell its sides apart near them (Baerentzen and
// Aanaes): of an edge the sum of its faces' unit normals, of a vertex their sum weighted by the angles there.
#include <array>
#include <cstdint>
#include <vector>

#include "hierarchy/shape_data.hpp"
#include "toccata/report/feature.hpp"

namespace toccata {

struct SurfaceNormals {
  // Not of unit length. Vertices at the same place are one.
  std::vector<Vector3> of_vertex;
  std::vector<std::array<Vector3, 3>> of_edge;  // of each face: edge k joins its corners k and k + 1
};

// Found on first use, once for all copies of the shape.
const SurfaceNormals& normals_of(const ShapeData& shape);

// Of unit length, body coordinates; zero where all faces around are degenerate. feature.part: the triangle.
Vector3 normal_at(const ShapeData& shape, const Feature& feature);

}  // namespace toccata
