// A box is entered into the one cell that its lower corner is in, so that a counting sort brings boxes into
// order. Of an overlapping pair the lower corners are in cells that follow from either box: not above the
// cell of its upper corner, and not below that of its lower corner moved down by the longest box there is.
// Cells are a monotonic function of a coordinate, and rounding to nearest is monotonic, too: no margin is
// needed. Each pair is found by the box whose row comes first, or, within a row, by the one that is earlier
// in the order.
#include "broad_phase/cell_pairs.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "broad_phase/cell_pairs.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>

#ifndef TOCCATA_BROAD_PHASE_CELL_VISIT
#define TOCCATA_BROAD_PHASE_CELL_VISIT
namespace toccata::broad_phase {

constexpr std::uint32_t no_cell = ~0U;
constexpr std::size_t boxes_at_once = 8;

// Boxes by cell.
struct SortedCells {
  const Cells& cells;
  const Aabb* exact;  // by id
  const CellBox* boxes;
  const std::uint32_t* start;  // of each cell, and the end of the last
  float longest[4];            // of the boxes that are entered, rounded up
};

struct BoxCell {
  std::uint32_t cell, row;
};

// Boxes that one of them may overlap.
struct CellRange {
  std::uint32_t box, begin, end;
};

// By more than single precision has moved their ends: an end is off by less than 2^-21 of itself and 2^-138.
inline bool surely_overlap(const CellBox& a, const CellBox& b) {
  for (int k = 0; k < 3; ++k) {
    const float high_a = -a.negative_high()[k], high_b = -b.negative_high()[k];
    const float from_b = high_a - b.low()[k], from_a = high_b - a.low()[k];
    if (!(from_b > (std::abs(high_a) + std::abs(b.low()[k])) * 0x1p-20F + 0x1p-120F) ||
        !(from_a > (std::abs(high_b) + std::abs(a.low()[k])) * 0x1p-20F + 0x1p-120F))
      return false;
  }
  return true;
}

}  // namespace toccata::broad_phase
#endif

#include "broad_phase/axis_lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace toccata::broad_phase {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The cell of each box; those that are too large get none. longest: is raised.
void find_cells(const Cells& cells, const Aabb* boxes, const std::int32_t* ids, std::size_t count,
                BoxCell* to, float* longest) {
  const Four large = loaded(cells.large);
  Four length = loaded(longest);
  for (std::size_t i = 0; i < count; ++i) {
    Four low, high;
    round_outwards(boxes[ids[i]].lower.data(), low, high);
    const Four size = difference(high, low);
    const bool fits = none_above(size, large);
    if (fits) length = larger(length, size);
    std::int32_t cell[4];
    store_cells(cells, low, cell);
    const auto x = static_cast<std::uint32_t>(cell[0]), y = static_cast<std::uint32_t>(cell[1]),
               z = static_cast<std::uint32_t>(cell[2]);
    to[i] = {fits ? (y * cells.count[2] + z) * cells.count[0] + x : no_cell, y << 16U | z};
  }
  store(length, longest);
}

// Boxes into their cells, or behind all of them. start: the next place of each, is raised; of cell k it is at
// k + 1.
void enter_boxes(const Aabb* boxes, const std::int32_t* ids, const BoxCell* cell_of, std::size_t count,
                 std::uint32_t* start, std::uint32_t place_of_large, CellBox* to) {
  for (std::size_t i = 0; i < count; ++i) {
    const auto [cell, row] = cell_of[i];
    CellBox& box = to[cell != no_cell ? start[cell + 1]++ : place_of_large++];
    Four low, high;
    round_outwards(boxes[ids[i]].lower.data(), low, high);
    store(low, box.lanes);
    store(negative(high), box.lanes + 4);
    box.name(ids[i], row);
  }
}

