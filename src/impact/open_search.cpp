#include "impact/open_search.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impact/open_search.cpp"
#include <hwy/foreach_target.h>
// after foreach_target
#include <hwy/highway.h>

#include "impact/indexed_lanes-inl.hpp"
#include "impact/lane_search-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace toccata::impact::HWY_NAMESPACE {
namespace {

HWY_INLINE unsigned bits(LaneMask mask) {
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(LaneTag(), mask, bytes);
  return bytes[0];
}

template <bool edge_edge>
HWY_INLINE void set_query(const Lane* x, LaneQuery& query) {
  prepare<edge_edge, false>(x, query);
  query.in_range = hn::And(query.in_range, ends_are_finite(query.cubic));
}

// Bits of the lanes that the filters separate.
struct Filtered {
  unsigned axis = 0, bernstein = 0;
};

struct LaneColumns {
  const Lane* x;
  HWY_INLINE Lane operator[](int i) const { return x[i]; }
};

// What the filters of the single call say: all coordinates are finite.
template <bool edge_edge>
HWY_INLINE Filtered filter(const Lane* x, const LaneQuery& query) {
  RelativeMotion<Lane> m;
  AxisRange<Lane> range;
  relative_motion<edge_edge>(LaneColumns{x}, m, range);
  const LaneMask in_range = hn::And(magnitudes_in_range(range.magnitude), ends_are_finite(query.cubic));
  return {bits(axis_separates(range)), bits(hn::And(in_range, keeps_one_sign(query.cubic, range.magnitude)))};
}

// The survivors in `index`, one in each lane: from their columns, as the filters in double precision leave
// them.
struct FromColumns {
  static constexpr bool is_filtered = true;
  const Survivors& survivors;

  HWY_INLINE void load(const std::uint32_t* index, Lane* x) const {
    for (std::size_t k = 0; k < 24; ++k) {
      HWY_ALIGN double values[lane_count];
      for (std::size_t l = 0; l < lane_count; ++l) values[l] = survivors.columns[k][index[l]];
      x[k] = hn::Load(LaneTag(), values);
    }
  }
};

// And from the vertices that they name, as single precision leaves them.
struct FromVertices {
  static constexpr bool is_filtered = false;
  const Survivors& survivors;
  const IndexedQueries& queries;

