#include "impact/indexed_filter.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impact/indexed_filter.cpp"
#include <hwy/foreach_target.h>
// after foreach_target
#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "impact/coplanarity-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace toccata::impact::HWY_NAMESPACE {
namespace {

// The axes of one query side by side: a vertex is read as it lies in memory, x y z at t = 0 and, three
// numbers on, x y z at t = 1. What the lanes behind z read means nothing.
using AxesTag = hn::CappedTag<double, 4>;
using Axes = hn::Vec<AxesTag>;
constexpr std::size_t axes_at_once = hn::MaxLanes(AxesTag());

// How many queries ahead the vertices are asked for.
constexpr std::size_t ahead = 24;

// Whether one feature is above the other on one of these axes, at both ends. Comparisons are exact, so that
// this is the test of the differences' signs.
template <bool edge_edge>
HWY_INLINE auto apart_on(const double* const* p, std::size_t axis) {
  const AxesTag d;
  const auto at = [&](int point, std::size_t end) { return hn::LoadU(d, p[point] + 3 * end + axis); };
  hn::Mask<AxesTag> above[2], below[2];
  for (std::size_t end = 0; end < 2; ++end) {
    const Axes x0 = at(0, end), x1 = at(1, end), x2 = at(2, end), x3 = at(3, end);
    if constexpr (edge_edge) {
      above[end] = hn::Gt(hn::Min(x0, x1), hn::Max(x2, x3));
      below[end] = hn::Lt(hn::Max(x0, x1), hn::Min(x2, x3));
    } else {
      above[end] = hn::Gt(x0, hn::Max(hn::Max(x1, x2), x3));
      below[end] = hn::Lt(x0, hn::Min(hn::Min(x1, x2), x3));
    }
  }
  const auto apart = hn::Or(hn::And(above[0], above[1]), hn::And(below[0], below[1]));
  return hn::And(apart, hn::FirstN(d, 3 - axis));
}

template <bool edge_edge>
HWY_INLINE bool an_axis_separates(const MovingVertex* vertices, const std::array<std::int32_t, 4>& points) {
  const double* p[4];
  for (std::size_t k = 0; k < 4; ++k) p[k] = vertices[points[k]].t0;
  auto apart = apart_on<edge_edge>(p, 0);
  for (std::size_t axis = axes_at_once; axis < 3; axis += axes_at_once) {
    apart = hn::Or(apart, apart_on<edge_edge>(p, axis));
  }
  return !hn::AllFalse(AxesTag(), apart);
}

HWY_INLINE void load_points(const IndexedQueries& queries, const std::uint32_t* query, Lane* x) {
  for (std::size_t k = 0; k < 4; ++k) {
    const double* p[lane_count];
    for (std::size_t l = 0; l < lane_count; ++l) {
      p[l] = queries.vertices[queries.points[query[l]][k]].t0;
    }
    load_two(p, 0, x[3 * k], x[3 * k + 1]);
    load_two(p, 2, x[3 * k + 2], x[12 + 3 * k]);
    load_two(p, 4, x[12 + 3 * k + 1], x[12 + 3 * k + 2]);
  }
}

struct LaneQueries {
  const Lane* x;
  HWY_INLINE Lane operator[](int i) const { return x[i]; }
};

// The cubic of the queries that no axis separates; those it leaves go to `out`.
template <bool edge_edge>
HWY_INLINE void filter_by_cubic(const IndexedQueries& queries, const std::uint32_t* left, std::size_t count,
                                ImpactStage* stages, Survivors& out) {
  const LaneTag d;
  std::size_t found = 0;
  for (std::size_t i = 0; i < count; i += lane_count) {
    std::uint32_t query[lane_count];
    const std::size_t used = count - i < lane_count ? count - i : lane_count;
    for (std::size_t l = 0; l < lane_count; ++l) query[l] = left[i + (l < used ? l : 0)];
    Lane x[24];
    load_points(queries, query, x);
    RelativeMotion<Lane> m;
    AxisRange<Lane> range;
    relative_motion<edge_edge>(LaneQueries{x}, m, range);
    const Cubic<Lane> f = coplanarity(m);
    const auto in_range = both(ends_are_finite(f), magnitudes_in_range(range.magnitude));
    const auto one_sided = both(in_range, keeps_one_sign(f, range.magnitude));
    std::uint8_t bits[8] = {};
    hn::StoreMaskBits(d, one_sided, bits);
    HWY_ALIGN double values[24][lane_count];
    if (bits[0] != (1u << lane_count) - 1u) {
      for (std::size_t k = 0; k < 24; ++k) hn::Store(x[k], d, values[k]);
    }
    for (std::size_t l = 0; l < used; ++l) {
      if ((bits[0] >> l) & 1u) {
        stages[query[l]] = ImpactStage::Bernstein;
        continue;
      }
      for (std::size_t k = 0; k < 24; ++k) out.columns[k][found] = values[k][l];
      out.queries[found++] = query[l];
    }
  }
  out.count = found;
}

template <bool edge_edge>
HWY_NOINLINE void filter(const IndexedQueries& queries, std::size_t begin, std::size_t end,
                         ImpactStage* stages, Survivors& out) {
  std::uint32_t left[lane_capacity];
  std::size_t count = 0;
  for (std::size_t q = begin; q < end; ++q) {
    if (q + ahead < end) {
      for (const std::int32_t v : queries.points[q + ahead]) hwy::Prefetch(queries.vertices + v);
    }
    stages[q] = ImpactStage::Axis;
    left[count] = static_cast<std::uint32_t>(q);  // without a branch: it would not be predictable
    count += an_axis_separates<edge_edge>(queries.vertices, queries.points[q]) ? 0 : 1;
  }
  filter_by_cubic<edge_edge>(queries, left, count, stages, out);
}

}  // namespace

void filter_queries(bool edge_edge, const IndexedQueries& queries, std::size_t begin, std::size_t end,
                    ImpactStage* stages, Survivors& out) {
  edge_edge ? filter<true>(queries, begin, end, stages, out)
            : filter<false>(queries, begin, end, stages, out);
}

}  // namespace toccata::impact::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toccata::impact {

HWY_EXPORT(filter_queries);

void filter_indexed(bool edge_edge, const IndexedQueries& queries, std::size_t begin, std::size_t end,
                    ImpactStage* stages, Survivors& out) {
  HWY_DYNAMIC_DISPATCH(filter_queries)(edge_edge, queries, begin, end, stages, out);
}

}  // namespace toccata::impact
#endif
