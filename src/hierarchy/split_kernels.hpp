#pragma once
// Where to cut a set of triangles in two, so that the oriented boxes of both parts are small; in SIMD lanes,
// with the same bits in any number of them.
//
// The size of a box is not fitted but told from the covariance of the surface inside: with its eigenvalues
// l_i, whose roots are the box's sides up to a factor, the box's area is about the sum of sqrt(l_i l_j), for
// which invariants of the matrix suffice. So moments, which add up, say everything about every cut, and
// sorting them into bins along a few axes gives all cuts at once. Nothing here needs to be exact.
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "toccata/base/vector.hpp"

namespace toccata::hierarchy {

struct TreePoint;

// Area, first and second moments of surfaces about one point, and how many triangles: area; area times x, y,
// z; xx xy xz yy; yz zz, number of triangles, 0. Lengths in units of the mesh's reach, so that floats do.
using SplitMoments = std::array<float, 12>;

// Where a triangle is, or a few of them, and its number.
struct alignas(16) SplitItem {
  float place[3];
  std::uint32_t number;
};

// All that is known of one: a line of the cache.
struct alignas(64) SplitRow {
  SplitMoments moments;
  SplitItem item;
};

// Three directions, [axis][coordinate].
using SplitAxes = std::array<std::array<float, 3>, 3>;

// Items with (normal . place - low) * rate < limit are before it.
struct SplitPlane {
  std::array<float, 3> normal = {0.0F, 0.0F, 0.0F};
  float low = 0.0F;
  float rate = 1.0F;
  float limit = 0.0F;

  bool is_before(const SplitItem& item) const {
    const float height = normal[0] * item.place[0] + normal[1] * item.place[1] + normal[2] * item.place[2];
    return (height - low) * rate < limit;
  }
};

// One row for each triangle, given by its corners' places in the list of points, which are multiplied by
// `unit`: moments about `origin`, the middle of its bounding box relative to that, which two halves of a
// square share: no cut parts them. Their numbers are 0.
struct RowSource {
  const TreePoint* points;
  double unit;
  std::array<float, 3> origin;
};
void make_rows(const RowSource& source, std::span<const std::int32_t* const> corners, SplitRow* rows);

// Their moments together, at the mean of their places.
SplitRow mean_row(std::span<const SplitRow> rows);

// Items, every `step`-th of which is looked at, and rows by the items' numbers.
struct SplitSamples {
  std::span<const SplitItem> items;
  const SplitRow* rows;
  std::size_t step = 1;
};

SplitMoments sum_of(const SplitSamples& samples);

// The moments of what is looked at on both sides.
struct SplitCut {
  bool is_found = false;  // not where all places coincide
  SplitPlane plane;
  SplitMoments before;
  SplitMoments behind;
};
SplitCut best_cut(const SplitSamples& samples, const SplitAxes& principal);

// Where so many items of a row part, and the longest sides of the boxes of places on both sides.
struct SplitSides {
  std::size_t before = 0;
  float extent_before = 0.0F;
  float extent_behind = 0.0F;
};
// Items before the plane first, in their order on both sides: neighbours stay neighbours. Half of them where
// one side would be empty. `spare` has room for all.
SplitSides put_before(const SplitPlane& plane, std::span<SplitItem> items, SplitItem* spare);

}  // namespace toccata::hierarchy
