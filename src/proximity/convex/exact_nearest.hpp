#pragma once
// The last stage for polytopes: the nearest points of two hulls of points, decided without rounding.
#include "proximity/convex/simplex.hpp"

namespace toccata::convex {

struct ExactNearest {
  bool meets = false;  // the hulls share a point
  // Bracket of the distance of the hulls of the corners as Difference::of_corners rounds them; (0, 0) exactly
  // where they share a point.
  double lower = 0.0;
  double upper = 0.0;
  Vector3 nearest = Vector3::Zero();    // of the difference; right to rounding
  Vector3 direction = Vector3::Zero();  // the same at unit length; zero where they meet
  Simplex simplex;                      // its corners and weights
};

// Starts from the corners of `start` (at least one). Both cores must be polytopes. The walk is that of GJK in
// integers: every step is strictly nearer, so that it ends. Cost: some tens of microseconds.
ExactNearest exact_nearest(const Difference& difference, const Simplex& start);

}  // namespace toccata::convex
