#pragma once
// The distance of two features at one time: the smallest norm over the convex hull of the differences
// (second minus first) of their vertices. At most four points.
#include <array>

#include "impact/exact_impact.hpp"
#include "toccata/base/vector.hpp"

namespace toccata {

inline int point_count(exact::FeaturePair pair) {
  if (pair == exact::FeaturePair::VertexEdge) return 3;
  return pair == exact::FeaturePair::VertexVertex ? 2 : 4;
}

inline int first_feature_size(exact::FeaturePair pair) {
  return pair == exact::FeaturePair::EdgeEdge ? 2 : 1;
}

struct DifferenceHull {
  int size = 0;
  std::array<Vector3, 4> points{Vector3::Zero(), Vector3::Zero(), Vector3::Zero(), Vector3::Zero()};
};

DifferenceHull difference_hull(exact::FeaturePair pair, const std::array<Vector3, 4>& vertices);

struct HullPoint {
  Vector3 point = Vector3::Zero();  // in the hull whatever the rounding, so its norm bounds the distance
  double squared_norm = 0.0;
  std::array<double, 4> weights{};  // of the hull's points
  // Orthogonal to the face or edge that `point` is on, to full relative precision even where `point` itself
  // has lost it by cancellation: separates as well as double can.
  Vector3 direction = Vector3::Zero();
};

HullPoint closest_to_origin(const DifferenceHull& hull);

// The weights of the features' vertices that belong to the weights of the hull's points.
std::array<double, 4> feature_weights(exact::FeaturePair pair, const std::array<double, 4>& hull_weights);

double largest_coordinate(const LinearMotion4& motion, int points);  // in magnitude, at both ends

// The power of two that brings the largest coordinate of all vertices at both ends just below one; 0 if all
// coordinates are zero.
int scale_exponent(const LinearMotion4& motion, int points);
Vector3 scaled(const Vector3& v, int exponent);  // v * 2^-exponent

}  // namespace toccata
