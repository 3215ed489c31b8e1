#pragma once
// Overlapping pairs by rows of a grid.
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "toccata/broad_phase/overlapping_pairs.hpp"

namespace toccata::broad_phase {

struct RowMemory;

// Keeps its memory from call to call, nothing else.
class RowPairs {
 public:
  RowPairs();
  ~RowPairs();
  RowPairs(RowPairs&&) noexcept;
  RowPairs& operator=(RowPairs&&) noexcept;

  // Appends each pair once, in no particular order. ids: which boxes to look at, increasing; none is empty.
  void find(std::span<const Aabb> boxes, std::span<const std::int32_t> ids, int threads,
            std::vector<IndexPair>& pairs);

 private:
  std::unique_ptr<RowMemory> memory_;
};

}  // namespace toccata::broad_phase
