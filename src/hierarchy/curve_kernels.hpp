#pragma once
// Where triangles are on a space-filling curve, in SIMD lanes, the same bits in any number of them.
#include <cstddef>
#include <cstdint>

#include "toccata/geometry/triangle_mesh.hpp"

namespace toccata::hierarchy {

// Cells of the curve, 1,024 a side around a centre.
struct CurveCells {
  Vector3 center;
  double half_rate;  // half the cells per length

  // Morton codes of the middles of the bounding boxes of so many triangles of the mesh, from `first` on.
  void codes_of(const TriangleMesh& mesh, std::size_t first, std::size_t count, std::uint32_t* codes) const;
};

}  // namespace toccata::hierarchy
