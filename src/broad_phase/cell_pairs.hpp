#pragma once
// Overlapping pairs by cells of a grid, for boxes of like sizes that are spread evenly; rows take the others.
#include <bit>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "broad_phase/spread.hpp"
#include "toccata/broad_phase/overlapping_pairs.hpp"

namespace toccata::broad_phase {

// In single precision, rounded outwards. Two overlap if each of `low` and `negative_high` of one is at most
// `high` and `negative_low` of the other: one comparison of eight lanes.
struct alignas(32) CellBox {
  float lanes[8];  // three of `low`, the bits of the id, three of `negative_high`, the bits of the row

  const float* low() const { return lanes; }
  const float* negative_high() const { return lanes + 4; }
  std::int32_t id() const { return std::bit_cast<std::int32_t>(lanes[3]); }
  std::uint32_t row() const {
    return std::bit_cast<std::uint32_t>(lanes[7]);
  }  // two halves: along y, along z
  void name(std::int32_t id, std::uint32_t row) {
    lanes[3] = std::bit_cast<float>(id);
    lanes[7] = std::bit_cast<float>(row);
  }
};

// Cells along x lie side by side, then rows along z, then along y.
struct Cells {
  float origin[4] = {};
  float per_length[4] = {};
  float last[4] = {};   // count - 1
  float large[4] = {};  // what is longer than this along any axis is not entered
  std::uint32_t count[3] = {1, 1, 1};

  std::size_t size() const { return std::size_t{count[0]} * count[1] * count[2]; }
};

struct CellMemory;

// Keeps its memory from call to call, nothing else.
class CellPairs {
 public:
  CellPairs();
  ~CellPairs();
  CellPairs(CellPairs&&) noexcept;
  CellPairs& operator=(CellPairs&&) noexcept;

  // Appends each pair once, in no particular order. ids: which boxes to look at, increasing; none is empty.
  // False, and nothing is appended: sizes or places are too uneven.
  bool find(std::span<const Aabb> boxes, std::span<const std::int32_t> ids, const Spread& spread, int threads,
            std::vector<IndexPair>& pairs);

 private:
  std::unique_ptr<CellMemory> memory_;
};

}  // namespace toccata::broad_phase
