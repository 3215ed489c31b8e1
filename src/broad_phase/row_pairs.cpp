// Space is cut into rows along one axis: cells of the other two. A box is entered into every row that it
// reaches into; within a row boxes are sorted by where they start and swept in lanes. A pair that shares
// several rows is taken in the one where the later of the two starts along both other axes: rows are a
// monotonic function of a coordinate, so that this row is one of both boxes'.
//
// The cells follow from how many boxes there are, not from their size, which leaves boxes that are larger
// than a few cells. Few of them are entered all the same; if they are many, they get a grid of their own,
// which the smaller boxes visit, and so on for those that are too large for that one.
#include "broad_phase/row_pairs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "broad_phase/box_columns.hpp"
#include "broad_phase/buffer.hpp"
#include "broad_phase/cell_pairs.hpp"
#include "broad_phase/placed_boxes.hpp"
#include "broad_phase/spread.hpp"
#include "toccata/base/parallel.hpp"

namespace toccata::broad_phase {
namespace {

constexpr double wanted_neighbours = 3.0;  // that start during a box in its row: fewer than lanes
constexpr float large_cells = 3.0F;        // boxes of more cells across are large
constexpr double most_rows_a_side = 4096.0;
constexpr float farthest = 1e30F;

Rows rows_for(const Spread& spread, std::size_t box_count) {
  Rows rows;
  Eigen::Index longest = 0;
  spread.width.maxCoeff(&longest);
  rows.axis = {static_cast<int>(longest), static_cast<int>((longest + 1) % 3),
               static_cast<int>((longest + 2) % 3)};
  const double width[2] = {spread.width[rows.axis[1]], spread.width[rows.axis[2]]};
  const double size = std::max(spread.size[rows.axis[1]], spread.size[rows.axis[2]]);
  // Neighbours = count (cell + size)^2 length / (volume of the region).
  const double length = std::max(spread.size[longest], 1e-300);
  const double area = wanted_neighbours * (spread.width[longest] / length) *
                      (width[0] * width[1] / static_cast<double>(box_count));
  double cell = std::max(std::sqrt(area) - size, size);
  const double most = std::clamp(std::sqrt(2.0 * static_cast<double>(box_count)), 4.0, most_rows_a_side);
  for (int side = 0; side < 2; ++side) {
    const double half = 0.75 * width[side];
    const double wanted = cell > 0.0 ? std::ceil(2.0 * half / cell) : 1.0;
    rows.count[side] = static_cast<std::int32_t>(std::clamp(wanted, 1.0, most));
    rows.origin[side] =
        static_cast<float>(spread.middle[rows.axis[static_cast<std::size_t>(side) + 1]] - half);
    rows.per_length[side] = static_cast<float>(rows.count[side] / (2.0 * half));
    if (!std::isfinite(rows.per_length[side]) || !std::isfinite(rows.origin[side])) {
      rows.count[side] = 1;
      rows.origin[side] = rows.per_length[side] = 0.0F;
    }
    rows.last[side] = static_cast<float>(rows.count[side] - 1);
    if (rows.count[side] > 1) cell = std::max(cell, 2.0 * half / rows.count[side]);
  }
  rows.cell = static_cast<float>(cell);
  return rows;
}

// Boxes by row.
class Entries {
 public:
  // Those of `count` boxes that row_count() says.
  void enter(const Placed* some, std::size_t count, const Rows& rows) {
    begin_.assign(rows.size() + 2, 0);
    for (std::size_t i = 0; i < count; ++i)
      some[i].each_row(rows, [&](std::size_t row) { ++begin_[row + 2]; });
    for (std::size_t row = 2; row < begin_.size(); ++row) begin_[row] += begin_[row - 1];
    SweptBox* entries = boxes_.sized(begin_.back());
    for (std::size_t i = 0; i < count; ++i)
      some[i].each_row(rows, [&](std::size_t row) { entries[begin_[row + 1]++] = some[i].box; });
  }
  void clear() { begin_.clear(); }

  std::span<const SweptBox> of_row(std::size_t row) const {
    if (begin_.empty()) return {};
    return {boxes_.data() + begin_[row], boxes_.data() + begin_[row + 1]};
  }

