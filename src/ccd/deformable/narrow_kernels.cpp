#include "ccd/deformable/narrow_kernels.hpp"

#include <bit>
#include <cassert>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ccd/deformable/narrow_kernels.cpp"
#include <hwy/foreach_target.h>
// after foreach_target
#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include "ccd/deformable/vertex_lanes-inl.hpp"
#include "impact/lane_roots-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace toccata::deformable::HWY_NAMESPACE {
namespace {

namespace lanes = toccata::impact_filter::HWY_NAMESPACE;
using lanes::Lane;
using lanes::LaneMask;
using lanes::LaneTag;

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
HWY_INLINE void prefetch_vertices(const Topology& topology, const Step& step, const Candidates& candidates,
                                  std::size_t i) {
  const MovingVertex* const vertices = step.vertices.data();
  if constexpr (edge_edge) {
    for (const std::int32_t v : topology.edges[candidates.first[i]]) hwy::Prefetch(vertices + v);
    for (const std::int32_t v : topology.edges[candidates.second[i]]) hwy::Prefetch(vertices + v);
  } else {
    hwy::Prefetch(vertices + candidates.first[i]);
    for (const std::int32_t v : topology.faces[candidates.second[i]]) hwy::Prefetch(vertices + v);
  }
}

template <bool edge_edge, bool axes>
HWY_NOINLINE void filter(const Topology& topology, const Step& step, const Candidates& candidates,
                         Survivors& survivors, LaneVerdicts& verdicts) {
  using namespace toccata::impact_filter;
  constexpr std::size_t width = hn::MaxLanes(LaneTag());
  const bool limited = candidates.limit < 1.0;
  for (std::size_t i = 0; i < candidates.count; i += width) {
    std::uint32_t index[width];
    const std::size_t used = candidates.count - i < width ? candidates.count - i : width;
    for (std::size_t l = 0; l < width; ++l) index[l] = static_cast<std::uint32_t>(i + (l < used ? l : 0));
    for (std::size_t l = 0; l < width && i + ahead + l < candidates.count; ++l) {
      prefetch_vertices<edge_edge>(topology, step, candidates, i + ahead + l);
    }
    Lane x[24];
    load_motion<edge_edge>(topology, step, candidates, index, x);
    lanes::LaneQuery query;
    lanes::prepare<edge_edge, axes>(x, query);
    const Lane* c = query.cubic.c;
    const Lane ends = lanes::lane(cubic_end_error) * query.product, minus_ends = hn::Neg(ends);
    const Lane inner = lanes::lane(cubic_inner_error) * query.product, minus_inner = hn::Neg(inner);
    const LaneMask first_up = hn::Gt(c[0], ends), last_up = hn::Gt(c[3], ends);
    const LaneMask first_down = hn::Lt(c[0], minus_ends), last_down = hn::Lt(c[3], minus_ends);
    const LaneMask positive =
        hn::And(hn::And(first_up, last_up), hn::And(hn::Gt(c[1], inner), hn::Gt(c[2], inner)));
    const LaneMask negative = hn::And(hn::And(first_down, last_down),
                                      hn::And(hn::Lt(c[1], minus_inner), hn::Lt(c[2], minus_inner)));
    LaneMask none = hn::Or(positive, negative);
    if (limited) none = hn::Or(none, lanes::no_root_before(query, lanes::lane(candidates.limit)));
    const LaneMask one_sided = hn::And(query.in_range, none);
    const LaneMask crosses = hn::Or(hn::And(first_up, last_down), hn::And(first_down, last_up));
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

template <bool edge_edge, bool returning>
HWY_NOINLINE void search(const Topology& topology, const Step& step, const Candidates& candidates,
                         const std::uint32_t* survivors, std::size_t count, bool boolean_only,
                         LaneVerdicts& verdicts) {
  constexpr std::size_t width = hn::MaxLanes(LaneTag());
  HWY_ALIGN double lower[width], upper[width];
  for (std::size_t i = 0; i < count; i += width) {
    std::uint32_t index[width];
    const std::size_t used = count - i < width ? count - i : width;
    for (std::size_t l = 0; l < width; ++l) index[l] = survivors[i + (l < used ? l : 0)];
    Lane x[24];
    load_motion<edge_edge>(topology, step, candidates, index, x);
    lanes::LaneQuery query;
    lanes::prepare<edge_edge, false>(x, query);
    const lanes::LaneAnswer answer = returning ? lanes::search_returning<edge_edge>(query, boolean_only)
                                               : lanes::search_crossing<edge_edge>(query, boolean_only);
    hn::Store(answer.lower, LaneTag(), lower);
    hn::Store(answer.upper, LaneTag(), upper);
    const std::uint32_t present = (1u << used) - 1u;
    const std::uint32_t contact = mask_bits(answer.contact) & present;
    const std::uint32_t separated = mask_bits(answer.separated) & present;
    const std::uint32_t open = present & ~(contact | separated);
    verdicts.separated_by_roots += static_cast<std::size_t>(std::popcount(separated));
    for (std::size_t l = 0; l < used; ++l) {
      verdicts.contact[verdicts.contact_count] = index[l];
      verdicts.lower[verdicts.contact_count] = lower[l];
      verdicts.upper[verdicts.contact_count] = upper[l];
      verdicts.contact_count += (contact >> l) & 1u;
    }
    for (std::uint32_t bits = open; bits != 0; bits &= bits - 1) {
      verdicts.open[verdicts.open_count++] = index[std::countr_zero(bits)];
    }
  }
}

template <bool edge_edge>
void decide(const Topology& topology, const Step& step, const Candidates& candidates, bool boolean_only,
            LaneVerdicts& verdicts) {
  Survivors survivors;
  if (candidates.axes_tested) {
    filter<edge_edge, false>(topology, step, candidates, survivors, verdicts);
  } else {
    filter<edge_edge, true>(topology, step, candidates, survivors, verdicts);
  }
  search<edge_edge, false>(topology, step, candidates, survivors.crossing, survivors.crossing_count,
                           boolean_only, verdicts);
  search<edge_edge, true>(topology, step, candidates, survivors.returning, survivors.returning_count,
                          boolean_only, verdicts);
}

}  // namespace

void decide_lanes(const Topology& topology, const Step& step, const Candidates& candidates, bool boolean_only,
                  LaneVerdicts& verdicts) {
  if (candidates.edge_edge) {
    decide<true>(topology, step, candidates, boolean_only, verdicts);
  } else {
    decide<false>(topology, step, candidates, boolean_only, verdicts);
  }
}

}  // namespace toccata::deformable::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toccata::deformable {

HWY_EXPORT(decide_lanes);

void decide_in_lanes(const Topology& topology, const Step& step, const Candidates& candidates,
                     bool boolean_only, LaneVerdicts& verdicts) {
  assert(candidates.count <= candidate_block);
  verdicts.separated_by_axis = verdicts.separated_by_bernstein = verdicts.separated_by_roots = 0;
  verdicts.contact_count = verdicts.open_count = 0;
  HWY_DYNAMIC_DISPATCH(decide_lanes)(topology, step, candidates, boolean_only, verdicts);
}

}  // namespace toccata::deformable
#endif
