#pragma once
// Two boxes, rounded or not, by closed forms: distance by faces, clamping and edges; depth by separating
// axes.
#include <optional>

#include "proximity/convex/core_distance.hpp"
#include "proximity/convex/expanding_polytope.hpp"

namespace toccata::convex {

inline bool is_box_pair(const ConvexSet& a, const ConvexSet& b) {
  return a.core == Core::Box && b.core == Core::Box;
}

// None where the closed form does not close the bracket: boxes that meet, or nearly, and rare poses.
std::optional<CoreDistance> box_pair_distance(const Difference& difference);

// Along the fifteen axes: the faces of the difference of two boxes have no other normals, so that the least
// overlap is the depth. None unless it is positive beyond rounding along all of them.
std::optional<CoreDepth> box_pair_depth(const Difference& difference);

}  // namespace toccata::convex
