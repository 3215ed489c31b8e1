#pragma once
// Pairs of kinds whose distance and depth have closed forms, several at a time: boxes, rounded or not, with
// boxes, and balls and capsules with each other. Everything from the poses to the points in the world is done
// in lanes, and one pair alone gets the same bits.
#include <cstddef>

#include "hierarchy/shape_data.hpp"
#include "toccata/proximity/distance.hpp"
#include "toccata/proximity/penetration.hpp"

namespace toccata::proximity {

// One pair per lane: where its numbers are, and where those of its contact go.
template <std::size_t lanes>
struct ClosedPairs {
  const double* pose_a[lanes];  // the rotation column by column, then the translation
  const double* pose_b[lanes];
  // Of each side its radius; then the half sides of a box, or the two ends of a segment along z.
  const double* core_a[lanes];
  const double* core_b[lanes];
  double* contact[lanes];  // the points on a and b, the normal and the upper distance
};

// The answer that `distance` gives for the pair, unless its closed form leaves it open: kinds without one,
// pairs that hardly meet, or nearly, and rare poses. `result` as new; its contact does not hold then.
bool closed_distance(const PlacedShape& a, const PlacedShape& b, double limit, DistanceResult& result);
// The answer that `penetration` gives; open are pairs that do not meet, or hardly.
bool closed_penetration(const PlacedShape& a, const PlacedShape& b, PenetrationResult& result);

// Collects pairs until there are enough of them for all lanes. They must stay where they are until then.
// Result: DistanceResult or PenetrationResult.
template <typename Result>
class ClosedBatch {
 public:
  static constexpr std::size_t most_lanes = 8;

  // `results` by the number of the pair, as new; the numbers of those left open, whose contacts do not hold,
  // go to `open`, which has room for all. `limit`: of distances.
  ClosedBatch(double limit, Result* results, std::size_t* open);

  // False, and nothing is done, for kinds without a closed form.
  bool add(const PlacedShape& a, const PlacedShape& b, std::size_t number);
  // Answers what was collected since. Returns how many are open.
  std::size_t finish();

 private:
  struct Block {
    std::size_t count = 0;
    std::size_t number[most_lanes];
    ClosedPairs<most_lanes> pairs;
  };
  void answer(ClosedForm form, Block& block);
  void answer_open(ClosedForm form, Block& block, const std::size_t* left, std::size_t left_count);

  double limit_;
  Result* results_;
  std::size_t* open_;
  std::size_t open_count_ = 0;
  Block boxes_, segments_;
};

}  // namespace toccata::proximity
