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

// The axes of one query side by side, at one end of the step, or where lanes allow at both.
using AxesTag = hn::CappedTag<float, 8>;
using Axes = hn::Vec<AxesTag>;
constexpr std::size_t axes_at_once = hn::MaxLanes(AxesTag());

// How many queries ahead the vertices are asked for, and how many of those that the axes leave.
constexpr std::size_t ahead = 24, left_ahead = 2 * lane_count;

// Whether the first feature is above the other, and below it, on the axes from `place` on of a RoundedVertex.
struct Order {
  hn::Mask<AxesTag> above, below;
};

template <bool edge_edge>
HWY_INLINE Order order_on(const float* const* p, std::size_t place) {
  const AxesTag d;
  const Axes x0 = hn::LoadU(d, p[0] + place), x1 = hn::LoadU(d, p[1] + place);
  const Axes x2 = hn::LoadU(d, p[2] + place), x3 = hn::LoadU(d, p[3] + place);
  if constexpr (edge_edge) {
    return {hn::Gt(hn::Min(x0, x1), hn::Max(x2, x3)), hn::Lt(hn::Max(x0, x1), hn::Min(x2, x3))};
  } else {
    return {hn::Gt(x0, hn::Max(hn::Max(x1, x2), x3)), hn::Lt(x0, hn::Min(hn::Min(x1, x2), x3))};
  }
}

// A template, since only the widest vectors ask for it.
template <typename Mask>
HWY_INLINE unsigned bits(Mask mask) {
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(AxesTag(), mask, bytes);
  return bytes[0];
}

// Whether one feature is above the other on one of the axes, at both ends. The fourth axis is all zeros, and
// separates nothing.
template <bool edge_edge>
HWY_INLINE bool an_axis_separates(const RoundedVertex* vertices, const std::array<std::int32_t, 4>& points) {
  const float* p[4];
  for (std::size_t k = 0; k < 4; ++k) p[k] = vertices[points[k]].t0;
  if constexpr (axes_at_once == 8) {
    const Order order = order_on<edge_edge>(p, 0);
    const unsigned above = bits(order.above), below = bits(order.below);
    return ((above & (above >> 4)) | (below & (below >> 4))) != 0;
  } else {
    bool apart = false;
    for (std::size_t axis = 0; axis < 4; axis += axes_at_once) {
      const Order first = order_on<edge_edge>(p, axis), last = order_on<edge_edge>(p, 4 + axis);
      const auto both_ends = hn::Or(hn::And(first.above, last.above), hn::And(first.below, last.below));
      apart |= !hn::AllFalse(AxesTag(), both_ends);
    }
    return apart;
  }
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

// The axes and the cubic of the queries that no axis separates in single precision; those that are left go to
// `out`.
template <bool edge_edge>
HWY_INLINE void filter_by_cubic(const IndexedQueries& queries, const std::uint32_t* left, std::size_t count,
                                ImpactStage* stages, Survivors& out) {
  const LaneTag d;
  std::size_t found = 0;
  for (std::size_t i = 0; i < count; i += lane_count) {
    for (std::size_t n = i + left_ahead; n < i + left_ahead + lane_count && n < count; ++n) {
      for (const std::int32_t v : queries.points[left[n]]) hwy::Prefetch(queries.vertices + v);
    }
    std::uint32_t query[lane_count];
    const std::size_t used = count - i < lane_count ? count - i : lane_count;
    for (std::size_t l = 0; l < lane_count; ++l) query[l] = left[i + (l < used ? l : 0)];
    Lane x[24];
    load_points(queries, query, x);
    RelativeMotion<Lane> m;
    AxisRange<Lane> range;
    relative_motion<edge_edge>(LaneQueries{x}, m, range);
    const auto apart = axis_separates(range);
    if (hn::AllTrue(d, apart)) continue;
    const Cubic<Lane> f = coplanarity(m);
    const auto in_range = both(ends_are_finite(f), magnitudes_in_range(range.magnitude));
    const auto one_sided = both(in_range, keeps_one_sign(f, range.magnitude));
    const auto here = hn::FirstN(d, used);
    const auto left_open = hn::AndNot(hn::Or(apart, one_sided), here);
    std::uint8_t bernstein[8] = {}, open[8] = {};
    hn::StoreMaskBits(d, hn::AndNot(apart, one_sided), bernstein);
    hn::StoreMaskBits(d, left_open, open);
    for (std::size_t l = 0; l < used; ++l) {
      stages[query[l]] = (bernstein[0] >> l) & 1u ? ImpactStage::Bernstein : ImpactStage::Axis;
    }
    for (std::size_t l = 0; l < used; ++l) {
      out.queries[found] = query[l];
      found += (open[0] >> l) & 1u;
    }
  }
  out.count = found;
  for (std::size_t i = 0; i < found; i += lane_count) {
    std::uint32_t query[lane_count];
    for (std::size_t l = 0; l < lane_count; ++l) query[l] = out.queries[i + l < found ? i + l : i];
    Lane x[24];
    load_points(queries, query, x);
    for (std::size_t k = 0; k < 24; ++k) hn::Store(x[k], d, out.columns[k] + i);
  }
}

template <bool edge_edge>
HWY_NOINLINE void filter(const IndexedQueries& queries, std::size_t begin, std::size_t end,
                         ImpactStage* stages, Survivors& out) {
  std::uint32_t left[lane_capacity];
  std::size_t count = 0;
  for (std::size_t q = begin; q < end; ++q) {
    if (q + ahead < end) {
      for (const std::int32_t v : queries.points[q + ahead]) hwy::Prefetch(queries.rounded + v);
    }
    stages[q] = ImpactStage::Axis;
    left[count] = static_cast<std::uint32_t>(q);  // without a branch: it would not be predictable
    count += an_axis_separates<edge_edge>(queries.rounded, queries.points[q]) ? 0 : 1;
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
