#pragma once
// The distance of two features at one time: the smallest norm over the convex hull of the differences
// (second minus first) of their vertices. At most four points.
#include <array>

#include "toccata/base/vector.hpp"
#include "toccata/impact/linear_motion.hpp"
#include "toccata/report/feature_pair.hpp"

namespace toccata::impact {

inline int point_count(FeaturePairKind pair) {
  if (pair == FeaturePairKind::VertexEdge) return 3;
  return pair == FeaturePairKind::VertexVertex ? 2 : 4;
}

inline int first_feature_size(FeaturePairKind pair) {
  return pair == FeaturePairKind::EdgeEdge ? 2 : 1;
}

struct DifferenceHull {
  int size = 0;
  std::array<Vector3, 4> points{Vector3::Zero(), Vector3::Zero(), Vector3::Zero(), Vector3::Zero()};
};

DifferenceHull difference_hull(FeaturePairKind pair, const std::array<Vector3, 4>& vertices);

struct HullPoint {
  // In the hull whatever the rounding, so its norm bounds the distance from above.
  Vector3 point = Vector3::Zero();
  double squared_norm = 0.0;
  // Of the hull's points.
  std::array<double, 4> weights{};
  // Orthogonal to the face or edge that `point` is on, to full relative precision even where `point` itself
  // has lost it by cancellation: separates as well as double can.
  Vector3 direction = Vector3::Zero();
};

HullPoint closest_to_origin(const DifferenceHull& hull);

// The weights of the features' vertices that belong to the weights of the hull's points.
std::array<double, 4> feature_weights(FeaturePairKind pair, const std::array<double, 4>& hull_weights);

// In magnitude, at both ends.
double largest_coordinate(const LinearMotion4& motion, int points);

// The power of two that brings the largest coordinate of all vertices at both ends just below one; 0 if all
// coordinates are zero.
int scale_exponent(const LinearMotion4& motion, int points);
// v * 2^-exponent
Vector3 scaled(const Vector3& v, int exponent);

}  // namespace toccata::impact
