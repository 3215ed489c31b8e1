#pragma once
// How far a convex hull reaches beyond a solid: the farthest that a point of it is from the solid.
//
// By branch and bound over tetrahedra. The distance from a convex set is a convex function: over a
// tetrahedron it is largest at a corner. A triangle of the surface is such a set in the solid, and so is a
// ball inside it; the least of their largest distances from the corners bounds the distance from the solid.
#include "proximity/medial/solid_probe.hpp"
#include "toccata/geometry/convex_hull.hpp"

namespace toccata::parts {

struct Excess {
  double lower = 0.0;  // some point of the hull is as far as this from the solid
  double upper = 0.0;  // and none farther
};

struct ExcessLimits {
  double accuracy = 0.0;   // stop once upper - lower is within it,
  double relative = 0.0;   // or within this share of lower,
  double enough = 0.0;     // or upper is not above this,
  double too_far = 1e300;  // or lower is above this
  int most_knots = 30'000;
};

// precondition: the hull has corners; the probe is of the solid
Excess hull_excess(const ConvexHull& hull, const PlacedShape& solid, medial::SolidProbe& probe,
                   const ExcessLimits& limits);

// The same of a hull that the surface enters nowhere but at its sides, nearly: all of it but a rim is in the
// solid, and the rim is thin. Infinite where that shows nothing.
double rim_of(const ConvexHull& hull, const PlacedShape& solid, medial::SolidProbe& probe);

}  // namespace toccata::parts
