#pragma once
// Slow answers about convex sets in long double, with their own certificate: a distance comes with the gap
// between a point of the difference and a plane that keeps the difference off the origin.
#include <vector>

#include "elementary/convex_set.hpp"

namespace toccata::oracle {

using LongVector = Eigen::Matrix<long double, 3, 1>;

struct ConvexTruth {
  long double lower = 0.0L;  // of the distance of the sets, radii included, not below 0
  long double upper = 0.0L;
};

// Corners of polytopes are those that Pose::apply rounds to b's coordinates; curved cores are moved in long
// double. Sets must not be placed. The bracket is narrow (1e-17 of the lengths) for polytopes; curved cores
// take as many iterations as it needs to 1e-13 of them.
ConvexTruth convex_distance_truth(const ConvexSet& a, const Pose& a_to_b, const ConvexSet& b);

// Depth of two polytopes of at least four points in space each (radii included), 0 if they are apart: the
// least overlap along all face normals and products of edges.
long double polytope_depth_truth(const ConvexSet& a, const Pose& a_to_b, const ConvexSet& b);

// How far apart (positive) or overlapping the sets are along a direction of any length: never more than the
// distance.
long double gap_along(const ConvexSet& a, const Pose& a_to_b, const ConvexSet& b, const Vector3& direction);

}  // namespace toccata::oracle
