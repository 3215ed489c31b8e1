#pragma once
// The depth of the origin inside the Minkowski difference of two cores (van den Bergen's expanding polytope
// algorithm, 2001) as a bracket: every face of a closed surface about the origin whose corners are points of
// the difference bounds the depth from below, every height of the difference from above.
#include "proximity/convex/convex_distance.hpp"
#include "proximity/convex/simplex.hpp"

namespace toccata::convex {

struct CoreDepth {
  double lower = 0.0;
  double upper = 0.0;
  Vector3 normal = Vector3::UnitZ();  // of upper: unit, outward
  Vector3 of_a = Vector3::Zero();  // the two points whose difference is nearest to the origin on the surface
  Vector3 of_b = Vector3::Zero();
  int iterations = 0;
  ConvexFeatures features;  // the corners of the surface that carry them
};

// The points and features of the depth, from the part of the surface that is nearest to the origin.
inline void set_nearest(const Simplex& part, CoreDepth& depth) {
  depth.features.count = part.count;
  for (int i = 0; i < part.count; ++i) {
    const DifferencePoint& corner = part.corner[i];
    depth.of_a += part.weight[i] * corner.of_a;
    depth.of_b += part.weight[i] * corner.of_b;
    depth.features.vertex_a[i] = corner.vertex_a;
    depth.features.vertex_b[i] = corner.vertex_b;
  }
}

// `start`: corners and weights that make up the origin, to rounding.
CoreDepth core_depth(const Difference& difference, const Simplex& start, double wanted, double wanted_share);

// Without a walk to start from, for two hulls of few corners: a surface is spread about the line of their
// middles, and the lowest of its faces leads on, until the origin is inside beyond doubt and the bracket
// closes, or outside of a plane.
struct SureDepth {
  enum class Kind {
    Unsure,  // other kinds, and what is near to touching: for those who walk
    Apart,   // by more than was said to be enough, and beyond rounding
    Deep     // beyond rounding
  };
  Kind kind = Kind::Unsure;
  double gap = 0.0;                     // Apart: at least
  Vector3 direction = Vector3::Zero();  // Apart: unit, from a to b; along it
  CoreDepth depth;                      // Deep
};
SureDepth sure_depth(const Difference& difference, double enough, double wanted, double wanted_share);

}  // namespace toccata::convex
