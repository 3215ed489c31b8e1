#pragma once
// Shapes that are one convex set each: their distance from the bracket of the sets, without the detour of
// pieces, and several pairs at a time where the sets are hulls.
#include <array>
#include <cstddef>

#include "hierarchy/shape_data.hpp"
#include "proximity/convex/walks_in_lanes.hpp"
#include "toccata/proximity/distance.hpp"

namespace toccata::proximity {

// From the bracket of sets that do not touch. The result as new.
void tell_sets_apart(const PlacedShape& a, const PlacedShape& b, const convex::ConvexDistance& bracket,
                     double limit, DistanceResult& result);

// Collects pairs of hulls until there are enough of them for all lanes. They must stay where they are
// until then.
class HullBatch {
 public:
  // `results` by the number of the pair, as new; the numbers of those left open go to `open`, which has room
  // for all.
  HullBatch(DistanceResult* results, std::size_t* open) : results_(results), open_(open) {}

  // False, and nothing is done, for other shapes.
  bool add(const PlacedShape& a, const PlacedShape& b, std::size_t number);
  // Answers what was collected since. Returns how many are open.
  std::size_t finish();

 private:
  static constexpr std::size_t most = convex::WalksInLanes::most;

  void answer();

  DistanceResult* results_;
  std::size_t* open_;
  std::size_t open_count_ = 0;
  std::size_t count_ = 0;
  std::array<const PlacedShape*, most> a_, b_;
  std::array<std::size_t, most> number_;
};

}  // namespace toccata::proximity
