#pragma once
// The surface of any shape as triangles, with how far they are from it.
#include "toccata/base/expected.hpp"
#include "toccata/proximity/placed_shape.hpp"

namespace toccata::depth {

struct SurfaceCover {
  PlacedShape mesh;
  // Proven: every point of the surface is within this of a triangle, and every triangle within it of the
  // surface. 0 of meshes, height fields, boxes and hulls.
  double error = 0.0;
};

// Of a half space the part of its plane that lies in the ball around `near`. Error: a compound, or a shape
// without a volume.
//
// Round kinds are covered by the hull P of points of theirs. The surfaces of two convex sets, one in the
// other, are no farther apart than their heights h along any direction n differ. Directions D with every n
// within an angle a of one of them have h_D(n) >= cos a. So:
//   a core and all points within r of it    h = h_core + r, P = core + r D: r (1 - cos a)
//   an ellipsoid, the image M of a ball     h = |M n|, P = M D: the largest radius times 1 - cos a
//   cylinders and cones                     a regular polygon in their discs
Expected<SurfaceCover> surface_cover(const PlacedShape& shape, const PlacedShape& near);

}  // namespace toccata::depth
