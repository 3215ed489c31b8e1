#pragma once
// Cells in lanes, sites one after the other: which site is nearest at the centres, and which sites can be
// nearest anywhere in the cells.
//
// Numbers are scaled so that all lengths are below 2; `slack` is 2^-45 of them, which covers all roundings of
// a difference of two values (docs/notes/voronoi_bounds.md).
#include <cstdint>
#include <span>

#include "field/voronoi/prepared_sites.hpp"

namespace toccata::voronoi {

// Up to 64 boxes. Those up to the next multiple of eight must be filled with copies of the last: see pad.
struct CellColumns {
  static constexpr int width = 64;
  alignas(64) double center[3][width];
  alignas(64) double half[3][width];
  int count = 0;

  void clear() { count = 0; }
  bool full() const { return count == width; }
  void add(const Vector3& at, const Vector3& half_size) {
    for (int i = 0; i < 3; ++i) {
      center[i][count] = at[i];
      half[i][count] = half_size[i];
    }
    ++count;
  }
  void pad() {
    for (int at = count; at > 0 && at % 8 != 0; ++at) {
      for (int i = 0; i < 3; ++i) {
        center[i][at] = center[i][count - 1];
        half[i][at] = half[i][count - 1];
      }
    }
  }
};

// What is asked of all cells.
struct Question {
  const PreparedSites* sites = nullptr;
  bool farthest = false;
  double slack = 0.0;  // of a comparison of two values
  bool flat = false;   // points alone, and all cells in their plane z = const
};

// Of each cell the site (the lowest of those that may be best), the value at the centre, and whether no other
// can be best in the cell. precondition: sites increase, at least one; cells are padded
struct CellAnswers {
  std::int32_t site[CellColumns::width];
  double value[CellColumns::width];
  std::uint8_t certified[CellColumns::width];
};
void answer_cells(const Question& question, std::span<const std::int32_t> sites, const CellColumns& cells,
                  CellAnswers& answers);

// Of each cell the sites that can be best somewhere in it, in their order: lists[i], which has room for all.
void sift_sites(const Question& question, std::span<const std::int32_t> sites, const CellColumns& cells,
                std::int32_t* const* lists, std::int32_t* counts);

}  // namespace toccata::voronoi
