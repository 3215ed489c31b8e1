// Rounding of ways. Directions and ways are floats, each coordinate right to 2^-24 of itself; a product and
// two sums are three roundings more: 5 * 2^-24 of the sum of magnitudes, which is at most twice the way's sum
// of coordinates, since the direction's are below 2. 16 * 2^-24 of the longest such sum has room.
#include "elementary/hull_index.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "elementary/expansion.hpp"
#include "toccata/base/rounding.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "elementary/hull_index.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "elementary/hull_scan-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace toccata::elementary {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

std::int32_t scan_index(const HullIndex& index, const Vector3& d) {
  return scan_columns(index.columns.data(), index.columns.size() / 3, d.data());
}

VertexPair scan_two(const ScannedCorners& a, const ScannedCorners& b, const double* directions) {
  return {scan_columns(a.columns, a.padded, directions), scan_columns(b.columns, b.padded, directions + 3)};
}

using WayTag = hn::CappedTag<float, HullIndex::ways_of_block>;
constexpr std::size_t way_lanes = hn::MaxLanes(WayTag());
constexpr std::size_t parts_of_block = HullIndex::ways_of_block / way_lanes;

struct WayHeights {
  hn::Vec<WayTag> part[parts_of_block];
};

HWY_INLINE WayHeights heights_of(const HullIndex::Block& block, const float* d) {
  const WayTag tag;
  const auto dx = hn::Set(tag, d[0]), dy = hn::Set(tag, d[1]), dz = hn::Set(tag, d[2]);
  WayHeights heights;
  for (std::size_t i = 0; i < parts_of_block; ++i) {
    const std::size_t at = i * way_lanes;
    const auto xy =
        hn::Add(hn::Mul(dx, hn::Load(tag, block.x + at)), hn::Mul(dy, hn::Load(tag, block.y + at)));
    heights.part[i] = hn::Add(xy, hn::Mul(dz, hn::Load(tag, block.z + at)));
  }
  return heights;
}

HWY_INLINE float highest_of(const WayHeights& heights) {
  auto top = heights.part[0];
  for (std::size_t i = 1; i < parts_of_block; ++i) top = hn::Max(top, heights.part[i]);
  return hn::GetLane(hn::MaxOfLanes(WayTag(), top));
}

// The lanes in which the height is not below a level, as bits.
HWY_INLINE std::uint32_t not_below(const WayHeights& heights, float level) {
  const WayTag tag;
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < parts_of_block; ++i) {
    std::uint8_t own[8] = {0};
    hn::StoreMaskBits(tag, hn::Ge(heights.part[i], hn::Set(tag, level)), own);
    bits |= static_cast<std::uint32_t>(own[0]) << (i * way_lanes);
  }
  return bits;
}

// To the highest neighbour, as long as it is higher for certain.
std::int32_t climb_ways(const HullIndex& index, const float* d, std::int32_t vertex) {
  for (;;) {
    const HullIndex::Ways* const own = &index.ways[static_cast<std::size_t>(vertex)];
    float top = own->level;
    std::int32_t next = -1;
    for (std::int32_t b = own->first_block; b < own[1].first_block; ++b) {
      const HullIndex::Block& block = index.blocks[static_cast<std::size_t>(b)];
      const WayHeights heights = heights_of(block, d);
      const float highest = highest_of(heights);
      if (!(highest > top)) continue;
      next = block.to[std::countr_zero(not_below(heights, highest))];
      top = highest;
    }
    if (next < 0) return vertex;
    vertex = next;
  }
}

