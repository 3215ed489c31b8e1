#pragma once
// Any geometry as triangles, for the eye.
#include "toccata/geometry/geometry.hpp"

namespace toccata {

// Outward triangles. Corners and flat sides are as they are; round ones are off by less than a hundredth of
// the size of the part. A half space is a square of its plane, `half_space_side` long, about the point
// nearest to the origin. A height field has its walls and its floor: the mesh is closed.
TriangleMesh display_mesh(const Geometry& geometry, double half_space_side = 20.0);

}  // namespace toccata
