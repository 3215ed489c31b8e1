#pragma once
// Closed form for cores of one or two points: balls and capsules in all combinations.
#include "proximity/convex/convex_distance.hpp"
#include "proximity/convex/difference.hpp"

namespace toccata::convex {

inline bool is_segment_pair(const ConvexSet& a, const ConvexSet& b) {
  return a.core == Core::Points && b.core == Core::Points && a.points.size() <= 2 && b.points.size() <= 2;
}

// The answer for the cores, as gjk_distance gives it. False where the closed form does not close the bracket:
// cores that meet, or nearly.
bool segment_pair_distance(const Difference& difference, ConvexDistance& core);

}  // namespace toccata::convex