  HWY_INLINE void load(const std::uint32_t* index, Lane* x) const {
    std::uint32_t query[lane_count];
    for (std::size_t l = 0; l < lane_count; ++l) query[l] = survivors.queries[index[l]];
    load_points(queries, query, x);
  }
};

// Bits of two vectors of lanes.
struct Decided {
  unsigned separated, contact;
};

template <bool edge_edge, bool returning>
HWY_NOINLINE Decided search(const LaneQuery* queries) {
  SearchAnswer answers[2];
  if (returning) {
    search_returning<edge_edge>(queries, true, answers);
  } else {
    search_crossing<edge_edge>(queries, true, answers);
  }
  return {bits(answers[0].separated) | bits(answers[1].separated) << lane_count,
          bits(answers[0].contact) | bits(answers[1].contact) << lane_count};
}

// Two vectors at a time; the last ones are filled up with the first survivor.
template <bool edge_edge, bool returning, typename Source>
void decide_list(const Source& source, const std::uint32_t* open, std::size_t count, LaneVerdicts& verdicts) {
  constexpr std::size_t width = 2 * lane_count;
  for (std::size_t i = 0; i < count; i += width) {
    const std::size_t used = count - i < width ? count - i : width;
    std::uint32_t index[width];
    for (std::size_t l = 0; l < width; ++l) index[l] = open[i + (l < used ? l : 0)];
    LaneQuery queries[2];
    Filtered filtered;
    for (std::size_t v = 0; v < 2; ++v) {
      Lane x[24];
      source.load(index + v * lane_count, x);
      set_query<edge_edge>(x, queries[v]);
      if constexpr (Source::is_filtered) continue;
      const Filtered here = filter<edge_edge>(x, queries[v]);
      filtered.axis |= here.axis << v * lane_count;
      filtered.bernstein |= here.bernstein << v * lane_count;
    }
    const Decided decided = search<edge_edge, returning>(queries);
    for (std::size_t l = 0; l < used; ++l) {
      const auto is_in = [l](unsigned lanes) { return ((lanes >> l) & 1u) != 0; };
      LaneVerdict verdict = LaneVerdict::Ask;
      verdict = is_in(decided.separated) ? LaneVerdict::Separated : verdict;
      verdict = is_in(decided.contact) ? LaneVerdict::Contact : verdict;
      verdict = is_in(filtered.bernstein) ? LaneVerdict::Bernstein : verdict;
      verdict = is_in(filtered.axis) ? LaneVerdict::Axis : verdict;
      verdicts.verdict[index[l]] = static_cast<std::int32_t>(verdict);
    }
  }
}

template <bool edge_edge, typename Source>
void decide(const Source& source, LaneVerdicts& verdicts) {
  std::uint32_t crossing[lane_capacity], returning[lane_capacity];
  std::size_t crossing_count = 0, returning_count = 0;
  for (std::size_t i = 0; i < source.survivors.count; ++i) {  // without a branch: it would not be predictable
    const auto verdict = static_cast<LaneVerdict>(verdicts.verdict[i]);
    crossing[crossing_count] = returning[returning_count] = static_cast<std::uint32_t>(i);
    crossing_count += verdict == LaneVerdict::AskCrossing;
    returning_count += verdict == LaneVerdict::Ask;
  }
  decide_list<edge_edge, false>(source, crossing, crossing_count, verdicts);
  decide_list<edge_edge, true>(source, returning, returning_count, verdicts);
}

template <bool edge_edge>
LaneVerdict decide_one(const double* coordinates) {
  Lane x[24];
  for (std::size_t k = 0; k < 24; ++k) x[k] = lane(coordinates[k]);
  LaneQuery queries[2];
  set_query<edge_edge>(x, queries[0]);
  queries[1] = queries[0];
  const Lane* c = queries[0].cubic.c;
  const bool crossing = hn::GetLane(c[0] * c[3]) < 0.0;
  const Decided decided = crossing ? search<edge_edge, false>(queries) : search<edge_edge, true>(queries);
  if (decided.separated & 1u) return LaneVerdict::Separated;
  return decided.contact & 1u ? LaneVerdict::Contact : LaneVerdict::Ask;
}

}  // namespace

void decide_open_lanes(bool edge_edge, const Survivors& survivors, LaneVerdicts& verdicts) {
  const FromColumns source{survivors};
  edge_edge ? decide<true>(source, verdicts) : decide<false>(source, verdicts);
}

void decide_indexed_lanes(bool edge_edge, const IndexedQueries& queries, const Survivors& survivors,
                          LaneVerdicts& verdicts) {
  const FromVertices source{survivors, queries};
  edge_edge ? decide<true>(source, verdicts) : decide<false>(source, verdicts);
}

LaneVerdict decide_open_query(bool edge_edge, const double* coordinates) {
  return edge_edge ? decide_one<true>(coordinates) : decide_one<false>(coordinates);
}

}  // namespace toccata::impact::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toccata::impact {

HWY_EXPORT(decide_open_lanes);
HWY_EXPORT(decide_indexed_lanes);
HWY_EXPORT(decide_open_query);

void decide_open(bool edge_edge, const Survivors& survivors, LaneVerdicts& verdicts) {
  HWY_DYNAMIC_DISPATCH(decide_open_lanes)(edge_edge, survivors, verdicts);
}

void decide_open(bool edge_edge, const IndexedQueries& queries, const Survivors& survivors,
                 LaneVerdicts& verdicts) {
  HWY_DYNAMIC_DISPATCH(decide_indexed_lanes)(edge_edge, queries, survivors, verdicts);
}

LaneVerdict decide_open(bool edge_edge, const LinearMotion4& motion) {
  static_assert(sizeof(LinearMotion4) == 24 * sizeof(double));
  return HWY_DYNAMIC_DISPATCH(decide_open_query)(edge_edge, motion.t0[0].data());
}

}  // namespace toccata::impact
#endif
