#pragma once
// Thins a mesh out for display: one vertex is kept of each cell of a grid, triangles that fall together
// are dropped. Kept vertices are vertices of the input, so that the same choice serves every frame of a
// sequence. Not for queries: the result encloses nothing.
#include <cstdint>
#include <span>
#include <vector>

#include "toccata/geometry/triangle_mesh.hpp"

namespace toccata {

struct VertexClustering {
  std::vector<std::int32_t> kept;  // input indices, ascending
  std::vector<Face> faces;         // indices into `kept`
};

// At most `triangle_limit` triangles. `objects`: first vertex of each object, ascending; vertices of
// different objects are never merged.
VertexClustering cluster_vertices(std::span<const Vector3> positions, std::span<const Face> faces,
                                  std::size_t triangle_limit, std::span<const std::int64_t> objects = {});

}  // namespace toccata
