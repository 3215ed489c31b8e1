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
  // To the points on a and b, the normal and the upper distance; of distances, which are before them in their
  // results, first the upper and the lower one.
  double* answer[lanes];
};

inline double* place_of(DistanceResult& result) {
  return &result.distance;
}
inline double* place_of(PenetrationResult& result) {
  return result.contact.point_a.data();
}

// The closed form that both sides have; None of all other pairs.
inline ClosedForm form_of(const PlacedShape& a, const PlacedShape& b) {
  const ClosedForm form = a.shape.data().closed.form;
  return form == b.shape.data().closed.form ? form : ClosedForm::None;
}

template <std::size_t lanes>
inline void write_pair(const PlacedShape& a, const PlacedShape& b, double* answer, std::size_t lane,
                       ClosedPairs<lanes>& pairs) {
  pairs.pose_a[lane] = a.pose.rotation.data();
  pairs.pose_b[lane] = b.pose.rotation.data();
  pairs.core_a[lane] = &a.shape.data().closed.radius;
  pairs.core_b[lane] = &b.shape.data().closed.radius;
  pairs.answer[lane] = answer;
}

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
  static constexpr std::size_t most_lanes = 16;

  // `results` by the number of the pair, as new; the numbers of those left open, whose contacts do not hold,
  // go to `open`, which has room for all. `limit`: of distances.
  ClosedBatch(double limit, Result* results, std::size_t* open);

  // False, and nothing is done, for kinds without a closed form.
  bool add(const PlacedShape& a, const PlacedShape& b, std::size_t number) {
    const ClosedForm form = form_of(a, b);
    if (form == ClosedForm::None) return false;
    Block& block = form == ClosedForm::Boxes ? boxes_ : segments_;
    write_pair(a, b, place_of(results_[number]), block.count, block.pairs);
    block.number[block.count++] = number;
    if (block.count == most_lanes) answer(form, block);
    return true;
  }
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
