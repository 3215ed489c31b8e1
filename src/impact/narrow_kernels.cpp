#include "impact/narrow_kernels.hpp"

#include <bit>
#include <cassert>

#include "impact/extended_bracket.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "impact/narrow_kernels.cpp"
#include <hwy/foreach_target.h>
// after foreach_target
#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "impact/lane_search-inl.hpp"
#include "impact/vertex_lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace toccata::impact::HWY_NAMESPACE {
namespace {

HWY_INLINE std::uint32_t mask_bits(LaneMask mask) {
  std::uint8_t bits[8] = {};
  hn::StoreMaskBits(LaneTag(), mask, bits);
  return bits[0];
}

// Survivors of the filters by what their cubic does: it changes its sign over the step, or returns.
struct Survivors {
  std::size_t crossing_count = 0, returning_count = 0;
  std::uint32_t crossing[candidate_block + 8];
  std::uint32_t returning[candidate_block + 8];
};

// How many candidates ahead the vertices are asked for: about as many as are decided while the memory
// answers.
constexpr std::size_t ahead = 16;

template <bool edge_edge>
HWY_INLINE void prefetch_vertices(const MovingFeatures& features, const Candidates& candidates,
                                  std::size_t i) {
  const MovingVertex* const vertices = features.vertices;
  if constexpr (edge_edge) {
    for (const std::int32_t v : features.edges[candidates.first[i]]) hwy::Prefetch(vertices + v);
    for (const std::int32_t v : features.edges[candidates.second[i]]) hwy::Prefetch(vertices + v);
  } else {
    hwy::Prefetch(vertices + candidates.first[i]);
    for (const std::int32_t v : features.faces[candidates.second[i]]) hwy::Prefetch(vertices + v);
  }
}

template <bool edge_edge, bool axes>
HWY_NOINLINE void filter(const MovingFeatures& features, const Candidates& candidates, Survivors& survivors,
                         CandidateVerdicts& verdicts) {
  constexpr std::size_t width = hn::MaxLanes(LaneTag());
  const bool limited = candidates.limit < 1.0;
  for (std::size_t i = 0; i < candidates.count; i += width) {
    std::uint32_t index[width];
    const std::size_t used = candidates.count - i < width ? candidates.count - i : width;
    for (std::size_t l = 0; l < width; ++l) index[l] = static_cast<std::uint32_t>(i + (l < used ? l : 0));
    for (std::size_t l = 0; l < width && i + ahead + l < candidates.count; ++l) {
      prefetch_vertices<edge_edge>(features, candidates, i + ahead + l);
    }
    Lane x[24];
    load_motion<edge_edge>(features, candidates, index, x);
    LaneQuery query;
    prepare<edge_edge, axes>(x, query);
    // All four coefficients beyond their errors on one side: no root. Opposite signs at the ends: a crossing.
    // (docs/notes/impact_bounds.md, cubic, ends and inner)
    const Lane* c = query.cubic.c;
    const Lane ends = lane(cubic_end_error) * query.product, minus_ends = hn::Neg(ends);
    const Lane inner = lane(cubic_inner_error) * query.product, minus_inner = hn::Neg(inner);
    const LaneMask first_up = hn::Gt(c[0], ends), last_up = hn::Gt(c[3], ends);
    const LaneMask first_down = hn::Lt(c[0], minus_ends), last_down = hn::Lt(c[3], minus_ends);
    const LaneMask positive =
        hn::And(hn::And(first_up, last_up), hn::And(hn::Gt(c[1], inner), hn::Gt(c[2], inner)));
    const LaneMask negative = hn::And(hn::And(first_down, last_down),
                                      hn::And(hn::Lt(c[1], minus_inner), hn::Lt(c[2], minus_inner)));
    LaneMask none = hn::Or(positive, negative);
    if (limited) none = hn::Or(none, no_root_before(query, lane(candidates.limit)));
    const LaneMask one_sided = hn::And(query.in_range, none);
    const LaneMask crosses = hn::Or(hn::And(first_up, last_down), hn::And(first_down, last_up));
    // The last vector may be filled up with repetitions of its first candidate: they do not count.
    const std::uint32_t present = (1u << used) - 1u;
    const std::uint32_t a = mask_bits(query.apart) & present;
    const std::uint32_t b = mask_bits(one_sided) & present & ~a;
    const std::uint32_t left = present & ~(a | b), crossing = mask_bits(crosses) & left;
    verdicts.separated_by_axis += static_cast<std::size_t>(std::popcount(a));
    verdicts.separated_by_bernstein += static_cast<std::size_t>(std::popcount(b));
    // Without branches: which lanes survive is not predictable.
    for (std::size_t l = 0; l < width; ++l) {
      survivors.crossing[survivors.crossing_count] = index[l];
      survivors.crossing_count += (crossing >> l) & 1u;
      survivors.returning[survivors.returning_count] = index[l];
      survivors.returning_count += ((left & ~crossing) >> l) & 1u;
    }
  }
}

HWY_INLINE LinearMotion4 motion_of_lane(const Lane* x, std::size_t lane) {
  LinearMotion4 motion;
  HWY_ALIGN double values[hn::MaxLanes(LaneTag())];
  for (std::size_t i = 0; i < 12; ++i) {
    const std::size_t p = i / 3;
    const int k = static_cast<int>(i % 3);
    hn::Store(x[i], LaneTag(), values);
    motion.t0[p][k] = values[lane];
    hn::Store(x[12 + i], LaneTag(), values);
    motion.t1[p][k] = values[lane];
  }
  return motion;
}

void add_contact(std::uint32_t index, TimeBracket time, ImpactStage stage, CandidateVerdicts& verdicts) {
  const std::size_t n = verdicts.contact_count++;
  verdicts.contact[n] = index;
  verdicts.lower[n] = time.lower;
  verdicts.upper[n] = time.upper;
  verdicts.stage[n] = stage;
}

// What the lanes do not decide: a root that is a contact but not enclosed narrowly enough, with more digits;
// the rest by the single call. Rare.
HWY_NOINLINE void settle(const Lane* x, const std::uint32_t* index, std::uint32_t open,
                         std::uint32_t touching, const double* lower, const double* upper,
                         CandidateVerdicts& verdicts) {
  for (; open != 0; open &= open - 1) {
    const auto l = static_cast<std::size_t>(std::countr_zero(open));
    std::optional<TimeBracket> root;
    if ((touching >> l) & 1u) root = narrow_only_root(motion_of_lane(x, l), {lower[l], upper[l]});
    if (root) {
      add_contact(index[l], *root, ImpactStage::Extended, verdicts);
    } else {
      verdicts.open[verdicts.open_count++] = index[l];
    }
  }
}

// The answers to `used` candidates.
HWY_INLINE void keep_answers(const SearchAnswer& answer, const Lane* x, const std::uint32_t* index,
                             std::size_t used, CandidateVerdicts& verdicts) {
  constexpr std::size_t width = hn::MaxLanes(LaneTag());
  HWY_ALIGN double lower[width], upper[width];
  hn::Store(answer.lower, LaneTag(), lower);
  hn::Store(answer.upper, LaneTag(), upper);
  const std::uint32_t present = (1u << used) - 1u;
  const std::uint32_t contact = mask_bits(answer.contact) & present;
  const std::uint32_t separated = mask_bits(answer.separated) & present;
  const std::uint32_t open = present & ~(contact | separated);
  verdicts.separated_by_roots += static_cast<std::size_t>(std::popcount(separated));
  // Without branches: which lanes touch is not predictable.
  std::size_t n = verdicts.contact_count;
  for (std::size_t l = 0; l < width; ++l) {
    verdicts.contact[n] = index[l];
    verdicts.lower[n] = lower[l];
    verdicts.upper[n] = upper[l];
    verdicts.stage[n] = ImpactStage::Bisection;
    n += (contact >> l) & 1u;
  }
  verdicts.contact_count = n;
  if (open != 0) settle(x, index, open, mask_bits(answer.touching), lower, upper, verdicts);
}

template <bool edge_edge, bool returning>
HWY_NOINLINE void search(const MovingFeatures& features, const Candidates& candidates,
                         const std::uint32_t* survivors, std::size_t count, bool boolean_only,
                         CandidateVerdicts& verdicts) {
  constexpr std::size_t width = hn::MaxLanes(LaneTag());
  for (std::size_t i = 0; i < count; i += 2 * width) {
    std::uint32_t index[2 * width];
    const std::size_t used = count - i < 2 * width ? count - i : 2 * width;
    for (std::size_t l = 0; l < 2 * width; ++l) index[l] = survivors[i + (l < used ? l : 0)];
    Lane x[2][24];
    LaneQuery query[2];
    SearchAnswer answer[2];
    for (std::size_t v = 0; v < 2; ++v) {
      load_motion<edge_edge>(features, candidates, index + v * width, x[v]);
      prepare<edge_edge, false>(x[v], query[v]);
    }
    if (returning) {
      search_returning<edge_edge>(query, boolean_only, answer);
    } else {
      search_crossing<edge_edge>(query, boolean_only, answer);
    }
    keep_answers(answer[0], x[0], index, used < width ? used : width, verdicts);
    if (used > width) keep_answers(answer[1], x[1], index + width, used - width, verdicts);
  }
}

template <bool edge_edge>
void decide(const MovingFeatures& features, const Candidates& candidates, bool boolean_only,
            CandidateVerdicts& verdicts) {
  Survivors survivors;
  if (candidates.cubic != CubicKind::Unknown) {
    for (std::size_t i = 0; i < candidates.count; ++i) survivors.crossing[i] = static_cast<std::uint32_t>(i);
    if (candidates.cubic == CubicKind::Crossing) {
      search<edge_edge, false>(features, candidates, survivors.crossing, candidates.count, boolean_only,
                               verdicts);
    } else {
      search<edge_edge, true>(features, candidates, survivors.crossing, candidates.count, boolean_only,
                              verdicts);
    }
    return;
  }
  if (candidates.axes_tested) {
    filter<edge_edge, false>(features, candidates, survivors, verdicts);
  } else {
    filter<edge_edge, true>(features, candidates, survivors, verdicts);
  }
  search<edge_edge, false>(features, candidates, survivors.crossing, survivors.crossing_count, boolean_only,
                           verdicts);
  search<edge_edge, true>(features, candidates, survivors.returning, survivors.returning_count, boolean_only,
                          verdicts);
}

}  // namespace

void decide_lanes(const MovingFeatures& features, const Candidates& candidates, bool boolean_only,
                  CandidateVerdicts& verdicts) {
  if (candidates.edge_edge) {
    decide<true>(features, candidates, boolean_only, verdicts);
  } else {
    decide<false>(features, candidates, boolean_only, verdicts);
  }
}

}  // namespace toccata::impact::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toccata::impact {

HWY_EXPORT(decide_lanes);

void decide_in_lanes(const MovingFeatures& features, const Candidates& candidates, bool boolean_only,
                     CandidateVerdicts& verdicts) {
  assert(candidates.count <= candidate_block);
  verdicts.separated_by_axis = verdicts.separated_by_bernstein = verdicts.separated_by_roots = 0;
  verdicts.contact_count = verdicts.open_count = 0;
  HWY_DYNAMIC_DISPATCH(decide_lanes)(features, candidates, boolean_only, verdicts);
}

}  // namespace toccata::impact
#endif
