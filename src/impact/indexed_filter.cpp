#include "impact/indexed_filter.hpp"

#include "impact/indexed_axes.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impact/indexed_filter.cpp"
#include <hwy/foreach_target.h>
// after foreach_target
#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "impact/coplanarity-inl.hpp"
#include "impact/indexed_lanes-inl.hpp"
#include "impact/single_columns-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace toccata::impact::HWY_NAMESPACE {
namespace {

// How many queries ahead the vertices are asked for.
constexpr std::size_t ahead = 2 * single_count;

// A list of queries; vectors are written whole.
struct List {
  std::uint32_t queries[lane_capacity + 16];
  std::size_t count = 0;
};

struct Columns {
  const Single* x;
  HWY_INLINE Single operator[](int i) const { return x[i]; }
};

HWY_INLINE void load_rounded(const IndexedQueries& queries, const std::uint32_t* query, Single* x) {
  HWY_UNROLL(4)
  for (std::size_t k = 0; k < 4; ++k) {
    const float* rows[single_count];
    HWY_UNROLL(16)
    for (std::size_t l = 0; l < single_count; ++l) rows[l] = queries.rounded[queries.points[query[l]][k]].t0;
    Single column[6];
    load_columns(rows, column);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      x[3 * k + axis] = column[axis];
      x[12 + 3 * k + axis] = column[3 + axis];
    }
  }
}

// Where the cubic keeps one sign and no axis separates, for certain also in double precision. The errors are
// those of positions rounded to single precision (docs/notes/deformable_bounds.md, cubic).
HWY_INLINE SingleMask keeps_one_sign_for_certain(const Cubic<Single>& f, const AxisRange<Single>& range) {
  constexpr double u = single_roundoff;
  const Single zero = number<Single>(0.0), three = number<Single>(3.0);
  Single size[3];
  for (std::size_t k = 0; k < 3; ++k) size[k] = range.magnitude[k] + number<Single>(4 * u);
  const Single xy = size[0] * size[1], xyz = xy * size[2], z = (size[0] + size[1]) * size[2];
  const Single ends = number<Single>(128 * u) * xyz + number<Single>(12.5 * u) * (xy + z);
  const Single inner = three * ends;
  const auto positive = both(above(smaller(f.c[0], f.c[3]), ends), above(smaller(f.c[1], f.c[2]), inner));
  const auto negative =
      both(above(negated(ends), larger(f.c[0], f.c[3])), above(negated(inner), larger(f.c[1], f.c[2])));
  const Single low = larger(larger(range.low[0], range.low[1]), range.low[2]);
  const Single high = smaller(smaller(range.high[0], range.high[1]), range.high[2]);
  const auto mixed = both(above(zero, low), above(high, zero));
  return both(mixed, either(positive, negative));
}

// Whether all numbers of a query are within the box of nearly all vertices, where they are what they were but
// for rounding.
HWY_INLINE SingleMask are_near(const Single* x) {
  Single reach = hn::Abs(x[0]);
  for (std::size_t i = 1; i < 24; ++i) reach = larger(reach, hn::Abs(x[i]));
  return hn::Le(reach, number<Single>(1.0));
}

