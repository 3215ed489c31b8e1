#pragma once
// A landscape: heights over a regular grid, solid below.
#include <cstdint>
#include <optional>
#include <vector>

#include "toccata/base/vector.hpp"

namespace toccata {

// Sample (column, row) is at (column spacing.x, row spacing.y, heights[row * columns + column]). A cell has
// two triangles, cut from its lower left corner to its upper right one:
//   2 cell     (column, row), (column + 1, row), (column + 1, row + 1)
//   2 cell + 1 (column, row), (column + 1, row + 1), (column, row + 1)       cell = row (columns - 1) +
//   column
// The solid is what lies between a triangle and `floor`, below which there is nothing. NaN is a hole: the
// triangles at that sample are missing, and so is the solid below them.
struct HeightField {
  std::int32_t columns = 0;  // samples along x, at least 2
  std::int32_t rows = 0;     // along y, at least 2
  Vector2 spacing = Vector2::Ones();
  std::vector<double> heights;
  // Not above the lowest height. None: the lowest height less the longer side of the field.
  std::optional<double> floor;
};

// The one given, or what stands for none; the longer side below zero if every sample is a hole.
double floor_of(const HeightField& field);

}  // namespace toccata