 private:
  std::vector<std::uint32_t> begin_;  // of each row, and the end of the last
  Buffer<SweptBox> boxes_;
};

// Sorts boxes by their start, into columns. Buckets of equal width bring them nearly into order.
class RowSorter {
 public:
  void sort(std::span<const SweptBox> boxes, BoxColumns& columns) {
    const std::size_t count = boxes.size();
    Place* order = order_.sized(count);
    if (count > 16 && into_buckets(boxes, order) <= most_in_bucket) {
      sort_nearly_sorted(order, count);
    } else if (count > 16) {
      std::sort(order, order + count);
    } else {
      for (std::size_t i = 0; i < count; ++i) order[i] = {boxes[i].low[0], static_cast<std::uint32_t>(i)};
      sort_nearly_sorted(order, count);
    }
    columns.resize(count);
    for (std::size_t i = 0; i < count; ++i) columns.set(i, boxes[order[i].index]);
  }

 private:
  static constexpr std::uint32_t most_in_bucket = 32;

  struct Place {
    float start;
    std::uint32_t index;
    bool operator<(const Place& other) const {
      return start != other.start ? start < other.start : index < other.index;
    }
  };

  static void sort_nearly_sorted(Place* order, std::size_t count) {
    for (std::size_t i = 1; i < count; ++i) {
      const Place moving = order[i];
      std::size_t k = i;
      for (; k > 0 && moving.start < order[k - 1].start; --k) order[k] = order[k - 1];
      order[k] = moving;
    }
  }

  // Returns how many are in the fullest bucket.
  std::uint32_t into_buckets(std::span<const SweptBox> boxes, Place* order) {
    const std::size_t count = boxes.size();
    float low = largest_coordinate, high = -largest_coordinate;
    for (const SweptBox& box : boxes) {
      low = std::min(low, box.low[0]);
      high = std::max(high, box.low[0]);
    }
    const float last = static_cast<float>(count - 1);
    // Of a narrower range the scale would be infinite.
    const float scale = high - low > 0x1p-90F && high - low < farthest ? last / (high - low) : 0.0F;
    const auto bucket_of = [&](const SweptBox& box) {  // monotonic
      if (scale == 0.0F) return std::size_t{0};        // differences may be infinite then
      return static_cast<std::size_t>(static_cast<std::int32_t>(std::min((box.low[0] - low) * scale, last)));
    };
    first_.assign(count + 2, 0);
    std::uint32_t fullest = 0;
    for (const SweptBox& box : boxes) fullest = std::max(fullest, ++first_[bucket_of(box) + 2]);
    for (std::size_t i = 2; i < first_.size(); ++i) first_[i] += first_[i - 1];
    for (std::size_t i = 0; i < count; ++i)
      order[first_[bucket_of(boxes[i]) + 1]++] = {boxes[i].low[0], static_cast<std::uint32_t>(i)};
    return fullest;
  }

  Buffer<Place> order_;
  std::vector<std::uint32_t> first_;
};

// What one thread uses again and again.
struct SweepMemory {
  RowSorter sorter;
  BoxColumns own;
  BoxColumns visitors;
  std::vector<Meeting> meetings;
};

class RowSweep {
 public:
  // visitors: met by the others, not by each other; may be empty.
  RowSweep(std::span<const Aabb> boxes, const Rows& rows, const Entries& own, const Entries& visitors)
      : boxes_(boxes), rows_(rows), own_(own), visitors_(visitors) {}

  void run(int threads, SweepMemory& memory, std::vector<IndexPair>& pairs) const {
    if (threads == 1) {
      for (std::size_t row = 0; row < rows_.size(); ++row) take_row(row, memory, pairs);
      return;
    }
    constexpr std::size_t rows_a_block = 16;
    std::vector<std::vector<IndexPair>> found((rows_.size() + rows_a_block - 1) / rows_a_block);
    parallel_blocks(rows_.size(), rows_a_block, threads, [&](std::size_t begin, std::size_t end) {
      SweepMemory own_memory;
      for (std::size_t row = begin; row < end; ++row) take_row(row, own_memory, found[begin / rows_a_block]);
    });
    for (const auto& some : found) pairs.insert(pairs.end(), some.begin(), some.end());
  }

 private:
  void take_row(std::size_t row, SweepMemory& memory, std::vector<IndexPair>& pairs) const {
    const std::span<const SweptBox> boxes = own_.of_row(row), guests = visitors_.of_row(row);
    if (boxes.empty() || boxes.size() + guests.size() < 2) return;
    memory.sorter.sort(boxes, memory.own);
    memory.meetings.clear();
    sweep(memory.own, memory.meetings);
    take(row, memory.meetings, memory.own, memory.own, pairs);
    if (guests.empty()) return;
    memory.sorter.sort(guests, memory.visitors);
    memory.meetings.clear();
    sweep(memory.own, memory.visitors, memory.meetings);
    take(row, memory.meetings, memory.own, memory.visitors, pairs);
  }