// A byte of `meet` for each of the boxes from `others` on.
HWY_NOINLINE void take(const SortedCells& sorted, const CellBox& box, const CellBox* others,
                       std::uint64_t meet, std::vector<IndexPair>& pairs) {
  for (; meet != 0; meet &= meet - 1) {
    const CellBox& other = others[__builtin_ctzll(meet) / 8];
    if (surely_overlap(box, other) || overlap(sorted.exact[box.id()], sorted.exact[other.id()]))
      pairs.push_back({std::min(box.id(), other.id()), std::max(box.id(), other.id())});
  }
}

// The boxes of the range that overlap the one it is for: their ids with its own. Eight at a time without a
// branch: those behind the end are there, but do not count.
HWY_INLINE void meet_range(const SortedCells& sorted, const CellRange& range, std::vector<IndexPair>& pairs) {
  const CellBox& box = sorted.boxes[range.box];
  const Four high = negative(loaded(box.negative_high())), negative_low = negative(loaded(box.low()));
#if HWY_TARGET == HWY_SCALAR
  const auto lanes = [&](const CellBox& other) {
    unsigned bits = 0;
    for (int k = 0; k < 3; ++k) {
      bits |= static_cast<unsigned>(other.low()[k] <= high.of[k]) << k;
      bits |= static_cast<unsigned>(other.negative_high()[k] <= negative_low.of[k]) << (4 + k);
    }
    return bits;
  };
#elif HWY_MAX_BYTES >= 32
  const hn::CappedTag<float, 8> f8;
  const auto limits = hn::Combine(f8, negative_low, high);
  const auto lanes = [&](const CellBox& other) HWY_ATTR {
    std::uint8_t bits[8] = {};
    hn::StoreMaskBits(f8, hn::Le(hn::Load(f8, other.low()), limits), bits);
    return unsigned{bits[0]};
  };
#else
  const auto lanes = [&](const CellBox& other) HWY_ATTR {
    std::uint8_t low_bits[8] = {}, high_bits[8] = {};
    hn::StoreMaskBits(F4(), hn::Le(loaded(other.low()), high), low_bits);
    hn::StoreMaskBits(F4(), hn::Le(loaded(other.negative_high()), negative_low), high_bits);
    return unsigned{low_bits[0]} | unsigned{high_bits[0]} << 4U;
  };
#endif
  constexpr std::uint64_t axes = 0x7777777777777777U, sevens = 0x7F7F7F7F7F7F7F7FU;
  std::uint32_t at = range.begin;
  do {
    const CellBox* some = sorted.boxes + at;
    std::uint64_t bits = 0;
    for (std::size_t k = 0; k < boxes_at_once; ++k) bits |= std::uint64_t{lanes(some[k])} << (8 * k);
    // The highest bit of a byte is left where all six comparisons hold.
    std::uint64_t meet = ~(((bits & axes) ^ axes) + sevens) & ~sevens;
    const std::uint32_t left = range.end - at;
    if (left < boxes_at_once) meet &= (std::uint64_t{1} << (8 * left)) - 1;
    if (meet != 0) take(sorted, box, some, meet, pairs);
    at += boxes_at_once;
  } while (at < range.end);
}

// Where a box reaches to: cells of the lowest and of the highest lower corner that it can meet, and its row.
struct Reached {
  std::int32_t first[4], last[4];
  std::int32_t y, z;
};
HWY_INLINE void find_reached(const SortedCells& sorted, const CellBox& box, Four longest, Reached& reached) {
  store_cells(sorted.cells, difference(axes(box.low()), longest), negative(axes(box.negative_high())),
              reached.first);
  reached.y = static_cast<std::int32_t>(box.row() >> 16U);
  reached.z = static_cast<std::int32_t>(box.row() & 0xFFFFU);
}

