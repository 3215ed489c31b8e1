#pragma once
// The work that a query did. For the eye and for comparisons: answers never depend on it.
#include <cstdint>

namespace toccata {

struct QueryStats {
  std::int64_t node_pairs = 0;   // pairs of bounding volumes tested
  std::int64_t piece_pairs = 0;  // pairs of convex pieces (of a mesh: triangles) tested
  std::int64_t steps = 0;        // advancements in time (of pairs or of the whole, as the method does)
  // Pairs of features (corner and triangle, edge and edge): of a deforming scene those tested, of the screw
  // method those that came up, and how many the annulus, height and angle tests rejected before the equation.
  std::int64_t feature_pairs = 0;
  std::int64_t rejected_feature_pairs = 0;

  QueryStats& operator+=(const QueryStats& more) {
    node_pairs += more.node_pairs;
    piece_pairs += more.piece_pairs;
    steps += more.steps;
    feature_pairs += more.feature_pairs;
    rejected_feature_pairs += more.rejected_feature_pairs;
    return *this;
  }
};

}  // namespace toccata