  void take(std::size_t row, const std::vector<Meeting>& meetings, const BoxColumns& a, const BoxColumns& b,
            std::vector<IndexPair>& pairs) const {
    const auto width = static_cast<std::size_t>(rows_.count[1]);
    const auto y = static_cast<std::uint32_t>(row / width), z = static_cast<std::uint32_t>(row % width);
    for (const Meeting& m : meetings) {
      const std::uint32_t rows_a = a.first_row(m.own), rows_b = b.first_row(m.other);
      if (std::max(rows_a >> 16U, rows_b >> 16U) != y || std::max(rows_a & 0xFFFFU, rows_b & 0xFFFFU) != z)
        continue;
      const std::int32_t id_a = a.id(m.own), id_b = b.id(m.other);
      if (overlap(boxes_[static_cast<std::size_t>(id_a)], boxes_[static_cast<std::size_t>(id_b)]))
        pairs.push_back({std::min(id_a, id_b), std::max(id_a, id_b)});
    }
  }

  std::span<const Aabb> boxes_;
  const Rows& rows_;
  const Entries& own_;
  const Entries& visitors_;
};

}  // namespace

// GCC takes a source that is compiled together with others for a header, whose types others could not name.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsubobject-linkage"
#endif
struct RowMemory {
  CellPairs cells;
  Buffer<Placed> placed;
  Buffer<Placed> placed_visitors;
  Entries own;
  Entries visitors;
  SweepMemory sweep;
};
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

namespace {

void place_in_blocks(const Rows& rows, std::span<const Aabb> boxes, std::span<const std::int32_t> ids,
                     int threads, Placed* to) {
  parallel_blocks(ids.size(), 8192, threads, [&](std::size_t begin, std::size_t end) {
    place_boxes(rows, boxes, ids.subspan(begin, end - begin), to + begin);
  });
}

// Places the boxes; those that are too large for the rows are left out, if they are too many to be entered
// all the same, and returned.
std::vector<std::int32_t> place_all(std::span<const Aabb> boxes, std::span<const std::int32_t> ids,
                                    const Rows& rows, int threads, Placed* to, std::size_t& count) {
  const float large_size = large_cells * rows.cell;
  std::vector<std::int32_t> large;
  std::int64_t entries_of_large = 0;
  place_in_blocks(rows, boxes, ids, threads, to);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const Placed& p = to[i];
    if (!(p.box.high[1] - p.box.low[1] > large_size) && !(p.box.high[2] - p.box.low[2] > large_size))
      continue;
    large.push_back(ids[i]);
    entries_of_large += p.row_count();
  }
  count = ids.size();
  // A grid must take some: boxes that are all too large for their own grid overlap in heaps anyway.
  if (entries_of_large <= static_cast<std::int64_t>(ids.size()) / 2 || large.size() == ids.size()) return {};
  std::size_t next = 0;
  count = 0;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (next < large.size() && large[next] == ids[i]) {
      ++next;
    } else {
      to[count++] = to[i];
    }
  }
  return large;
}

}  // namespace

RowPairs::RowPairs() : memory_(std::make_unique<RowMemory>()) {}
RowPairs::~RowPairs() = default;
RowPairs::RowPairs(RowPairs&&) noexcept = default;
RowPairs& RowPairs::operator=(RowPairs&&) noexcept = default;

void RowPairs::find(std::span<const Aabb> boxes, std::span<const std::int32_t> ids, int threads,
                    std::vector<IndexPair>& pairs) {
  RowMemory& memory = *memory_;
  std::vector<std::int32_t> coarser;   // own of the next grid
  std::vector<std::int32_t> visitors;  // all of the finer grids
  for (std::span<const std::int32_t> own = ids; !own.empty() && own.size() + visitors.size() > 1;) {
    const Spread spread = spread_of(boxes, own);
    if (visitors.empty() && memory.cells.find(boxes, own, spread, threads, pairs)) return;
    const Rows rows = rows_for(spread, own.size());
    std::size_t count = 0;
    Placed* here = memory.placed.sized(own.size());
    std::vector<std::int32_t> large = place_all(boxes, own, rows, threads, here, count);
    memory.own.enter(here, count, rows);
    memory.visitors.clear();
    if (!visitors.empty()) {
      Placed* guests = memory.placed_visitors.sized(visitors.size());
      place_in_blocks(rows, boxes, visitors, threads, guests);
      memory.visitors.enter(guests, visitors.size(), rows);
    }
    RowSweep(boxes, rows, memory.own, memory.visitors).run(threads, memory.sweep, pairs);
    if (large.empty()) return;
    for (std::size_t i = 0; i < count; ++i) visitors.push_back(here[i].box.id);
    coarser = std::move(large);
    own = coarser;
  }
}

}  // namespace toccata::broad_phase