// own: a box of the order meets those that come after it.
void visit_rows(const SortedCells& sorted, std::uint32_t box, const Reached& r, bool own,
                std::vector<IndexPair>& pairs) {
  const std::uint32_t width = sorted.cells.count[0], layer = sorted.cells.count[2] * width;
  const auto row = [&](std::int32_t y, std::int32_t z) {
    return static_cast<std::uint32_t>(y) * layer + static_cast<std::uint32_t>(z) * width;
  };
  const auto first = static_cast<std::uint32_t>(r.first[0]), last = static_cast<std::uint32_t>(r.last[0]) + 1;
  const auto meet_row = [&](std::uint32_t at) HWY_ATTR {
    meet_range(sorted, {box, sorted.start[at + first], sorted.start[at + last]}, pairs);
  };
  if (own) {
    meet_range(sorted, {box, box + 1, sorted.start[row(r.y, r.z) + last]}, pairs);
    for (std::int32_t z = r.z + 1; z <= r.last[2]; ++z) meet_row(row(r.y, z));
  }
  for (std::int32_t y = own ? r.y + 1 : r.first[1]; y <= r.last[1]; ++y) {
    for (std::int32_t z = r.first[2]; z <= r.last[2]; ++z) meet_row(row(y, z));
  }
}

// Boxes [begin, end) of the order meet those that come after them in their rows, and all in rows behind. Few
// of them reach into several rows, but which is anybody's guess: ranges are listed without a branch, those
// that do not count are written over.
void visit_cells(const SortedCells& sorted, std::size_t begin, std::size_t end,
                 std::vector<IndexPair>& pairs) {
  constexpr std::size_t boxes_a_turn = 128;
  struct Up {  // reaches into the next layer of rows
    std::uint32_t box, row, first, last;
    bool left, right;
  };
  CellRange ranges[5 * boxes_a_turn];
  Up ups[boxes_a_turn];
  const Four longest = loaded(sorted.longest);
  const std::uint32_t width = sorted.cells.count[0], layer = sorted.cells.count[2] * width;
  const std::uint32_t* start = sorted.start;
  for (std::size_t from = begin; from < end; from += boxes_a_turn) {
    std::size_t count = 0, up_count = 0;
    for (std::size_t i = from; i < std::min(end, from + boxes_a_turn); ++i) {
      const auto box = static_cast<std::uint32_t>(i);
      Reached r;
      find_reached(sorted, sorted.boxes[i], longest, r);
      if (r.last[1] - r.y > 1 || r.last[2] - r.z > 1 || r.z - r.first[2] > 1) {
        visit_rows(sorted, box, r, true, pairs);  // a large one
        continue;
      }
      const std::uint32_t row =
          static_cast<std::uint32_t>(r.y) * layer + static_cast<std::uint32_t>(r.z) * width;
      const auto first = static_cast<std::uint32_t>(r.first[0]),
                 last = static_cast<std::uint32_t>(r.last[0]) + 1;
      const bool up = r.last[1] > r.y, left = r.first[2]<r.z, right = r.last[2]> r.z;
      ranges[count++] = {box, box + 1, start[row + last]};
      const std::uint32_t next = row + (right ? width : 0);
      ranges[count] = {box, start[next + first], start[next + last]};
      count += right;
      ups[up_count] = {box, row + layer, first, last, left, right};
      up_count += up;
    }
    for (std::size_t i = 0; i < up_count; ++i) {
      const Up& up = ups[i];
      ranges[count++] = {up.box, start[up.row + up.first], start[up.row + up.last]};
      const std::uint32_t before = up.row - (up.left ? width : 0), behind = up.row + (up.right ? width : 0);
      ranges[count] = {up.box, start[before + up.first], start[before + up.last]};
      count += up.left;
      ranges[count] = {up.box, start[behind + up.first], start[behind + up.last]};
      count += up.right;
    }
    for (std::size_t i = 0; i < count; ++i) meet_range(sorted, ranges[i], pairs);
  }
}

