#include "ccd/deformable/narrow_kernels.hpp"

#include <bit>
#include <cassert>

#include "ccd/deformable/extended_root.hpp"

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

// Lanes that touch at a root for certain, but whose cubic is too flat there for a narrow bracket: where the
// root is. Before it there is no contact.
struct FlatRoots {
  std::uint32_t lanes = 0;
  HWY_ALIGN double left[hn::MaxLanes(LaneTag())], right[hn::MaxLanes(LaneTag())];

  HWY_INLINE void set(LaneMask found, const lanes::Enclosure& root) {
    lanes = mask_bits(found);
    hn::Store(root.left, LaneTag(), left);
    hn::Store(root.right, LaneTag(), right);
  }
};

// As lanes::search_crossing.
template <bool edge_edge>
HWY_INLINE void find_flat_crossing(const lanes::LaneQuery& query, const lanes::SignedCubic& f,
                                   const lanes::Weights<Lane>& weights, FlatRoots& found) {
  const LaneMask ends = hn::And(hn::Gt(f.g[0], f.e), hn::Lt(f.g[3], f.minus_e));
  const LaneMask one_root =
      hn::Or(hn::Or(hn::Gt(f.g[1], f.e), hn::Lt(f.g[2], f.minus_e)), lanes::one_root_by_halves(f));
  const LaneMask active = hn::And(query.in_range, hn::And(ends, one_root));
  const lanes::Enclosure root =
      lanes::enclose_root<false>(f, hn::Zero(LaneTag()), lanes::lane(1.0), f.g[0], f.g[3], active);
  const auto side = lanes::side_on<edge_edge>(weights, root.left, root.right);
  found.set(hn::And(hn::And(active, root.proven), side.inside), root);
}

// As lanes::search_returning: at the first root, or at the second if the first is no contact.
template <bool edge_edge>
HWY_INLINE void find_flat_returning(const lanes::LaneQuery& query, const lanes::SignedCubic& f,
                                    const lanes::Weights<Lane>& weights, FlatRoots& found) {
  using lanes::mix;
  const Lane* g = f.g;
  const Lane m = lanes::lowest_place(g), s = lanes::lane(1.0) - m;
  const Lane x0 = mix(g[0], g[1], m, s), x1 = mix(g[1], g[2], m, s), x2 = mix(g[2], g[3], m, s);
  const Lane y0 = mix(x0, x1, m, s), y1 = mix(x1, x2, m, s), lowest = mix(y0, y1, m, s);
  const LaneMask ends = hn::And(hn::Gt(g[0], f.e), hn::Gt(g[3], f.e));
  const LaneMask one_left = hn::Or(hn::Gt(x0, f.e), hn::Lt(y0, f.minus_e));
  const LaneMask one_right = hn::Or(hn::Lt(y1, f.minus_e), hn::Gt(x2, f.e));
  const LaneMask active =
      hn::And(hn::And(query.in_range, ends), hn::And(hn::Lt(lowest, f.minus_e), one_left));
  const lanes::Enclosure first = lanes::enclose_root<false>(f, hn::Zero(LaneTag()), m, g[0], lowest, active);
  const LaneMask first_known = hn::And(active, hn::And(first.proven, hn::Le(first.right, m)));
  const auto at_first = lanes::side_on<edge_edge>(weights, first.left, first.right);
  const LaneMask passed = hn::And(hn::And(first_known, at_first.outside), one_right);
  lanes::Enclosure root = lanes::enclose_root<true>(f, m, lanes::lane(1.0), lowest, g[3], passed);
  const LaneMask second_known = hn::And(passed, hn::And(root.proven, hn::Ge(root.left, m)));
  const auto at_second = lanes::side_on<edge_edge>(weights, root.left, root.right);
  const LaneMask touches_first = hn::And(first_known, at_first.inside);
  root.left = hn::IfThenElse(touches_first, first.left, root.left);
  root.right = hn::IfThenElse(touches_first, first.right, root.right);
  found.set(hn::Or(touches_first, hn::And(second_known, at_second.inside)), root);
}

template <bool edge_edge, bool returning>
HWY_NOINLINE void find_flat_roots(const lanes::LaneQuery& query, FlatRoots& found) {
  const lanes::SignedCubic f = lanes::signed_cubic(query);
  lanes::Weights<Lane> weights;
  lanes::make_weights<edge_edge>(query.motion, query.magnitude, weights);
  if (returning) {
    find_flat_returning<edge_edge>(query, f, weights, found);
  } else {
    find_flat_crossing<edge_edge>(query, f, weights, found);
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

// What the lanes leave open. Rare.
template <bool edge_edge, bool returning>
HWY_NOINLINE void settle(const Lane* x, const lanes::LaneQuery& query, const std::uint32_t* index,
                         std::uint32_t open, bool boolean_only, LaneVerdicts& verdicts) {
  FlatRoots flat;
  if (!boolean_only) find_flat_roots<edge_edge, returning>(query, flat);
  for (; open != 0; open &= open - 1) {
    const auto l = static_cast<std::size_t>(std::countr_zero(open));
    std::optional<TimeBracket> root;
    if ((flat.lanes >> l) & 1u) root = narrowed_root(motion_of_lane(x, l), {flat.left[l], flat.right[l]});
    if (!root) {
      verdicts.open[verdicts.open_count++] = index[l];
      continue;
    }
    verdicts.contact[verdicts.contact_count] = index[l];
    verdicts.lower[verdicts.contact_count] = root->lower;
    verdicts.upper[verdicts.contact_count] = root->upper;
    verdicts.stage[verdicts.contact_count++] = ImpactStage::Extended;
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
      verdicts.stage[verdicts.contact_count] = ImpactStage::Bisection;
      verdicts.contact_count += (contact >> l) & 1u;
    }
    if (open != 0) settle<edge_edge, returning>(x, query, index, open, boolean_only, verdicts);
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
