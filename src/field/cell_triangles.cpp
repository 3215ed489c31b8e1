#include "field/cell_triangles.hpp"

#include <algorithm>
#include <cmath>

#ifndef TOCCATA_FIELD_LEAST_SEEN
#define TOCCATA_FIELD_LEAST_SEEN
namespace toccata::field {
struct Least {
  double gap, low;
};
}  // namespace toccata::field
#endif

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "field/cell_triangles.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include "field/lane_vector-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace toccata::field {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<double, TriangleBlock::width>;
using V = hn::Vec<D>;
using V3 = LaneVector<V>;

HWY_INLINE V3 set3(D tag, const Vector3& v) {
  return {hn::Set(tag, v.x()), hn::Set(tag, v.y()), hn::Set(tag, v.z())};
}
HWY_INLINE V3 load3(D tag, const double (*p)[TriangleBlock::width], std::size_t at) {
  return {hn::Load(tag, p[0] + at), hn::Load(tag, p[1] + at), hn::Load(tag, p[2] + at)};
}

// Triangles as a block has them, seen from a place.
struct Seen {
  V3 a, b, c;
  V3 inverse;
  V3 normal;
};

HWY_INLINE Seen seen_from(D tag, const TriangleBlock& block, std::size_t at, const V3& place) {
  return {minus(load3(tag, block.row, at), place), minus(load3(tag, block.row + 3, at), place),
          minus(load3(tag, block.row + 6, at), place), load3(tag, block.row + 9, at),
          load3(tag, block.row + 12, at)};
}

// From zero to the nearest point of each triangle.
struct Nearest {
  V3 way;  // unit or zero
  V gap;
  V3 normal;  // unit or zero, away from zero
};

HWY_INLINE void take_edge(D tag, const V3& start, const V3& edge, V inverse, V3& to, V& least) {
  const V along = hn::Mul(hn::Neg(dot(start, edge)), inverse);
  const V t = hn::Min(hn::Max(along, hn::Zero(tag)), hn::Set(tag, 1.0));
  const V3 near = {hn::Add(hn::Mul(t, edge.x), start.x), hn::Add(hn::Mul(t, edge.y), start.y),
                   hn::Add(hn::Mul(t, edge.z), start.z)};
  const V squared = dot(near, near);
  to = choose(hn::Lt(squared, least), near, to);
  least = hn::Min(squared, least);
}

HWY_INLINE Nearest nearest_to_zero(D tag, const Seen& t) {
  const V zero = hn::Zero(tag), one = hn::Set(tag, 1.0);
  const V3 ab = minus(t.b, t.a), bc = minus(t.c, t.b), ca = minus(t.a, t.c);
  V3 to = t.a;
  V least = hn::Set(tag, INFINITY);
  take_edge(tag, t.a, ab, t.inverse.x, to, least);
  take_edge(tag, t.b, bc, t.inverse.y, to, least);
  take_edge(tag, t.c, ca, t.inverse.z, to, least);
  // Never of needles, whose normal is zero.
  const V3& n = t.normal;
  const auto is_inside =
      hn::And(hn::Gt(dot(cross(t.a, ab), n), zero),
              hn::And(hn::Gt(dot(cross(t.b, bc), n), zero), hn::Gt(dot(cross(t.c, ca), n), zero)));
  const V height = dot(t.a, n);
  const V root = hn::Sqrt(hn::Max(least, hn::Set(tag, 1e-300)));
  Nearest result;
  result.normal = times(n, hn::CopySign(one, height));
  result.gap = hn::IfThenElse(is_inside, hn::Abs(height), root);
  result.way = choose(is_inside, result.normal, times(to, hn::Div(one, root)));
  return result;
}

void prepare_kernel(TriangleBlock* blocks, std::size_t count) {
  const D tag;
  const V tiny = hn::Set(tag, 1e-300), one = hn::Set(tag, 1.0);
  for (std::size_t block = 0; block < count; ++block) {
    for (std::size_t at = 0; at < TriangleBlock::width; at += hn::Lanes(tag)) {
      double(*const row)[TriangleBlock::width] = blocks[block].row;
      const V3 a = load3(tag, row, at), b = load3(tag, row + 3, at), c = load3(tag, row + 6, at);
      const V3 ab = minus(b, a), bc = minus(c, b), ca = minus(a, c), n = cross(ca, ab);
      const V ab2 = dot(ab, ab), bc2 = dot(bc, bc), ca2 = dot(ca, ca), n2 = dot(n, n);
      const auto is_needle = hn::Le(n2, hn::Mul(hn::Set(tag, 1e-6), hn::Mul(ab2, ca2)));
      const V inverse = hn::IfThenElse(is_needle, hn::Zero(tag), hn::Div(one, hn::Sqrt(hn::Max(n2, tiny))));
      const V3 unit = times(n, inverse);
      const V rows[6] = {hn::Div(one, hn::Max(ab2, tiny)),
                         hn::Div(one, hn::Max(bc2, tiny)),
                         hn::Div(one, hn::Max(ca2, tiny)),
                         unit.x,
                         unit.y,
                         unit.z};
      for (int k = 0; k < 6; ++k) hn::Store(rows[k], tag, row[9 + k] + at);
    }
  }
}

// turned: null, or for the function times -1, too.
Least look_kernel(const TriangleBlock* blocks, std::size_t count, const CurvePiece& piece, double* gaps,
                  double* lows, double* overs, double* turned) {
  const D tag;
  V least_gap = hn::Set(tag, INFINITY), least_low = least_gap;
  const V3 middle = set3(tag, piece.middle), slope = set3(tag, piece.slope);
  const V half = hn::Set(tag, piece.half), value = hn::Set(tag, piece.value),
          bulge = hn::Set(tag, piece.bulge);
  const double length = piece.slope.norm();
  const V3 along = set3(tag, length > 0.0 ? Vector3(piece.slope / length) : Vector3(Vector3::Zero()));
  const V off_along = hn::Mul(half, sum_of(minus(slope, along)));
  for (std::size_t block = 0; block < count; ++block) {
    for (std::size_t at = 0; at < TriangleBlock::width; at += hn::Lanes(tag)) {
      const Seen seen = seen_from(tag, blocks[block], at, middle);
      const V3 &a = seen.a, &b = seen.b, &c = seen.c;
      const Nearest nearest = nearest_to_zero(tag, seen);
      // Towards the triangle, so that heights count from the middle.
      const V3& u = nearest.way;
      const auto least = [&](const V3& way)
                             HWY_ATTR { return hn::Min(dot(way, a), hn::Min(dot(way, b), dot(way, c))); };
      const V low = least(u);
      const auto off = [&](const V3& v) HWY_ATTR { return hn::Mul(half, sum_of(v)); };
      const auto plus = [&](const V3& v) HWY_ATTR {
        return V3{hn::Add(slope.x, v.x), hn::Add(slope.y, v.y), hn::Add(slope.z, v.z)};
      };
      // The height above a plane counts on either side of it.
      const V3& n = nearest.normal;
      const V with = off(minus(slope, n)), against = off(plus(n)), least_height = least(n);
      const V most_height = hn::Max(dot(n, a), hn::Max(dot(n, b), dot(n, c)));
      const V in_a = dot(along, a), in_b = dot(along, b), in_c = dot(along, c);
      const V over = hn::Min(
          hn::Min(hn::Sub(off(plus(u)), low), hn::Sub(against, least_height)),
          hn::Min(hn::Add(with, most_height), hn::Add(off_along, hn::Max(in_a, hn::Max(in_b, in_c)))));
      const std::size_t to = block * TriangleBlock::width + at;
      hn::StoreU(nearest.gap, tag, gaps + to);
      const V from_zero = hn::Max(low, hn::Zero(tag));
      least_gap = hn::Min(least_gap, nearest.gap);
      least_low = hn::Min(least_low, from_zero);
      hn::StoreU(from_zero, tag, lows + to);
      hn::StoreU(hn::Add(hn::Add(over, value), bulge), tag, overs + to);
      if (turned == nullptr) continue;
      const V under = hn::Min(
          hn::Min(hn::Sub(off(minus(slope, u)), low), hn::Sub(with, least_height)),
          hn::Min(hn::Add(against, most_height), hn::Sub(off_along, hn::Min(in_a, hn::Min(in_b, in_c)))));
      hn::StoreU(hn::Sub(under, value), tag, turned + to);
    }
  }
  return {hn::GetLane(hn::MinOfLanes(tag, least_gap)), hn::GetLane(hn::MinOfLanes(tag, least_low))};
}

double least_gap_kernel(const TriangleBlock* blocks, std::size_t count, const Vector3& place) {
  const D tag;
  const V3 here = set3(tag, place);
  V least = hn::Set(tag, INFINITY);
  for (std::size_t block = 0; block < count; ++block) {
    for (std::size_t at = 0; at < TriangleBlock::width; at += hn::Lanes(tag)) {
      least = hn::Min(least, nearest_to_zero(tag, seen_from(tag, blocks[block], at, here)).gap);
    }
  }
  return hn::GetLane(hn::MinOfLanes(tag, least));
}

void farthest_kernel(const TriangleBlock* blocks, std::size_t count, const Vector3& place, double* farthest) {
  const D tag;
  const V3 here = set3(tag, place);
  for (std::size_t block = 0; block < count; ++block) {
    for (std::size_t at = 0; at < TriangleBlock::width; at += hn::Lanes(tag)) {
      const auto away = [&](int i) HWY_ATTR {
        return sum_of(minus(load3(tag, blocks[block].row + 3 * i, at), here));
      };
      hn::StoreU(hn::Max(away(0), hn::Max(away(1), away(2))), tag,
                 farthest + block * TriangleBlock::width + at);
    }
  }
}

double likely_height_kernel(const TriangleBlock* blocks, std::size_t count, const Vector3& place,
                            const Vector3& up) {
  const D tag;
  const V3 here = set3(tag, place), towards = set3(tag, up);
  double least = INFINITY, side = 1.0;
  for (std::size_t block = 0; block < count; ++block) {
    for (std::size_t at = 0; at < TriangleBlock::width; at += hn::Lanes(tag)) {
      const Nearest nearest = nearest_to_zero(tag, seen_from(tag, blocks[block], at, here));
      alignas(64) double gap[TriangleBlock::width], turned[TriangleBlock::width];
      hn::Store(nearest.gap, tag, gap);
      hn::Store(dot(nearest.normal, towards), tag, turned);
      for (std::size_t k = 0; k < hn::Lanes(tag); ++k) {
        if (gap[k] >= least) continue;
        least = gap[k];
        side = turned[k] < 0.0 ? 1.0 : -1.0;
      }
    }
  }
  return side * least;
}

void corner_gaps_kernel(const TriangleBlock& block, std::size_t column, const Vector3& middle, double half,
                        double* gaps) {
  const D tag;
  alignas(64) double side[3][8];
  for (int k = 0; k < 8; ++k) {
    for (int i = 0; i < 3; ++i) side[i][k] = middle[i] + ((k >> i & 1) != 0 ? half : -half);
  }
  const auto all = [&](std::size_t row) HWY_ATTR {
    return V3{hn::Set(tag, block.row[row][column]), hn::Set(tag, block.row[row + 1][column]),
              hn::Set(tag, block.row[row + 2][column])};
  };
  for (std::size_t at = 0; at < 8; at += hn::Lanes(tag)) {
    const V3 corner = load3(tag, side, at);
    const Seen seen = {minus(all(0), corner), minus(all(3), corner), minus(all(6), corner), all(9), all(12)};
    hn::StoreU(nearest_to_zero(tag, seen).gap, tag, gaps + at);
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace toccata::field
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toccata::field {

HWY_EXPORT(prepare_kernel);
HWY_EXPORT(look_kernel);
HWY_EXPORT(least_gap_kernel);
HWY_EXPORT(farthest_kernel);
HWY_EXPORT(likely_height_kernel);
HWY_EXPORT(corner_gaps_kernel);

void CellTriangles::clear() {
  ids_.clear();
  has_corners_only_ = false;
}

// Numbers so far apart from each other.
void CellTriangles::fill(std::size_t at, const double* rows, std::size_t count, std::size_t apart) {
  const std::size_t block = at / TriangleBlock::width;
  if (block == blocks_.size()) blocks_.emplace_back();
  double* const to = &blocks_[block].row[0][at % TriangleBlock::width];
  for (std::size_t i = 0; i < count; ++i) to[i * TriangleBlock::width] = rows[i * apart];
}

void CellTriangles::add(std::int32_t id, const Triangle& triangle) {
  fill(ids_.size(), triangle[0].data(), 9, 1);
  ids_.push_back(id);
  has_corners_only_ = true;
}

void CellTriangles::add(const CellTriangles& other, std::size_t at) {
  fill(ids_.size(), &other.blocks_[at / TriangleBlock::width].row[0][at % TriangleBlock::width],
       TriangleBlock::rows, TriangleBlock::width);
  ids_.push_back(other.ids_[at]);
}

void CellTriangles::close() {
  if (ids_.empty()) return;
  const std::size_t last = ids_.size() - 1;
  for (std::size_t at = ids_.size(); at % TriangleBlock::width != 0; ++at)
    fill(at, &blocks_[last / TriangleBlock::width].row[0][last % TriangleBlock::width], TriangleBlock::rows,
         TriangleBlock::width);
  if (has_corners_only_) HWY_DYNAMIC_DISPATCH(prepare_kernel)(blocks_.data(), blocks_for(ids_.size()));
}

Triangle CellTriangles::triangle(std::size_t at) const {
  const TriangleBlock& block = blocks_[at / TriangleBlock::width];
  const std::size_t column = at % TriangleBlock::width;
  Triangle result;
  for (std::size_t i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) result[i][k] = block.row[3 * i + static_cast<std::size_t>(k)][column];
  return result;
}

void TriangleLook::resize(std::size_t blocks) {
  if (gap.size() >= blocks * TriangleBlock::width) return;
  gap.resize(blocks * TriangleBlock::width);
  low.resize(blocks * TriangleBlock::width);
  over.resize(blocks * TriangleBlock::width);
  over_turned.resize(blocks * TriangleBlock::width);
}

std::size_t TriangleLook::nearest() const {
  std::size_t at = 0;
  while (gap[at] != least_gap) ++at;
  return at;
}

namespace {

void look(const CellTriangles& triangles, const CurvePiece& piece, TriangleLook& look, double* turned) {
  const Least least =
      HWY_DYNAMIC_DISPATCH(look_kernel)(triangles.blocks(), CellTriangles::blocks_for(triangles.size()),
                                        piece, look.gap.data(), look.low.data(), look.over.data(), turned);
  look.least_gap = least.gap;
  look.least_low = least.low;
}

}  // namespace

void look_at_triangles(const CellTriangles& triangles, const CurvePiece& piece, TriangleLook& found) {
  found.resize(CellTriangles::blocks_for(triangles.size()));
  look(triangles, piece, found, nullptr);
}

void look_on_both_sides(const CellTriangles& triangles, const CurvePiece& plane, TriangleLook& found) {
  found.resize(CellTriangles::blocks_for(triangles.size()));
  look(triangles, plane, found, found.over_turned.data());
}

void farthest_corners(const CellTriangles& triangles, const Vector3& place, std::vector<double>& farthest) {
  const std::size_t blocks = CellTriangles::blocks_for(triangles.size());
  farthest.resize(blocks * TriangleBlock::width);
  HWY_DYNAMIC_DISPATCH(farthest_kernel)(triangles.blocks(), blocks, place, farthest.data());
}

double least_gap(const CellTriangles& triangles, const Vector3& place, std::size_t count) {
  return HWY_DYNAMIC_DISPATCH(least_gap_kernel)(triangles.blocks(), CellTriangles::blocks_for(count), place);
}

double likely_height(const CellTriangles& triangles, const Vector3& place, const Vector3& up,
                     std::size_t count) {
  return HWY_DYNAMIC_DISPATCH(likely_height_kernel)(triangles.blocks(), CellTriangles::blocks_for(count),
                                                    place, up);
}

void corner_gaps(const CellTriangles& triangles, std::size_t which, const Vector3& middle, double half,
                 double* gaps) {
  HWY_DYNAMIC_DISPATCH(corner_gaps_kernel)
  (triangles.blocks()[which / TriangleBlock::width], which % TriangleBlock::width, middle, half, gaps);
}

}  // namespace toccata::field
#endif