// Boxes [begin, end), which are in no cell, meet all that are in one.
void visit_as_large(const SortedCells& sorted, std::size_t begin, std::size_t end,
                    std::vector<IndexPair>& pairs) {
  for (std::size_t i = begin; i < end; ++i) {
    Reached r;
    find_reached(sorted, sorted.boxes[i], loaded(sorted.longest), r);
    visit_rows(sorted, static_cast<std::uint32_t>(i), r, false, pairs);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace toccata::broad_phase
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "broad_phase/buffer.hpp"
#include "toccata/base/parallel.hpp"
#include "toccata/base/rounding.hpp"

namespace toccata::broad_phase {

HWY_EXPORT(find_cells);
HWY_EXPORT(enter_boxes);
HWY_EXPORT(visit_cells);
HWY_EXPORT(visit_as_large);

// GCC takes a source that is compiled together with others for a header, whose types others could not name.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsubobject-linkage"
#endif
struct CellMemory {
  Buffer<BoxCell> cell_of;
  Buffer<CellBox> sorted;
  std::vector<std::uint32_t> start;
};
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

namespace {

constexpr double boxes_a_cell = 2.0;
constexpr double flatness = 2.0;  // cells are shorter along rows, which are looked at in one go
// Boxes of more cells across, or along a row, are large.
constexpr double large_cells = 2.0;
constexpr double large_along_row = 8.0;
constexpr std::size_t most_cells_a_side = 4096;
constexpr float infinite = std::numeric_limits<float>::infinity();
// Of all boxes: so many more than one in that many may be large.
constexpr std::size_t few_large = 8;
constexpr std::size_t share_of_large = 128;
// Times as many boxes that share a cell as of evenly spread ones.
constexpr double most_crowded = 4.0;
constexpr std::size_t block = 2048;

static_assert(flatness == 2.0);  // of which the root is taken below

// Cubes that hold so many boxes each, but are not smaller than a usual box; where space is flatter than a
// cube, what is left of the axes shares them.
Cells cells_for(const Spread& spread, std::size_t box_count) {
  Cells cells;
  double wanted = std::max(1.0, static_cast<double>(box_count) / boxes_a_cell);
  int axis[3] = {0, 1, 2};
  std::sort(axis, axis + 3, [&](int a, int b) { return spread.width[a] < spread.width[b]; });
  for (int k = 0; k < 3; ++k) {  // the narrowest first
    const int at = axis[k];
    const double width = spread.width[at];
    double volume = width;
    for (int other = k + 1; other < 3; ++other) volume *= spread.width[axis[other]];
    const double cube = std::max(std::pow(volume / wanted, 1.0 / (3 - k)), spread.size[at]);
    const double side = cube * (at == 0 ? 1.0 / flatness : std::numbers::sqrt2);
    const double count = std::clamp(std::floor(width / side), 1.0, double{most_cells_a_side});
    const auto scale = static_cast<float>(count / width);
    const auto origin = static_cast<float>(spread.middle[at] - 0.5 * width);
    if (!(count > 1.0) || !std::isfinite(scale) || !std::isfinite(origin)) {
      cells.large[at] = infinite;  // one cell holds them all
      continue;
    }
    wanted = std::max(1.0, wanted / count);
    cells.count[at] = static_cast<std::uint32_t>(count);
    cells.last[at] = static_cast<float>(count - 1.0);
    cells.origin[at] = origin;
    cells.per_length[at] = scale;
    cells.large[at] = static_cast<float>((at == 0 ? large_along_row : large_cells) * width / count);
  }
  cells.large[3] = infinite;  // not an axis
  return cells;
}

// Finds the cells of all boxes and counts those of each, which start[cell + 2] gets; returns how many have
// none. longest: of those that have one.
std::size_t count_boxes(const Cells& cells, std::span<const Aabb> boxes, std::span<const std::int32_t> ids,
                        int threads, CellMemory& memory, float* longest) {
  BoxCell* cell_of = memory.cell_of.sized(ids.size());
  std::vector<std::array<float, 4>> longest_of((ids.size() + block - 1) / block);
  parallel_blocks(ids.size(), block, threads, [&](std::size_t begin, std::size_t end) {
    HWY_DYNAMIC_DISPATCH(find_cells)
    (cells, boxes.data(), ids.data() + begin, end - begin, cell_of + begin, longest_of[begin / block].data());
  });
  for (std::size_t k = 0; k < 3; ++k) {
    longest[k] = 0.0F;
    for (const auto& some : longest_of) longest[k] = std::max(longest[k], some[k]);
    // A difference may have been rounded down; of one cell there is nothing to be told.
    longest[k] = cells.count[k] > 1 ? next_up(longest[k]) : 0.0F;
  }
  memory.start.assign(cells.size() + 2, 0);
  std::size_t large = 0;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (cell_of[i].cell != no_cell) {
      ++memory.start[cell_of[i].cell + 2];
    } else {
      ++large;
    }
  }
  return large;
}

// From counts to starts. False: too many boxes share their cells.
bool sum_up(std::vector<std::uint32_t>& start, std::size_t count) {
  double sharing = 0.0;
  for (std::size_t i = 2; i < start.size(); ++i) {
    sharing += static_cast<double>(start[i]) * start[i];
    start[i] += start[i - 1];
  }
  const auto cells = static_cast<double>(start.size() - 2), boxes = static_cast<double>(count);
  return sharing <= most_crowded * boxes * (1.0 + std::max(boxes_a_cell, boxes / cells));
}

}  // namespace

CellPairs::CellPairs() : memory_(std::make_unique<CellMemory>()) {}
CellPairs::~CellPairs() = default;
CellPairs::CellPairs(CellPairs&&) noexcept = default;
CellPairs& CellPairs::operator=(CellPairs&&) noexcept = default;

bool CellPairs::find(std::span<const Aabb> boxes, std::span<const std::int32_t> ids, const Spread& spread,
                     int threads, std::vector<IndexPair>& pairs) {
  CellMemory& memory = *memory_;
  const Cells cells = cells_for(spread, ids.size());
  SortedCells sorted = {cells, boxes.data(), nullptr, nullptr, {}};
  const std::size_t large = count_boxes(cells, boxes, ids, threads, memory, sorted.longest);
  if (large > few_large + ids.size() / share_of_large || !sum_up(memory.start, ids.size())) return false;
  const std::size_t count = ids.size() - large;
  CellBox* entered = memory.sorted.sized(ids.size() + boxes_at_once);
  HWY_DYNAMIC_DISPATCH(enter_boxes)
  (boxes.data(), ids.data(), memory.cell_of.data(), ids.size(), memory.start.data(),
   static_cast<std::uint32_t>(count), entered);
  std::fill_n(entered + ids.size(), boxes_at_once, CellBox{});  // which are loaded, but do not count
  sorted.boxes = entered;
  sorted.start = memory.start.data();
  if (threads == 1 || count <= block) {
    HWY_DYNAMIC_DISPATCH(visit_cells)(sorted, 0, count, pairs);
  } else {
    std::vector<std::vector<IndexPair>> found((count + block - 1) / block);
    parallel_blocks(count, block, threads, [&](std::size_t begin, std::size_t end) {
      HWY_DYNAMIC_DISPATCH(visit_cells)(sorted, begin, end, found[begin / block]);
    });
    for (const auto& some : found) pairs.insert(pairs.end(), some.begin(), some.end());
  }
  HWY_DYNAMIC_DISPATCH(visit_as_large)(sorted, count, ids.size(), pairs);
  for (std::size_t i = count; i < ids.size(); ++i) {
    for (std::size_t k = i + 1; k < ids.size(); ++k) {
      if (overlap(boxes[static_cast<std::size_t>(entered[i].id())],
                  boxes[static_cast<std::size_t>(entered[k].id())]))
        pairs.push_back({entered[i].id(), entered[k].id()});
    }
  }
  return true;
}

}  // namespace toccata::broad_phase
#endif
