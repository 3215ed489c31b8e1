// The few are entered into the cells of a grid along the two axes on which they are spread the most, and all
// boxes walk past it. Which cells a box reaches into is a monotonic function of its corners: of a pair that
// shares cells, the one where the later of the two starts along both axes is a cell of both.
#include "broad_phase/few_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace toccata::broad_phase {
namespace {

constexpr float farthest = 1e30F;
constexpr double cells_a_box = 4.0;
constexpr std::int32_t most_cells_a_side = 256;
constexpr std::size_t most_entries_a_box = 64;
constexpr std::size_t most_looks_a_box = 32;  // of all; more, and a grid made for all is faster

struct Cells {
  std::int32_t first[2];
  std::int32_t last[2];
};

class FewGrid {
 public:
  FewGrid(std::span<const FloatBox> boxes, std::span<const std::int32_t> few) : boxes_(boxes) {
    const double wanted = std::sqrt(cells_a_box * static_cast<double>(few.size()));
    width_ = std::clamp(static_cast<std::int32_t>(wanted), 1, most_cells_a_side);
    choose_axes(few);
  }

  // False: too many entries.
  bool enter(std::span<const std::int32_t> few) {
    start_.assign(static_cast<std::size_t>(width_ * width_) + 2, 0);
    std::size_t count = 0;
    for (const std::int32_t id : few) {
      const Cells cells = cells_of(boxes_[static_cast<std::size_t>(id)]);
      count += static_cast<std::size_t>(cells.last[0] - cells.first[0] + 1) *
               static_cast<std::size_t>(cells.last[1] - cells.first[1] + 1);
      if (count > most_entries_a_box * (few.size() + 64)) return false;
      each_cell(cells, [&](std::size_t cell) { ++start_[cell + 2]; });
    }
    for (std::size_t i = 2; i < start_.size(); ++i) start_[i] += start_[i - 1];
    entries_.resize(count);
    for (const std::int32_t id : few) {
      const Cells cells = cells_of(boxes_[static_cast<std::size_t>(id)]);
      each_cell(cells, [&](std::size_t cell) { entries_[start_[cell + 1]++] = {id, cells}; });
    }
    return true;
  }

  // Calls meets(id) for each of the few that shares a point with the box. Returns how many were looked at.
  template <typename Meets>
  std::size_t meet(const FloatBox& box, Meets&& meets) const {
    std::size_t looks = 0;
    for (std::size_t k = 0; k < 2; ++k) {  // most pass by
      if (!(box.low[axis_[k]] <= most_[k] && box.high[axis_[k]] >= least_[k])) return looks;
    }
    const Cells cells = cells_of(box);
    for (std::int32_t y = cells.first[0]; y <= cells.last[0]; ++y) {
      for (std::int32_t z = cells.first[1]; z <= cells.last[1]; ++z) {
        const auto cell = static_cast<std::size_t>(y * width_ + z);
        for (std::uint32_t at = start_[cell]; at < start_[cell + 1]; ++at) {
          const Entry& entry = entries_[at];
          ++looks;
          if (std::max(cells.first[0], entry.cells.first[0]) == y &&
              std::max(cells.first[1], entry.cells.first[1]) == z &&
              share_a_point(box, boxes_[static_cast<std::size_t>(entry.id)]))
            meets(entry.id);
        }
      }
    }
    return looks;
  }

 private:
  struct Entry {
    std::int32_t id;
    Cells cells;
  };

  // The grid is over those with ends that are usual numbers; others reach into its outer cells.
  void choose_axes(std::span<const std::int32_t> few) {
    constexpr float everywhere = std::numeric_limits<float>::infinity();
    float low[3], high[3], least[3], most[3];
    std::fill_n(low, 3, farthest);
    std::fill_n(high, 3, -farthest);
    std::fill_n(least, 3, everywhere);
    std::fill_n(most, 3, -everywhere);
    for (const std::int32_t id : few) {
      const FloatBox& box = boxes_[static_cast<std::size_t>(id)];
      for (int k = 0; k < 3; ++k) {
        least[k] = std::min(least[k], box.low[k]);
        most[k] = std::max(most[k], box.high[k]);
        if (!(box.low[k] > -farthest && box.high[k] < farthest)) continue;
        low[k] = std::min(low[k], box.low[k]);
        high[k] = std::max(high[k], box.high[k]);
      }
    }
    int shortest = 0;
    for (int k = 1; k < 3; ++k) {
      if (high[k] - low[k] < high[shortest] - low[shortest]) shortest = k;
    }
    for (std::size_t k = 0; k < 2; ++k) {
      axis_[k] = (shortest + 1 + static_cast<int>(k)) % 3;
      least_[k] = least[axis_[k]];
      most_[k] = most[axis_[k]];
      origin_[k] = low[axis_[k]];
      const float length = high[axis_[k]] - low[axis_[k]];
      per_length_[k] = length > 1e-30F ? static_cast<float>(width_) / length : 0.0F;
    }
  }

  std::int32_t cell_of(float x, std::size_t side) const {
    const float place = std::max(0.0F, (x - origin_[side]) * per_length_[side]);  // 0 if not a number
    return static_cast<std::int32_t>(std::min(place, static_cast<float>(width_ - 1)));
  }
  Cells cells_of(const FloatBox& box) const {
    Cells cells = {};
    for (std::size_t k = 0; k < 2; ++k) {
      cells.first[k] = cell_of(box.low[axis_[k]], k);
      cells.last[k] = cell_of(box.high[axis_[k]], k);
    }
    return cells;
  }
  template <typename Visit>
  void each_cell(const Cells& cells, Visit&& visit) const {
    for (std::int32_t y = cells.first[0]; y <= cells.last[0]; ++y) {
      for (std::int32_t z = cells.first[1]; z <= cells.last[1]; ++z)
        visit(static_cast<std::size_t>(y * width_ + z));
    }
  }

  std::span<const FloatBox> boxes_;
  int axis_[2] = {};
  float least_[2] = {};
  float most_[2] = {};
  float origin_[2] = {};
  float per_length_[2] = {};
  std::int32_t width_ = 1;
  std::vector<std::uint32_t> start_;  // of each cell, and the end of the last
  std::vector<Entry> entries_;
};

}  // namespace

bool few_pairs(std::span<const FloatBox> boxes, std::span<const std::int32_t> few,
               std::vector<IndexPair>& pairs) {
  std::vector<std::int32_t> there;
  std::vector<bool> is_few(boxes.size(), false);
  for (const std::int32_t id : few) {
    if (is_empty(boxes[static_cast<std::size_t>(id)])) continue;
    there.push_back(id);
    is_few[static_cast<std::size_t>(id)] = true;
  }
  if (there.empty()) return true;
  FewGrid grid(boxes, there);
  if (!grid.enter(there)) return false;
  const std::size_t before = pairs.size();
  std::size_t looks_left = most_looks_a_box * (boxes.size() + 64);
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (is_empty(boxes[i])) continue;
    const auto id = static_cast<std::int32_t>(i);
    const std::size_t looks = grid.meet(boxes[i], [&](std::int32_t other) {
      if (other > id || (other < id && !is_few[i]))
        pairs.push_back({std::min(id, other), std::max(id, other)});
    });
    if (looks > looks_left) {
      pairs.resize(before);
      return false;
    }
    looks_left -= looks;
  }
  return true;
}

}  // namespace toccata::broad_phase
