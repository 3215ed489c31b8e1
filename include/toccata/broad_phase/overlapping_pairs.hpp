#pragma once
// Which of many boxes overlap: the first look at many bodies.
//
//   const std::vector<Aabb> boxes = {{{0, 0, 0}, {1, 1, 1}}, {{1, 0, 0}, {2, 1, 1}}};
//   const std::vector<IndexPair> pairs = overlapping_pairs(boxes);  // sorted, each once, first < second
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "toccata/bound/aabb.hpp"

namespace toccata {

struct IndexPair {
  std::int32_t first = 0;
  std::int32_t second = 0;

  friend bool operator==(const IndexPair&, const IndexPair&) = default;
  friend auto operator<=>(const IndexPair&, const IndexPair&) = default;
};

// All give the same list.
enum class PairMethod : std::uint8_t {
  Rows,   // the default: rows of a grid, one grid per scale of sizes, swept along the third axis
  Sweep,  // sweep and prune: endpoints sorted along one axis (I-COLLIDE's, from scratch)
  Tree,   // a wide tree of boxes against itself
};

constexpr std::string_view to_string(PairMethod method) {
  constexpr std::string_view names[] = {"rows", "sweep", "tree"};
  return names[static_cast<int>(method)];
}

struct OverlappingPairsOptions {
  PairMethod method = PairMethod::Rows;
  int threads = 1;  // 0 = all cores
};

// The pairs of boxes that share a point, exactly, touching ones included: by increasing first, then second.
// The same list whatever the method and the number of threads. A box with lower > upper, or with a NaN, is
// empty and overlaps nothing; infinite sides are all right. At most 2^31 - 1 boxes.
std::vector<IndexPair> overlapping_pairs(std::span<const Aabb> boxes,
                                         const OverlappingPairsOptions& options = {});

}  // namespace toccata
