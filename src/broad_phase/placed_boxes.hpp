#pragma once
// Boxes entered into rows: cells of two axes, along the third.
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "broad_phase/box_columns.hpp"

namespace toccata::broad_phase {

inline constexpr float largest_coordinate = 3e38F;  // of a placed box: infinities become this

// Which axes, and the rows of the second and third of them.
struct Rows {
  std::array<int, 3> axis = {0, 1, 2};  // swept, and the two of the rows
  float origin[2] = {0.0F, 0.0F};
  float per_length[2] = {0.0F, 0.0F};
  std::int32_t count[2] = {1, 1};
  float last[2] = {0.0F, 0.0F};  // count - 1
  float cell = 0.0F;

  std::size_t size() const { return static_cast<std::size_t>(count[0]) * static_cast<std::size_t>(count[1]); }
};

// A box and the rows that it reaches into.
struct Placed {
  SweptBox box;
  std::uint16_t last_row[2];

  std::int64_t row_count() const {
    return static_cast<std::int64_t>(last_row[0] - box.first_row[0] + 1) *
           (last_row[1] - box.first_row[1] + 1);
  }
  template <typename Visit>
  void each_row(const Rows& rows, Visit&& visit) const {
    if (box.first_row[0] == last_row[0] && box.first_row[1] == last_row[1]) {
      visit(box.first_row[0] * static_cast<std::size_t>(rows.count[1]) + box.first_row[1]);
      return;
    }
    for (std::size_t y = box.first_row[0]; y <= last_row[0]; ++y) {
      const std::size_t begin = y * static_cast<std::size_t>(rows.count[1]);
      for (std::size_t z = box.first_row[1]; z <= last_row[1]; ++z) visit(begin + z);
    }
  }
};

// Boxes in single precision, rounded outwards, and their rows: to[i] for ids[i]. Rows are monotonic functions
// of the rounded coordinates, and those of the true ones.
void place_boxes(const Rows& rows, std::span<const Aabb> boxes, std::span<const std::int32_t> ids,
                 Placed* to);

}  // namespace toccata::broad_phase
