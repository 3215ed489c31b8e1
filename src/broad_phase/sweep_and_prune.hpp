#pragma once
// I-COLLIDE's sweep and prune: the ends of all boxes in a sorted list per axis. What moves little keeps the
// lists nearly sorted, so that insertion sorts them in about linear time, and every exchange of a lower with
// an upper end is a pair that may have begun or ceased to overlap.
#include <cstdint>
#include <span>
#include <unordered_set>
#include <vector>

#include "toccata/broad_phase/overlapping_pairs.hpp"

namespace toccata::broad_phase {

class SweepAndPrune {
 public:
  // The boxes by id; empty ones are not there. Returns all pairs, in no particular order.
  std::vector<IndexPair> step(std::span<const Aabb> boxes);

 private:
  struct End {
    double value;
    std::int32_t id;
    bool is_upper;

    // At one place lower ends come first: boxes that touch overlap.
    bool operator<(const End& other) const {
      return value != other.value ? value < other.value : (!is_upper && other.is_upper);
    }
  };

  void start_again(std::span<const Aabb> boxes);
  void sort_axis(int axis, std::span<const Aabb> boxes);

  std::vector<End> ends_[3];
  std::vector<bool> is_there_;
  std::unordered_set<std::uint64_t> pairs_;
};

}  // namespace toccata::broad_phase
