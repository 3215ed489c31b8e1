#pragma once
// Points of a surface, about as far apart as asked for.
#include <cstdint>
#include <vector>

#include "toccata/geometry/triangle_mesh.hpp"

namespace toccata::medial {

struct SurfaceSample {
  Vector3 point;
  std::int32_t triangle;
};

// One per cell of a grid of this spacing that the surface's own points fall in: corners, and points of larger
// triangles in rows. Coarser where there would be more than `most`.
std::vector<SurfaceSample> surface_samples(const TriangleMesh& mesh, double spacing, std::size_t most);

}  // namespace toccata::medial
