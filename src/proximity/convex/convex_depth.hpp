#pragma once
// How deep two convex sets are in each other, as a proven bracket.
#include "proximity/convex/convex_distance.hpp"

namespace toccata::convex {

// The depth is the length of the shortest translation after which the sets have no inner point in common.
struct ConvexDepth {
  // The sets share a point: the very answer of convex_distance. False: the depth is 0, or (curved sets that
  // cannot be told apart from touching ones) at most upper_depth, which is below rounding then.
  bool meets = false;
  double lower_depth = 0.0;  // proven: lower_depth <= depth <= upper_depth
  double upper_depth = 0.0;
  Vector3 normal = Vector3::Zero();   // unit, from a to b: b moved along it by upper_depth parts them
  Vector3 point_a = Vector3::Zero();  // the deepest points, b's coordinates: point_a - point_b is depth times
  Vector3 point_b = Vector3::Zero();  // normal, to rounding and as far as the bracket is narrow
  std::int32_t iterations = 0;
  ConvexDistance distance;  // of the same sets; where limits.enough says so, only that they are farther apart
};

// Ends for every finite input and never fails. Polytopes: the bracket closes to rounding. Curved cores: as
// far as 255 corners of the inner polytope get; limits allow less: errors, and `enough`.
ConvexDepth convex_depth(const ConvexSet& a, const Pose& a_to_b, const ConvexSet& b,
                         ConvexMemory* memory = nullptr, const ConvexLimits& limits = {});

}  // namespace toccata::convex
