#pragma once
// Two boxes, rounded or not, by closed forms: distance by faces, clamping and edges; depth by separating
// axes.
#include "proximity/convex/convex_distance.hpp"
#include "proximity/convex/expanding_polytope.hpp"

namespace toccata::convex {

inline bool is_box_pair(const ConvexSet& a, const ConvexSet& b) {
  return a.core == Core::Box && b.core == Core::Box;
}

// The answer for the cores, as gjk_distance gives it. False where the closed form does not close the bracket:
// boxes that meet, or nearly, and rare poses.
bool box_pair_distance(const Difference& difference, ConvexDistance& core);

// Along the fifteen axes: the faces of the difference of two boxes have no other normals, so that the least
// overlap is the depth. False unless it is positive beyond rounding along all of them.
bool box_pair_depth(const Difference& difference, CoreDepth& depth);

}  // namespace toccata::convex
