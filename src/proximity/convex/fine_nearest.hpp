#pragma once
// The last stage for pairs with a curved core: the walk of GJK in pairs of doubles, whose roundings are 2^-47
// of those of plain ones.
#include "proximity/convex/convex_distance.hpp"
#include "proximity/convex/simplex.hpp"

namespace toccata::convex {

struct FineNearest {
  bool meets = false;  // proven
  // Bracket of the distance of the cores, a curved one taken at the real R x + T, a polytope as its corners
  // are rounded; lower is below zero if it is not proven that they are apart. (0, 0) where they meet.
  double lower = 0.0;
  double upper = 0.0;
  Vector3 direction = Vector3::Zero();  // along which `lower` holds, from b to a, unit
  Simplex simplex;                      // corners and weights of the nearest point
  int iterations = 0;
};

// Stops once the bracket is narrower than `width` with lower > 0, once limits (of the cores) are met, or
// where even pairs see no difference. `hint`: a direction from b to a. Cost: some tens of microseconds.
FineNearest fine_nearest(const Difference& difference, const Vector3& hint, double width,
                         const ConvexLimits& limits);

}  // namespace toccata::convex
