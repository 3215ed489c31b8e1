#include "toccata/impact/linear_impact.hpp"

#include <cassert>

#include "impact/certified_search.hpp"
#include "impact/contact_geometry.hpp"
#include "impact/coplanarity-inl.hpp"
#include "impact/distance_impact.hpp"
#include "impact/filter_bounds.hpp"
#include "impact/lane_verdicts.hpp"

namespace toccata {
namespace {

using exact::FeaturePair;
namespace kernel = impact_filter::HWY_NAMESPACE;

struct FilterState {
  bool separated = false;
  bool in_range = false;  // the error bounds of the search hold
  impact_filter::SearchInput input;
};

// Stages one and two in plain double: the same operations as the SIMD batch, one lane.
template <bool edge_edge>
ImpactStage filter(const double* x, FilterState& state) {
  kernel::RelativeMotion<double> m;
  kernel::AxisRange<double> range;
  if constexpr (edge_edge) {
    kernel::edge_edge_relative(x, m, range);
  } else {
    kernel::vertex_face_relative(x, m, range);
  }
  for (int k = 0; k < 3; ++k) {
    if (range.low[k] > 0.0 || range.high[k] < 0.0) {
      state.separated = true;
      return ImpactStage::Axis;
    }
  }
  const kernel::Cubic<double> f = kernel::coplanarity(m);
  const double* r = range.magnitude;
  const double lowest = kernel::smaller(kernel::smaller(r[0], r[1]), r[2]);
  const double highest = kernel::larger(kernel::larger(r[0], r[1]), r[2]);
  state.in_range = lowest > impact_filter::smallest_magnitude && highest < impact_filter::largest_magnitude;
  const double product = (r[0] * r[1]) * r[2];
  const double end = impact_filter::cubic_end_error * product;
  const double inner = impact_filter::cubic_inner_error * product;
  const bool positive = f.c[0] > end && f.c[3] > end && f.c[1] > inner && f.c[2] > inner;
  const bool negative = f.c[0] < -end && f.c[3] < -end && f.c[1] < -inner && f.c[2] < -inner;
  state.separated = state.in_range && (positive || negative);
  if (state.separated) return ImpactStage::Bernstein;
  for (int k = 0; k < 3; ++k) {
    state.input.a[0][k] = m.a0[k];
    state.input.a[1][k] = m.a1[k];
    state.input.b[0][k] = m.b0[k];
    state.input.b[1][k] = m.b1[k];
    state.input.c[0][k] = m.c0[k];
    state.input.c[1][k] = m.c1[k];
    state.input.magnitude[k] = r[k];
  }
  for (int i = 0; i < 4; ++i) state.input.cubic[i] = f.c[i];
  return ImpactStage::Bisection;
}

Impact separated(ImpactStage stage) {
  Impact impact;
  impact.stage = stage;
  return impact;
}

Impact contact(FeaturePair pair, const LinearMotion4& motion, const LinearImpactOptions& options,
               ImpactStage stage, double lower, double upper) {
  Impact impact;
  impact.status = Status::Contact;
  impact.stage = stage;
  impact.time = impact.lower = lower;
  impact.upper = upper;
  if (options.boolean_only) {
    impact.time = impact.lower = 0.0;
    impact.upper = options.t_max;
    return impact;
  }
  describe_contact(pair, motion, false, impact);
  return impact;
}

bool coincide(const Vector3& p, const Vector3& q) {
  return p[0] == q[0] && p[1] == q[1] && p[2] == q[2];
}

// Bit-coincident vertices at the start: common in practice and worth not asking the exact stage.
bool vertices_coincide_at_start(FeaturePair pair, const LinearMotion4& motion) {
  const auto& x = motion.t0;
  if (pair == FeaturePair::VertexFace)
    return coincide(x[0], x[1]) || coincide(x[0], x[2]) || coincide(x[0], x[3]);
  return coincide(x[0], x[2]) || coincide(x[0], x[3]) || coincide(x[1], x[2]) || coincide(x[1], x[3]);
}

[[maybe_unused]] bool is_misused(const LinearImpactOptions& options) {
  return !(options.t_max >= 0.0 && options.t_max <= 1.0) || !(options.minimum_distance >= 0.0);
}

Impact start_contact(FeaturePair pair, const LinearMotion4& motion, const LinearImpactOptions& options,
                     ImpactStage stage) {
  Impact impact = contact(pair, motion, options, stage, 0.0, 0.0);
  if (!options.boolean_only) impact.status = Status::OverlapAtStart;
  return impact;
}

Impact decide_exactly(FeaturePair pair, const LinearMotion4& motion, const LinearImpactOptions& options) {
  // A zero interval is asked as a motion that stands still.
  LinearMotion4 still;
  const bool only_start = options.t_max == 0.0;
  if (only_start) {
    still = motion;
    still.t1 = still.t0;
  }
  const exact::ExactImpact answer =
      exact::exact_impact(pair, only_start ? still : motion, only_start ? 1.0 : options.t_max);
  const ImpactStage stage = answer.degenerate ? ImpactStage::Exact : ImpactStage::Extended;
  if (!answer.contact) return separated(stage);
  if (answer.at_start) return start_contact(pair, motion, options, stage);
  return contact(pair, motion, options, stage, answer.lower, answer.upper);
}

// Stages three to five, for a query that the filters let through.
Impact decide_survivor(FeaturePair pair, const LinearMotion4& motion, const LinearImpactOptions& options,
                       const FilterState& state) {
  if (vertices_coincide_at_start(pair, motion))
    return start_contact(pair, motion, options, ImpactStage::Axis);
  if (!state.in_range || options.t_max == 0.0) return decide_exactly(pair, motion, options);
  const impact_filter::SearchOptions search{pair == FeaturePair::EdgeEdge, options.boolean_only,
                                            options.t_max, options.budget};
  const impact_filter::SearchResult found = impact_filter::certified_search(state.input, search);
  switch (found.verdict) {
    case impact_filter::Verdict::Separated:
      return separated(ImpactStage::Bisection);
    case impact_filter::Verdict::OutOfBudget: {
      Impact impact;
      impact.status = Status::OutOfBudget;
      impact.stage = ImpactStage::Bisection;
      impact.time = impact.lower = found.lower;
      impact.upper = options.t_max;
      return impact;
    }
    case impact_filter::Verdict::Contact:
      if (found.upper <= options.t_max) {
        return contact(pair, motion, options, ImpactStage::Bisection, found.lower, found.upper);
      }
      break;
    case impact_filter::Verdict::Undecided:
      break;
  }
  return decide_exactly(pair, motion, options);
}

template <bool edge_edge>
Impact solid_impact(const LinearMotion4& motion, const LinearImpactOptions& options) {
  assert(!is_misused(options));
  constexpr FeaturePair pair = edge_edge ? FeaturePair::EdgeEdge : FeaturePair::VertexFace;
  if (options.minimum_distance > 0.0) return distance_impact(pair, motion, options);
  static_assert(sizeof(LinearMotion4) == 24 * sizeof(double));
  FilterState state;
  const ImpactStage stage = filter<edge_edge>(motion.t0[0].data(), state);
  if (state.separated) return separated(stage);
  return decide_survivor(pair, motion, options, state);
}

template <FeaturePair pair>
Impact flat_impact(const LinearMotion4& motion, const LinearImpactOptions& options) {
  assert(!is_misused(options));
  if (options.minimum_distance > 0.0) return distance_impact(pair, motion, options);
  constexpr int points = pair == FeaturePair::VertexEdge ? 3 : 2;
  for (int k = 0; k < 3; ++k) {
    bool above = true, below = true;
    for (int i = 1; i < points; ++i) {
      above &= motion.t0[i][k] > motion.t0[0][k] && motion.t1[i][k] > motion.t1[0][k];
      below &= motion.t0[i][k] < motion.t0[0][k] && motion.t1[i][k] < motion.t1[0][k];
    }
    if (above || below) return separated(ImpactStage::Axis);
  }
  return decide_exactly(pair, motion, options);
}

}  // namespace

Impact impact_filter::search_contact(bool edge_edge, const LinearMotion4& motion,
                                     const LinearImpactOptions& options, double lower, double upper) {
  const FeaturePair pair = edge_edge ? FeaturePair::EdgeEdge : FeaturePair::VertexFace;
  return contact(pair, motion, options, ImpactStage::Bisection, lower, upper);
}

Impact vertex_face_impact(const LinearMotion4& motion, const LinearImpactOptions& options) {
  return solid_impact<false>(motion, options);
}

Impact edge_edge_impact(const LinearMotion4& motion, const LinearImpactOptions& options) {
  return solid_impact<true>(motion, options);
}

Impact vertex_edge_impact(const LinearMotion4& motion, const LinearImpactOptions& options) {
  return flat_impact<FeaturePair::VertexEdge>(motion, options);
}

Impact vertex_vertex_impact(const LinearMotion4& motion, const LinearImpactOptions& options) {
  return flat_impact<FeaturePair::VertexVertex>(motion, options);
}

}  // namespace toccata
