#include "impact/indexed_axes.hpp"

#include "impact/lane_verdicts.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impact/indexed_axes.cpp"
#include <hwy/foreach_target.h>
// after foreach_target
#include <hwy/cache_control.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace toccata::impact::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Points = std::array<std::int32_t, 4>;

// How many queries ahead the list of points is asked for.
constexpr std::size_t ahead = 512;

#if HWY_TARGET == HWY_SCALAR
constexpr std::size_t at_once = 1;

// Per query: 0 where no axis separates it.
template <bool edge_edge>
void find_apart(const GridVertex* vertices, const Points* points, std::uint8_t* apart) {
  const GridVertex* p[4];
  for (std::size_t k = 0; k < 4; ++k) p[k] = vertices + points[0][k];
  const auto gap = [&](const std::int16_t(GridVertex::*end)[4], std::size_t k, int sign) {
    const int x0 = sign * (p[0]->*end)[k], x1 = sign * (p[1]->*end)[k];
    const int x2 = sign * (p[2]->*end)[k], x3 = sign * (p[3]->*end)[k];
    return edge_edge ? std::min(x0, x1) - std::max(x2, x3) : x0 - std::max({x1, x2, x3});
  };
  *apart = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    for (const int sign : {-1, 1}) {
      if (gap(&GridVertex::t0, k, sign) > 0 && gap(&GridVertex::t1, k, sign) > 0) *apart = 1;
    }
  }
}
#else
// Eight numbers for each query.
using GridTag = hn::CappedTag<std::int16_t, 32>;
using OnGrid = hn::Vec<GridTag>;
constexpr std::size_t at_once = hn::MaxLanes(GridTag()) / 8;

// Point k of some queries.
template <typename D>
HWY_INLINE hn::Vec<D> load_point(D d, const GridVertex* vertices, const Points* points, std::size_t k) {
  if constexpr (hn::MaxLanes(d) == 8) {
    return hn::Load(d, vertices[points[0][k]].t0);
  } else {
    const hn::Half<D> half;
    return hn::Combine(d, load_point(half, vertices, points + hn::MaxLanes(half) / 8, k),
                       load_point(half, vertices, points, k));
  }
}

// The lesser of the gaps at both ends.
HWY_INLINE OnGrid at_both_ends(OnGrid gap) {
  const GridTag d;
  const hn::Repartition<std::uint64_t, GridTag> ends;
  return hn::Min(gap, hn::BitCast(d, hn::Shuffle01(hn::BitCast(ends, gap))));
}

// Per query: 0 where no axis separates it. Saturated differences keep their sign.
template <bool edge_edge>
HWY_INLINE void find_apart(const GridVertex* vertices, const Points* points, std::uint8_t* apart) {
  const GridTag d;
  const OnGrid x0 = load_point(d, vertices, points, 0), x1 = load_point(d, vertices, points, 1);
  const OnGrid x2 = load_point(d, vertices, points, 2), x3 = load_point(d, vertices, points, 3);
  OnGrid above, below;
  if constexpr (edge_edge) {
    above = hn::SaturatedSub(hn::Min(x0, x1), hn::Max(x2, x3));
    below = hn::SaturatedSub(hn::Min(x2, x3), hn::Max(x0, x1));
  } else {
    above = hn::SaturatedSub(x0, hn::Max(hn::Max(x1, x2), x3));
    below = hn::SaturatedSub(hn::Min(hn::Min(x1, x2), x3), x0);
  }
  const OnGrid gap = hn::Max(at_both_ends(above), at_both_ends(below));
  hn::StoreMaskBits(d, hn::Gt(gap, hn::Zero(d)), apart);
}
#endif

template <bool edge_edge>
std::size_t list(const IndexedQueries& queries, std::size_t begin, std::size_t end, std::uint32_t* left) {
  std::uint8_t apart[lane_capacity];
  const std::size_t count = end - begin;
  const Points* const points = queries.points + begin;
  std::size_t q = 0;
  for (; q + at_once <= count; q += at_once) {
    hwy::Prefetch(points + q + ahead);
    find_apart<edge_edge>(queries.on_grid, points + q, apart + q);
  }
  if (q < count) {
    Points last[at_once];
    for (std::size_t i = 0; i < at_once; ++i) last[i] = points[q + i < count ? q + i : q];
    find_apart<edge_edge>(queries.on_grid, last, apart + q);
  }
  const hn::CappedTag<std::uint32_t, 16> d;
  const hn::Rebind<std::uint8_t, decltype(d)> bytes;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t found = 0;
  for (q = 0; q < count; q += lanes) {
    const auto numbers = hn::Iota(d, static_cast<std::uint32_t>(begin + q));
    const auto meet = hn::And(hn::Eq(hn::PromoteTo(d, hn::LoadU(bytes, apart + q)), hn::Zero(d)),
                              hn::Lt(numbers, hn::Set(d, static_cast<std::uint32_t>(end))));
    hn::StoreU(hn::Compress(numbers, meet), d, left + found);
    found += hn::CountTrue(d, meet);
  }
  return found;
}

}  // namespace

std::size_t list_queries(bool edge_edge, const IndexedQueries& queries, std::size_t begin, std::size_t end,
                         std::uint32_t* left) {
  return edge_edge ? list<true>(queries, begin, end, left) : list<false>(queries, begin, end, left);
}

}  // namespace toccata::impact::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toccata::impact {

HWY_EXPORT(list_queries);

std::size_t list_meeting(bool edge_edge, const IndexedQueries& queries, std::size_t begin, std::size_t end,
                         std::uint32_t* left) {
  return HWY_DYNAMIC_DISPATCH(list_queries)(edge_edge, queries, begin, end, left);
}

}  // namespace toccata::impact
#endif