// What single precision says of the queries that the grid leaves; what it leaves goes to `out`, with the
// signs of the cubic at both ends of the step as a hint.
template <bool edge_edge>
HWY_NOINLINE void filter_rounded(const IndexedQueries& queries, const List& list, ImpactStage* stages,
                                 Survivors& out, LaneVerdicts& verdicts) {
  const SingleTag d;
  const hn::RebindToUnsigned<SingleTag> numbers;
  const hn::RebindToSigned<SingleTag> codes;
  std::size_t found = 0;
  for (std::size_t i = 0; i < list.count; i += single_count) {
    for (std::size_t n = i + ahead; n < i + ahead + single_count && n < list.count; ++n) {
      for (const std::int32_t v : queries.points[list.queries[n]]) hwy::Prefetch(queries.rounded + v);
    }
    alignas(64) std::uint32_t query[single_count];
    const std::size_t used = list.count - i < single_count ? list.count - i : single_count;
    // Lanes beyond the end repeat the first.
    for (std::size_t l = 0; l < single_count; ++l) query[l] = list.queries[i + (l < used ? l : 0)];
    Single x[24];
    load_rounded(queries, query, x);
    RelativeMotion<Single> m;
    AxisRange<Single> range;
    relative_motion<edge_edge>(Columns{x}, m, range);
    const Cubic<Single> f = coplanarity(m);
    auto one_sided = both(are_near(x), keeps_one_sign_for_certain(f, range));
    if (!queries.may_round) one_sided = hn::Lt(number<Single>(1.0), number<Single>(0.0));
    std::uint8_t bernstein[8] = {};
    hn::StoreMaskBits(d, one_sided, bernstein);
    for (std::size_t l = 0; l < single_count; ++l) {
      stages[query[l]] = (bernstein[l / 8] >> l % 8) & 1u ? ImpactStage::Bernstein : ImpactStage::Axis;
    }
    const auto left = hn::AndNot(either(axis_separates(range), one_sided), hn::FirstN(d, used));
    const auto crossing = hn::RebindMask(codes, hn::Lt(f.c[0] * f.c[3], number<Single>(0.0)));
    const auto ask = hn::IfThenElse(crossing, hn::Set(codes, static_cast<int>(LaneVerdict::AskCrossing)),
                                    hn::Set(codes, static_cast<int>(LaneVerdict::Ask)));
    hn::StoreU(hn::Compress(hn::Load(numbers, query), hn::RebindMask(numbers, left)), numbers,
               out.queries + found);
    hn::StoreU(hn::Compress(ask, hn::RebindMask(codes, left)), codes, verdicts.verdict + found);
    found += hn::CountTrue(d, left);
  }
  out.count = found;
}

template <bool edge_edge>
void filter(const IndexedQueries& queries, std::size_t begin, std::size_t end, ImpactStage* stages,
            Survivors& out, LaneVerdicts& verdicts) {
  List list;
  list.count = list_meeting(edge_edge, queries, begin, end, list.queries);
  filter_rounded<edge_edge>(queries, list, stages, out, verdicts);
}

}  // namespace

void filter_queries(bool edge_edge, const IndexedQueries& queries, std::size_t begin, std::size_t end,
                    ImpactStage* stages, Survivors& out, LaneVerdicts& verdicts) {
  edge_edge ? filter<true>(queries, begin, end, stages, out, verdicts)
            : filter<false>(queries, begin, end, stages, out, verdicts);
}

void load_survivors(const IndexedQueries& queries, Survivors& survivors) {
  const LaneTag d;
  for (std::size_t i = 0; i < survivors.count; i += lane_count) {
    std::uint32_t query[lane_count];
    for (std::size_t l = 0; l < lane_count; ++l) {
      query[l] = survivors.queries[i + l < survivors.count ? i + l : i];
    }
    Lane x[24];
    load_points(queries, query, x);
    for (std::size_t k = 0; k < 24; ++k) hn::Store(x[k], d, survivors.columns[k] + i);
  }
}

}  // namespace toccata::impact::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toccata::impact {

HWY_EXPORT(filter_queries);
HWY_EXPORT(load_survivors);

void filter_indexed(bool edge_edge, const IndexedQueries& queries, std::size_t begin, std::size_t end,
                    ImpactStage* stages, Survivors& out, LaneVerdicts& verdicts) {
  HWY_DYNAMIC_DISPATCH(filter_queries)(edge_edge, queries, begin, end, stages, out, verdicts);
}

void collect_columns(const IndexedQueries& queries, Survivors& survivors) {
  HWY_DYNAMIC_DISPATCH(load_survivors)(queries, survivors);
}

}  // namespace toccata::impact
#endif
