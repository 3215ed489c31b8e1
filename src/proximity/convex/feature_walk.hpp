#pragma once
// The nearest features of two polytopes by walking over their surfaces (Lin and Canny 1991; Mirtich's V-Clip
// 1998; SWIFT, Ehmann and Lin 2000). Two features and the nearest points of them; where one point is beyond a
// plane of the other feature's Voronoi region, the neighbour beyond the most violated plane takes its place.
// Every move is strictly nearer, so that nothing can cycle; where rounding, an overlap or the limit of steps
// ends the walk early, its end is a worse hint and nothing else: one evaluation proves it, or GJK goes on
// from there.
#include "proximity/convex/convex_distance.hpp"
#include "proximity/convex/hull_features.hpp"

namespace toccata::convex {

struct FeatureWalk {
  ConvexFeatures features;  // that carry the nearest points, to start the evaluation from
  std::int32_t steps = 0;
  // Whether the features are in each other's regions, as far as plain arithmetic sees. False: the polytopes
  // seem to overlap (a point came below a face: the region inside is nobody's), or the walk was cut short.
  bool is_nearest = false;
};

// The limit of steps of a walk.
inline constexpr std::int32_t most_walk_steps = 256;

// In the coordinates of the cores. Starts from the remembered features; without any, or if they turn out to
// be far off, from the vertices that the tables of directions name. Both must have features.
FeatureWalk walk_features(const ConvexSet& a, const HullFeatures& of_a, const Pose& a_to_b,
                          const ConvexSet& b, const HullFeatures& of_b, const ConvexMemory* memory);

// The answer of convex_distance, found by a walk and proven where it ends, with the same bounds; where the
// bracket does not close there, and for overlaps, convex_distance is started from there. Without features of
// both: that answer. `iterations` counts the steps of the walk, too.
ConvexDistance distance_by_walk(const ConvexSet& a, const HullFeatures& of_a, const Pose& a_to_b,
                                const ConvexSet& b, const HullFeatures& of_b, ConvexMemory* memory = nullptr,
                                const ConvexLimits& limits = {});

}  // namespace toccata::convex
