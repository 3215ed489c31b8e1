#pragma once
// Where a surface ends: triangles with an edge that an odd number of triangles share.
#include <cstdint>
#include <vector>

#include "toccata/geometry/triangle_mesh.hpp"

namespace toccata::field {

// One of each triangle: 1 if it has such an edge. Vertices at the same place count as one.
std::vector<std::uint8_t> odd_edges(const TriangleMesh& mesh);

}  // namespace toccata::field