// Adds to the first vertex of the set all that can be reached along ways which are not lower for certain; no
// vertex has ways beyond the set but such as are. Their number; 0 if there are more than `room`, or one that
// is higher for certain, which is the first of the set then.
int level_set(const HullIndex& index, const float* d, std::int32_t* set, int room) {
  int count = 1;
  for (int i = 0; i < count; ++i) {
    const HullIndex::Ways* const own = &index.ways[static_cast<std::size_t>(set[i])];
    for (std::int32_t b = own->first_block; b < own[1].first_block; ++b) {
      const HullIndex::Block& block = index.blocks[static_cast<std::size_t>(b)];
      const WayHeights heights = heights_of(block, d);
      std::uint32_t level = not_below(heights, -own->level);
      if (level == 0) continue;
      const std::uint32_t higher = not_below(heights, own->level);
      if (higher != 0) {
        set[0] = block.to[std::countr_zero(higher)];
        return 0;
      }
      for (; level != 0; level &= level - 1) {
        const std::int32_t to = block.to[std::countr_zero(level)];
        if (std::find(set, set + count, to) != set + count) continue;
        if (count == room) return 0;
        set[count++] = to;
      }
    }
  }
  return count;
}

}  // namespace HWY_NAMESPACE
}  // namespace toccata::elementary
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toccata {
namespace elementary {
HWY_EXPORT(scan_index);
HWY_EXPORT(scan_two);
HWY_EXPORT(climb_ways);
HWY_EXPORT(level_set);

// Asked from the namespace that exports it, which a build for one instruction set insists on.
std::int32_t scanned(const HullIndex& index, const Vector3& direction) {
  return HWY_DYNAMIC_DISPATCH(scan_index)(index, direction);
}
ScanTwo* scan_two_here() {
  return &HWY_DYNAMIC_DISPATCH(scan_two);
}
std::int32_t climbed(const HullIndex& index, const float* direction, std::int32_t from) {
  return HWY_DYNAMIC_DISPATCH(climb_ways)(index, direction, from);
}
int levelled(const HullIndex& index, const float* direction, std::int32_t* set, int room) {
  return HWY_DYNAMIC_DISPATCH(level_set)(index, direction, set, room);
}
}  // namespace elementary

namespace {

// A direction with its largest coordinate from 1 to 2, by a power of two, and rounded to floats.
struct FloatDirection {
  explicit FloatDirection(const Vector3& d) {
    const double largest = std::max({std::abs(d.x()), std::abs(d.y()), std::abs(d.z())});
    constexpr std::uint64_t exponent = 0x7ff0000000000000u, of_inverse = 0x7fe0000000000000u;
    const std::uint64_t own = std::bit_cast<std::uint64_t>(largest) & exponent;
    const double scale = std::bit_cast<double>(own < of_inverse ? of_inverse - own : 0);
    for (int k = 0; k < 3; ++k) at[k] = static_cast<float>(d[k] * scale);
  }
  float at[3];
};

double plain_height(const Vector3& d, const Vector3& p) {
  return d.x() * p.x() + d.y() * p.y() + d.z() * p.z();
}

// The cell of a direction on the cube: the face of its largest coordinate, then the other two as shares of
// it. A direction of length zero gives NaN, which lands in the first cell.
int cell_at(int axis, double largest, double s, double t, int width) {
  const double half = 0.5 * width;
  const double scale = half / std::abs(largest);
  const auto place = [&](double at) { return at > 0.0 ? std::min(static_cast<int>(at), width - 1) : 0; };
  return ((2 * axis + (largest < 0.0 ? 1 : 0)) * width + place(s * scale + half)) * width +
         place(t * scale + half);
}

int cell_of(const Vector3& d, int width) {
  const double x = std::abs(d.x()), y = std::abs(d.y()), z = std::abs(d.z());
  const int axis = x >= y ? (x >= z ? 0 : 2) : (y >= z ? 1 : 2);
  const double largest = axis == 0 ? d.x() : axis == 1 ? d.y() : d.z();
  return cell_at(axis, largest, axis == 0 ? d.y() : d.x(), axis == 2 ? d.y() : d.z(), width);
}

// The same without branches, which nobody foresees. Who waits for one cell alone does better to guess.
int cell_of_many(const Vector3& d, int width) {
  const double x = std::abs(d.x()), y = std::abs(d.y()), z = std::abs(d.z());
  const int is_x = static_cast<int>(x >= y) & static_cast<int>(x >= z);
  const int is_y = static_cast<int>(!(x >= y)) & static_cast<int>(y >= z);
  const int axis = 2 - 2 * is_x - is_y;
  return cell_at(axis, d[axis], d[is_x], d[1 + (is_x | is_y)], width);
}

Vector3 middle_of(int cell, int width) {
  const int face = cell / (width * width), axis = face / 2;
  const int row = cell % (width * width) / width, column = cell % width;
  Vector3 d;
  d[axis] = face % 2 == 0 ? 1.0 : -1.0;
  d[axis == 0 ? 1 : 0] = (row + 0.5) / (0.5 * width) - 1.0;
  d[axis == 2 ? 1 : 2] = (column + 0.5) / (0.5 * width) - 1.0;
  return d;
}

// Of an index that has points and neighbours.
void add_ways(HullIndex& index) {
  double largest = 0.0;
  for (const Vector3& p : index.points) largest = std::max(largest, p.cwiseAbs().maxCoeff());
  const double unit = std::ldexp(1.0, -std::clamp(std::ilogb(largest) + 1, -1000, 1000));
  constexpr std::int32_t size = HullIndex::ways_of_block;
  for (std::size_t v = 0; v < index.points.size(); ++v) {
    const std::int32_t begin = index.first_neighbour[v], end = index.first_neighbour[v + 1];
    double longest = 0.0;
    index.ways.push_back({static_cast<std::int32_t>(index.blocks.size()), 0.0f});
    for (std::int32_t first = begin; first < end; first += size) {
      HullIndex::Block& block = index.blocks.emplace_back();
      for (std::int32_t k = 0; k < size; ++k) {
        const std::int32_t to = index.neighbours[static_cast<std::size_t>(std::min(first + k, end - 1))];
        const Vector3 way = unit * index.points[static_cast<std::size_t>(to)] - unit * index.points[v];
        block.x[k] = static_cast<float>(way.x());
        block.y[k] = static_cast<float>(way.y());
        block.z[k] = static_cast<float>(way.z());
        block.to[k] = to;
        longest = std::max(longest, way.lpNorm<1>());
      }
    }
    // Products below the smallest floats are worth no more than this.
    constexpr double least = 1e-35;
    index.ways.back().level = static_cast<float>(16.0 * 0x1p-24 * longest + least);
  }
  index.ways.push_back({static_cast<std::int32_t>(index.blocks.size()), 0.0f});
}

// Vertices per cell are a few, cells no more than a small hull is worth.
int table_width_of(std::int32_t vertices) {
  return vertices <= 256 ? 8 : vertices <= 1500 ? 16 : 24;
}

// The directions of a cell are weighted means of the four at its corners, made a little larger than it is:
// which cell a direction is in is rounded, too.
struct CellCorners {
  CellCorners(int cell, int width) {
    const Vector3 middle = middle_of(cell, width);
    const int axis = cell / (width * width) / 2, s = axis == 0 ? 1 : 0, t = axis == 2 ? 1 : 2;
    const double half = (1.0 + 1e-6) / width;
    for (int k = 0; k < 4; ++k) {
      at[k] = middle;
      at[k][s] += (k & 1) != 0 ? half : -half;
      at[k][t] += (k & 2) != 0 ? half : -half;
    }
  }
  Vector3 at[4];
};

// Of one cell after the other: every vertex that may be the farthest along a direction of the cell.
//
// From the farthest along one direction of the cell, a way along edges leads up to the farthest along any
// other of them, d: each of its edges rises along d, and hence along a corner of the cell, since d is between
// those. So all that can be reached along edges which rise along a corner, or are level within the margin,
// are collected. Who is lower than another one at all four corners by more than the margin is so along all
// directions of the cell, and left out. The margin is a million times the rounding of heights.
class CandidateSearch {
 public:
  CandidateSearch(const HullIndex& index, double extent)
      : index_(index),
        margin_(1e-9 * extent),
        looked_at_(index.points.size()),
        taken_in_(index.points.size()),
        heights_(index.points.size()) {}

  // False: they are many, or not to be found from there.
  bool find(int cell, std::int32_t start) {
    if (index_.first_neighbour[start] == index_.first_neighbour[start + 1]) return false;  // no corner
    const CellCorners corners(cell, index_.table_width);
    ++cell_;
    found_.assign(1, start);
    look_at(start, corners);
    taken_in_[start] = cell_;
    for (std::size_t i = 0; i < found_.size(); ++i) {
      if (found_.size() > most_reached) return false;
      const std::int32_t v = found_[i];
      for (std::int32_t n = index_.first_neighbour[v]; n < index_.first_neighbour[v + 1]; ++n) {
        const std::int32_t w = index_.neighbours[n];
        if (taken_in_[w] == cell_) continue;
        if (looked_at_[w] != cell_) look_at(w, corners);
        if (!rises(v, w)) continue;
        found_.push_back(w);
        taken_in_[w] = cell_;
      }
    }
    keep_highest();
    return kept_.size() <= most_candidates;
  }

  const std::vector<std::int32_t>& kept() const { return kept_; }  // by number

 private:
  static constexpr std::size_t most_candidates = 48, most_reached = 256;

  void look_at(std::int32_t v, const CellCorners& corners) {
    looked_at_[v] = cell_;
    for (int k = 0; k < 4; ++k) heights_[v][k] = plain_height(corners.at[k], index_.points[v]);
  }

  // Along a corner of the cell, from v to w.
  bool rises(std::int32_t v, std::int32_t w) const {
    for (int k = 0; k < 4; ++k) {
      if (heights_[w][k] - heights_[v][k] > -margin_) return true;
    }
    return false;
  }

  bool is_lower(std::int32_t v, std::int32_t w) const {
    for (int k = 0; k < 4; ++k) {
      if (!(heights_[w][k] - heights_[v][k] > margin_)) return false;
    }
    return true;
  }

  // Who is lower is so than one that is kept: those that are higher at the corners together come first.
  void keep_highest() {
    const auto sum = [&](std::int32_t v) {
      return (heights_[v][0] + heights_[v][1]) + (heights_[v][2] + heights_[v][3]);
    };
    std::sort(found_.begin(), found_.end(), [&](std::int32_t v, std::int32_t w) { return sum(v) > sum(w); });
    kept_.clear();
    for (const std::int32_t v : found_) {
      if (std::none_of(kept_.begin(), kept_.end(), [&](std::int32_t w) { return is_lower(v, w); }))
        kept_.push_back(v);
    }
    std::sort(kept_.begin(), kept_.end());
  }

  const HullIndex& index_;
  double margin_;
  int cell_ = 0;
  std::vector<int> looked_at_, taken_in_;  // in which cell, counted from 1
  std::vector<std::array<double, 4>> heights_;
  std::vector<std::int32_t> found_, kept_;
};

// Vertices of a cell that most cells have room for.
int cell_size_of(std::int32_t vertices) {
  return vertices <= 1500 ? 4 : 8;
}

// Of an index that has a table.
void add_candidates(HullIndex& index) {
  double extent = 0.0;
  for (const Vector3& p : index.points) extent = std::max(extent, p.cwiseAbs().maxCoeff());
  // Lengths whose differences vanish or overflow are for those who climb.
  if (!(extent > 1e-200 && extent < 1e200) || index.count >= HullIndex::no_vertex) return;
  CandidateSearch search(index, extent);
  index.cell_size = cell_size_of(index.count);
  const auto size = static_cast<std::size_t>(index.cell_size);
  std::vector<std::uint16_t> cells(size * index.table.size());
  for (std::size_t cell = 0; cell < index.table.size(); ++cell) {
    if (!search.find(static_cast<int>(cell), index.table[cell])) return;
    const std::vector<std::int32_t>& kept = search.kept();
    const std::size_t where = cells.size();
    if (kept.size() > size) {
      for (const std::int32_t v : kept) cells.push_back(static_cast<std::uint16_t>(v));
    }
    std::uint16_t* const own = cells.data() + size * cell;
    for (std::size_t k = 0; k < size; ++k)
      own[k] = static_cast<std::uint16_t>(kept[std::min(k, kept.size() - 1)]);
    if (kept.size() <= size) continue;
    own[0] = HullIndex::no_vertex;
    own[1] = static_cast<std::uint16_t>(kept.size());
    own[2] = static_cast<std::uint16_t>(where & 0xffff);
    own[3] = static_cast<std::uint16_t>(where >> 16);
  }
  index.cells = std::move(cells);
}

// Numbers of vertices.
struct Candidates {
  const std::uint16_t* at;
  int count;
};

struct Highest {
  std::int32_t vertex;
  double height;
};

// The first of the highest of four. Which one is higher nobody foresees: its place is from a table, since
// compilers make branches of anything else.
Highest highest_of_four(const HullIndex& index, const Vector3& d, const std::uint16_t* at) {
  static constexpr std::uint8_t places[8] = {0, 1, 0, 1, 2, 2, 3, 3};
  const auto height = [&](std::size_t i) { return plain_height(d, index.points[at[i]]); };
  const double first = height(0), second = height(1), third = height(2), fourth = height(3);
  const double top = second > first ? second : first, other = fourth > third ? fourth : third;
  const unsigned of_top = second > first ? 1 : 0, of_other = fourth > third ? 2 : 0,
                 is_other = other > top ? 4 : 0;
  return {at[places[of_top | of_other | is_other]], other > top ? other : top};
}

Candidates candidates_of(const HullIndex& index, const std::uint16_t* cell) {
  if (cell[0] != HullIndex::no_vertex) return {cell, index.cell_size};
  return {index.cells.data() + (cell[2] | static_cast<std::size_t>(cell[3]) << 16), cell[1]};
}

std::int32_t farthest_candidate(const HullIndex& index, const Vector3& d) {
  const int cell = cell_of(d, index.table_width);
  const auto [at, count] = candidates_of(index, index.cells.data() + cell * index.cell_size);
  std::int32_t best = at[0];
  double top = plain_height(d, index.points[static_cast<std::size_t>(best)]);
  for (int i = 1; i < count; ++i) {
    const double height = plain_height(d, index.points[static_cast<std::size_t>(at[i])]);
    best = height > top ? at[i] : best;
    top = height > top ? height : top;
  }
  return best;
}

}  // namespace

HullIndex::HullIndex(std::span<const Vector3> corners, std::span<const std::int32_t> corner_neighbours,
                     std::span<const std::int32_t> corner_first)
    : count(static_cast<std::int32_t>(corners.size())) {
  if (count <= scanned_vertices || corner_neighbours.empty()) {
    const std::size_t padded = (corners.size() + 7) / 8 * 8;
    columns.resize(3 * padded);
    for (std::size_t i = 0; i < padded; ++i) {
      const Vector3& p = corners[i < corners.size() ? i : 0];
      for (std::size_t k = 0; k < 3; ++k) columns[k * padded + i] = p[static_cast<int>(k)];
    }
    return;
  }
  points.assign(corners.begin(), corners.end());
  neighbours.assign(corner_neighbours.begin(), corner_neighbours.end());
  first_neighbour.assign(corner_first.begin(), corner_first.end());
  add_ways(*this);
  table_width = table_width_of(count);
  table.resize(static_cast<std::size_t>(6 * table_width * table_width));
  std::int32_t vertex = 0;
  for (std::size_t cell = 0; cell < table.size(); ++cell) {
    const FloatDirection direction(middle_of(static_cast<int>(cell), table_width));
    vertex = elementary::climbed(*this, direction.at, vertex);
    table[cell] = vertex;
  }
  add_candidates(*this);
}

std::int32_t farthest_vertex(const HullIndex& index, const Vector3& direction, std::int32_t hint) {
  if (index.is_scanned()) return elementary::scanned(index, direction);
  if (index.is_exact()) return farthest_candidate(index, direction);
  std::int32_t start = index.table[static_cast<std::size_t>(cell_of(direction, index.table_width))];
  if (hint >= 0 && plain_height(direction, index.points[static_cast<std::size_t>(hint)]) >
                       plain_height(direction, index.points[static_cast<std::size_t>(start)]))
    start = hint;
  return elementary::climbed(index, FloatDirection(direction).at, start);
}

const std::uint16_t* cell_along(const HullIndex& index, const Vector3& direction) {
  const std::uint16_t* const cell =
      index.cells.data() + cell_of_many(direction, index.table_width) * index.cell_size;
  __builtin_prefetch(cell);
  return cell;
}

void fetch_candidates(const HullIndex& index, const std::uint16_t* cell) {
  const Candidates candidates = candidates_of(index, cell);
  for (int i = 0; i < candidates.count; ++i) __builtin_prefetch(index.points.data() + candidates.at[i]);
}

std::int32_t farthest_of_cell(const HullIndex& index, const Vector3& d, const std::uint16_t* cell) {
  const Candidates candidates = candidates_of(index, cell);
  Highest best = highest_of_four(index, d, candidates.at);
  for (int i = 4; i < candidates.count; ++i) {
    const double height = plain_height(d, index.points[candidates.at[i]]);
    if (height > best.height) best = {candidates.at[i], height};
  }
  return best.vertex;
}

ScanTwo* scan_two_corners() {
  return elementary::scan_two_here();
}

std::int32_t near_vertex(const HullIndex& index, const Vector3& direction) {
  if (index.is_scanned()) return elementary::scanned(index, direction);
  return index.table[static_cast<std::size_t>(cell_of(direction, index.table_width))];
}

namespace {

// Whether q is surely lower than p. Rounded: the difference, the product, two sums, each u of terms that sum
// to `magnitude`, which is computed low by as many. 8 u has room.
bool is_surely_lower(const Vector3& d, const Vector3& q, const Vector3& p) {
  const double x = d.x() * (q.x() - p.x()), y = d.y() * (q.y() - p.y()), z = d.z() * (q.z() - p.z());
  const double magnitude = std::abs(x) + std::abs(y) + std::abs(z);
  return magnitude > 1e-250 && x + y + z < -8.0 * unit_roundoff * magnitude;
}

}  // namespace

int height_sign(const Vector3& d, const Vector3& q, const Vector3& p) {
  const double x = d.x() * (q.x() - p.x()), y = d.y() * (q.y() - p.y()), z = d.z() * (q.z() - p.z());
  const double value = x + y + z, magnitude = std::abs(x) + std::abs(y) + std::abs(z);
  // As for is_surely_lower.
  if (magnitude > 1e-250 && std::abs(value) > 8.0 * unit_roundoff * magnitude) return value > 0.0 ? 1 : -1;
  // Powers of two keep the products in range; zeros of coordinates that differ by 2^1000 stay exact zeros.
  const double largest = std::max({d.cwiseAbs().maxCoeff(), std::numeric_limits<double>::min()});
  const double extent =
      std::max({q.cwiseAbs().maxCoeff(), p.cwiseAbs().maxCoeff(), std::numeric_limits<double>::min()});
  const double scale_d = std::ldexp(1.0, std::clamp(200 - std::ilogb(largest), -1022, 1023));
  const double scale_p = std::ldexp(1.0, std::clamp(200 - std::ilogb(extent), -1022, 1023));
  elementary::Expansion<16> sum;
  for (int k = 0; k < 3; ++k) {
    elementary::Expansion<1> factor;
    factor.push(scale_d * d[k]);
    sum.add(elementary::product(factor, elementary::difference(scale_p * q[k], scale_p * p[k])));
  }
  return sum.sign();
}

namespace {

// The vertex none of whose neighbours is higher, decided without rounding: no other is higher then, since the
// hull is convex.
std::int32_t farthest_exactly(const HullIndex& index, const Vector3& direction, std::int32_t vertex) {
  for (;;) {
    std::int32_t higher = -1;
    for (std::int32_t i = index.first_neighbour[vertex]; i < index.first_neighbour[vertex + 1]; ++i) {
      const std::int32_t next = index.neighbours[i];
      if (is_surely_lower(direction, index.points[next], index.points[vertex]) ||
          height_sign(direction, index.points[next], index.points[vertex]) <= 0)
        continue;
      higher = next;
      break;
    }
    if (higher < 0) return vertex;
    vertex = higher;
  }
}

}  // namespace

std::int32_t proven_farthest(const HullIndex& index, const Vector3& direction, std::int32_t vertex) {
  if (index.is_scanned()) return vertex;
  if (index.is_exact()) return farthest_candidate(index, direction);
  constexpr int room = 16, most_climbs = 4;
  const FloatDirection d(direction);
  std::int32_t set[room] = {vertex};
  for (int climb = 0; climb < most_climbs; ++climb) {
    const int count = elementary::levelled(index, d.at, set, room);
    if (count == 0) {
      set[0] = elementary::climbed(index, d.at, set[0]);
      continue;
    }
    // From a vertex of the set that is not the highest of all a way leads up, which is not lower for certain:
    // so the highest is in the set.
    std::int32_t best = set[0];
    double height = plain_height(direction, index.points[static_cast<std::size_t>(best)]);
    for (int i = 1; i < count; ++i) {
      const double other = plain_height(direction, index.points[static_cast<std::size_t>(set[i])]);
      if (other < height || (other == height && set[i] > best)) continue;
      height = other;
      best = set[i];
    }
    return best;
  }
  return farthest_exactly(index, direction, set[0]);
}

}  // namespace toccata
#endif  // HWY_ONCE
