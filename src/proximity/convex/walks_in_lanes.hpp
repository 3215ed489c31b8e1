#pragma once
// The walk of gjk.hpp for several pairs of small hulls at once: each lane a pair of its own, with the bits
// that the walk of that pair alone gives.
#include <cstddef>

#include "elementary/hull_index.hpp"
#include "proximity/convex/convex_distance.hpp"
#include "proximity/convex/difference.hpp"

namespace toccata::convex {

// Whether the walk of the pair can go in a lane: hulls whose index finds the farthest corner without a proof.
bool can_walk_in_lane(const ConvexSet& a, const ConvexSet& b);

// One pair per lane, as it goes in.
struct WalkPairs {
  static constexpr std::size_t most = 8;
  const Difference* difference[most];
  const HullIndex *a[most], *b[most];
  double columns[9][most];
  double shift[3][most];
  double height_error[most], point_error[most], floor[most];
};

// As it comes out.
struct WalkEnds {
  static constexpr std::size_t most = WalkPairs::most;
  double is_open[most];
  double lower[most], upper[most];
  double direction[3][most], length[most];  // along which `lower` was found
  double foot[3][most];
  double count[most];
  double vertices[3][most];  // of both sides in one number
  double weight[3][most];
};

class WalksInLanes {
 public:
  static constexpr std::size_t most = WalkPairs::most;

  // precondition: can_walk_in_lane; at most `most`, which stay where they are
  void add(const Difference& difference);
  void run();
  // What gjk_distance finds of the pair, without a memory and without limits, where that is its distance
  // beyond doubt. False for hulls that meet or nearly so, and for walks that rounding ends.
  bool read(std::size_t number, ConvexDistance& core) const;

 private:
  std::size_t count_ = 0;
  WalkPairs pairs_;
  WalkEnds ends_;
};

}  // namespace toccata::convex
