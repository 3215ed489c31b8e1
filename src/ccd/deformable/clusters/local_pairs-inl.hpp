// Pairs of features of two clusters by their slots, before they get their ids.
//
// Included once per Highway target (no #pragma once).
#include <hwy/highway.h>

#include <bit>
#include <cstring>

#include "ccd/deformable/clusters/compress_table.hpp"
#include "ccd/deformable/clusters/spread_boxes-inl.hpp"

#if defined(TOCCATA_DEFORMABLE_LOCAL_PAIRS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TOCCATA_DEFORMABLE_LOCAL_PAIRS_INL
#undef TOCCATA_DEFORMABLE_LOCAL_PAIRS_INL
#else
#define TOCCATA_DEFORMABLE_LOCAL_PAIRS_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace toccata::deformable::clusters::HWY_NAMESPACE {

inline constexpr std::uint64_t every_byte = 0x0101010101010101u;

// Pairs of a row and a column within one pair of clusters.
struct LocalPairs {
  static constexpr std::size_t capacity = max_local_vertices * max_local_vertices + 2 * feature_lanes;
  std::uint8_t row[capacity];
  std::uint8_t column[capacity];

  // The columns of a row whose bits are set, at `end`; returns the new end. (Kept by the caller in a
  // register.)
  HWY_INLINE std::size_t add_row(std::size_t end, std::size_t of_row, std::uint64_t bits) {
    for (std::size_t s = 0; s < 64; s += 8) end = add_eight(end, of_row, s, (bits >> s) & 255);
    return end;
  }

 private:
  HWY_INLINE std::size_t add_eight(std::size_t end, std::size_t of_row, std::size_t first_column,
                                   std::uint64_t bits) {
    const std::uint64_t columns = compress_table.bytes[bits] + every_byte * first_column;
    const std::uint64_t rows = every_byte * of_row;
    std::memcpy(column + end, &columns, sizeof columns);
    std::memcpy(row + end, &rows, sizeof rows);
    return end + static_cast<std::size_t>(std::popcount(bits));
  }
};

// A row that meets columns.
template <bool Relative>
struct MetRow {
  SpreadBox<Relative> limit;  // what columns must exceed on the spread axes
  std::uint64_t met;          // columns, as bits
  std::int32_t id;
};

template <bool Relative>
struct MetRows {
  std::size_t hits = 0;
  MetRow<Relative>* end = rows;  // where the next one goes
  MetRow<Relative> rows[max_local_vertices + 2];

  HWY_INLINE void clear() {
    hits = 0;
    end = rows;
  }
  HWY_INLINE void add(std::int32_t row_id, std::uint64_t columns, const SpreadBox<Relative>& row_limit) {
    end->limit = row_limit;
    add_apart(static_cast<std::size_t>(row_id), columns);
  }
  // Where rows are distances in one list.
  HWY_INLINE void add_apart(std::size_t apart, std::uint64_t columns) {
    end->met = columns;
    end->id = static_cast<std::int32_t>(apart);
    hits += static_cast<std::size_t>(std::popcount(columns));
    end += columns != 0;
  }
};

}  // namespace toccata::deformable::clusters::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
