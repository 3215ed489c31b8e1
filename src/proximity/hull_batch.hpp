#pragma once
// Distances of pairs of hulls, several at a time: from the poses to the points in the world one pair in each
// lane, with the bits that the question about that pair alone gives.
#include <array>
#include <cstddef>

#include "hierarchy/shape_data.hpp"
#include "toccata/proximity/distance.hpp"

namespace toccata::proximity {

// As a pair goes into its lane.
struct HullPairs {
  static constexpr std::size_t most = 16;
  const double *pose_a[most], *pose_b[most];  // the rotation column by column, then the translation
  const double *ball_a[most], *ball_b[most];  // that holds the shape: its radius, then its middle
  const HullIndex *a[most], *b[most];
  double reach_a[most], reach_b[most];    // of the cores
  double radius_a[most], radius_b[most];  // around them
  double* contact[most];                  // the points on a and b, the normal and the upper distance
};

// As it comes out, beside the contact.
struct HullAnswers {
  static constexpr std::size_t most = HullPairs::most;
  double is_closed[most], lower[most], upper[most];
  std::int32_t vertex_a[most][3], vertex_b[most][3], count[most];
};

// Collects pairs of hulls until there are enough of them for all lanes. They must stay where they are
// until then.
class HullBatch {
 public:
  // `results` by the number of the pair, as new; the numbers of those left open, whose contacts do not hold,
  // go to `open`, which has room for all.
  HullBatch(DistanceResult* results, std::size_t* open) : results_(results), open_(open) {}

  // False, and nothing is done, for other shapes.
  bool add(const PlacedShape& a, const PlacedShape& b, std::size_t number);
  // Answers what was collected since. Returns how many are open.
  std::size_t finish();

 private:
  void answer();

  DistanceResult* results_;
  std::size_t* open_;
  std::size_t open_count_ = 0;
  std::size_t count_ = 0;
  std::array<std::size_t, HullPairs::most> number_;
  HullPairs pairs_;
  std::array<double, 10> unused_;  // contact of lanes without a pair
};

}  // namespace toccata::proximity
