#include "field/cell_triangles.hpp"

#include <algorithm>
#include <cmath>

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

// From zero to the nearest point of each triangle.
struct Nearest {
  V3 to;  // of a length that does not matter
  V squared;
  V gap;
  V3 normal;  // unit or zero, away from zero
};

HWY_INLINE void take_edge(D tag, const V3& start, const V3& edge, V squared_length, V3& to, V& least) {
  const V safe = hn::Max(squared_length, hn::Set(tag, 1e-300));
  const V t = hn::Min(hn::Max(hn::Div(hn::Neg(dot(start, edge)), safe), hn::Zero(tag)), hn::Set(tag, 1.0));
  const V3 near = {hn::Add(hn::Mul(t, edge.x), start.x), hn::Add(hn::Mul(t, edge.y), start.y),
                   hn::Add(hn::Mul(t, edge.z), start.z)};
  const V squared = dot(near, near);
  to = choose(hn::Lt(squared, least), near, to);
  least = hn::Min(squared, least);
}

HWY_INLINE Nearest nearest_to_zero(D tag, const V3& a, const V3& b, const V3& c) {
  const V zero = hn::Zero(tag), one = hn::Set(tag, 1.0), tiny = hn::Set(tag, 1e-300);
  const V3 ab = minus(b, a), bc = minus(c, b), ca = minus(a, c);
  const V ab2 = dot(ab, ab), bc2 = dot(bc, bc), ca2 = dot(ca, ca);
  V3 to = a;
  V least = hn::Set(tag, INFINITY);
  take_edge(tag, a, ab, ab2, to, least);
  take_edge(tag, b, bc, bc2, to, least);
  take_edge(tag, c, ca, ca2, to, least);
  const V3 n = cross(ca, ab);
  const V n2 = dot(n, n);
  const auto is_needle = hn::Le(n2, hn::Mul(hn::Set(tag, 1e-6), hn::Mul(ab2, ca2)));
  const auto is_above =
      hn::And(hn::Gt(dot(cross(a, ab), n), zero),
              hn::And(hn::Gt(dot(cross(b, bc), n), zero), hn::Gt(dot(cross(c, ca), n), zero)));
  const auto is_inside = hn::AndNot(is_needle, is_above);
  const V height = dot(a, n);
  const V length = hn::Sqrt(hn::Max(n2, tiny));
  const V towards = hn::Div(hn::CopySign(one, height), length);
  Nearest result;
  result.normal = times(n, hn::IfThenElse(is_needle, zero, towards));
  result.gap = hn::IfThenElse(is_inside, hn::Div(hn::Abs(height), length), hn::Sqrt(least));
  result.to = choose(is_inside, result.normal, to);
  result.squared = hn::IfThenElse(is_inside, one, least);
  return result;
}

void look_kernel(const TriangleBlock* blocks, std::size_t count, const CurvePiece& piece, double* gaps,
                 double* lows, double* overs) {
  const D tag;
  const V3 middle = set3(tag, piece.middle), slope = set3(tag, piece.slope);
  const V half = hn::Set(tag, piece.half), value = hn::Set(tag, piece.value),
          bulge = hn::Set(tag, piece.bulge);
  const double length = piece.slope.norm();
  const V3 along = set3(tag, length > 0.0 ? Vector3(piece.slope / length) : Vector3(Vector3::Zero()));
  const V off_along = hn::Mul(half, sum_of(minus(slope, along)));
  for (std::size_t block = 0; block < count; ++block) {
    for (std::size_t at = 0; at < TriangleBlock::width; at += hn::Lanes(tag)) {
      const auto& corner = blocks[block].corner;
      const V3 a = minus(load3(tag, corner[0], at), middle), b = minus(load3(tag, corner[1], at), middle),
               c = minus(load3(tag, corner[2], at), middle);
      const Nearest nearest = nearest_to_zero(tag, a, b, c);
      // Towards the triangle, so that heights count from the middle.
      const V inverse = hn::Div(hn::Set(tag, 1.0), hn::Sqrt(hn::Max(nearest.squared, hn::Set(tag, 1e-300))));
      const V3 u = times(nearest.to, inverse);
      const auto least = [&](const V3& way)
                             HWY_ATTR { return hn::Min(dot(way, a), hn::Min(dot(way, b), dot(way, c))); };
      const V low = least(u);
      V over = hn::Sub(
          hn::Mul(half, sum_of(V3{hn::Add(slope.x, u.x), hn::Add(slope.y, u.y), hn::Add(slope.z, u.z)})),
          low);
      // The height above a plane counts on either side of it.
      const V3& n = nearest.normal;
      over = hn::Min(over, hn::Sub(hn::Mul(half, sum_of(V3{hn::Add(slope.x, n.x), hn::Add(slope.y, n.y),
                                                           hn::Add(slope.z, n.z)})),
                                   least(n)));
      const V farthest = hn::Max(dot(n, a), hn::Max(dot(n, b), dot(n, c)));
      over = hn::Min(over, hn::Add(hn::Mul(half, sum_of(minus(slope, n))), farthest));
      const V highest = hn::Max(dot(along, a), hn::Max(dot(along, b), dot(along, c)));
      over = hn::Min(over, hn::Add(off_along, highest));
      const std::size_t to = block * TriangleBlock::width + at;
      hn::StoreU(nearest.gap, tag, gaps + to);
      hn::StoreU(hn::Max(low, hn::Zero(tag)), tag, lows + to);
      hn::StoreU(hn::Add(hn::Add(over, value), bulge), tag, overs + to);
    }
  }
}

double least_gap_kernel(const TriangleBlock* blocks, std::size_t count, const Vector3& place) {
  const D tag;
  const V3 here = set3(tag, place);
  V least = hn::Set(tag, INFINITY);
  for (std::size_t block = 0; block < count; ++block) {
    for (std::size_t at = 0; at < TriangleBlock::width; at += hn::Lanes(tag)) {
      const auto& corner = blocks[block].corner;
      const V3 a = minus(load3(tag, corner[0], at), here), b = minus(load3(tag, corner[1], at), here),
               c = minus(load3(tag, corner[2], at), here);
      least = hn::Min(least, nearest_to_zero(tag, a, b, c).gap);
    }
  }
  return hn::GetLane(hn::MinOfLanes(tag, least));
}

void farthest_kernel(const TriangleBlock* blocks, std::size_t count, const Vector3& place, double* farthest) {
  const D tag;
  const V3 here = set3(tag, place);
  for (std::size_t block = 0; block < count; ++block) {
    for (std::size_t at = 0; at < TriangleBlock::width; at += hn::Lanes(tag)) {
      const auto away = [&](int i)
                            HWY_ATTR { return sum_of(minus(load3(tag, blocks[block].corner[i], at), here)); };
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
      const auto& corner = blocks[block].corner;
      const V3 a = minus(load3(tag, corner[0], at), here), b = minus(load3(tag, corner[1], at), here),
               c = minus(load3(tag, corner[2], at), here);
      const Nearest nearest = nearest_to_zero(tag, a, b, c);
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

void corner_gaps_kernel(const Triangle& triangle, const Vector3& middle, double half, double* gaps) {
  const D tag;
  alignas(64) double side[3][8];
  for (int k = 0; k < 8; ++k) {
    for (int i = 0; i < 3; ++i) side[i][k] = middle[i] + ((k >> i & 1) != 0 ? half : -half);
  }
  for (std::size_t at = 0; at < 8; at += hn::Lanes(tag)) {
    const V3 corner = load3(tag, side, at);
    const auto from = [&](std::size_t i) HWY_ATTR { return minus(set3(tag, triangle[i]), corner); };
    hn::StoreU(nearest_to_zero(tag, from(0), from(1), from(2)).gap, tag, gaps + at);
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace toccata::field
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toccata::field {

HWY_EXPORT(look_kernel);
HWY_EXPORT(least_gap_kernel);
HWY_EXPORT(farthest_kernel);
HWY_EXPORT(likely_height_kernel);
HWY_EXPORT(corner_gaps_kernel);

void CellTriangles::clear() {
  ids_.clear();
}

// Nine numbers, so far apart from each other.
void CellTriangles::fill(std::size_t at, const double* corners, std::size_t apart) {
  const std::size_t block = at / TriangleBlock::width;
  if (block == blocks_.size()) blocks_.emplace_back();
  double* const to = &blocks_[block].corner[0][0][at % TriangleBlock::width];
  for (std::size_t i = 0; i < 9; ++i) to[i * TriangleBlock::width] = corners[i * apart];
}

void CellTriangles::add(std::int32_t id, const Triangle& triangle) {
  fill(ids_.size(), triangle[0].data(), 1);
  ids_.push_back(id);
}

void CellTriangles::add(const CellTriangles& other, std::size_t at) {
  fill(ids_.size(), &other.blocks_[at / TriangleBlock::width].corner[0][0][at % TriangleBlock::width],
       TriangleBlock::width);
  ids_.push_back(other.ids_[at]);
}

void CellTriangles::close() {
  if (ids_.empty()) return;
  const std::size_t last = ids_.size() - 1;
  for (std::size_t at = ids_.size(); at % TriangleBlock::width != 0; ++at)
    fill(at, &blocks_[last / TriangleBlock::width].corner[0][0][last % TriangleBlock::width],
         TriangleBlock::width);
}

Triangle CellTriangles::triangle(std::size_t at) const {
  const TriangleBlock& block = blocks_[at / TriangleBlock::width];
  const std::size_t column = at % TriangleBlock::width;
  Triangle result;
  for (std::size_t i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) result[i][k] = block.corner[i][k][column];
  return result;
}

void TriangleLook::resize(std::size_t blocks) {
  if (gap.size() >= blocks * TriangleBlock::width) return;
  gap.resize(blocks * TriangleBlock::width);
  low.resize(blocks * TriangleBlock::width);
  over.resize(blocks * TriangleBlock::width);
}

void look_at_triangles(const CellTriangles& triangles, const CurvePiece& piece, TriangleLook& look) {
  const std::size_t blocks = CellTriangles::blocks_for(triangles.size());
  look.resize(blocks);
  HWY_DYNAMIC_DISPATCH(look_kernel)
  (triangles.blocks(), blocks, piece, look.gap.data(), look.low.data(), look.over.data());
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

void corner_gaps(const Triangle& triangle, const Vector3& middle, double half, double* gaps) {
  HWY_DYNAMIC_DISPATCH(corner_gaps_kernel)(triangle, middle, half, gaps);
}

}  // namespace toccata::field
#endif
