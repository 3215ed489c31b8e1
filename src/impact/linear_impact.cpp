#include "toccata/impact/linear_impact.hpp"

#include <algorithm>

#include "impact/certified_search.hpp"
#include "impact/contact_geometry.hpp"
#include "impact/coplanarity-inl.hpp"
#include "impact/counted_impact.hpp"
#include "impact/distance_impact.hpp"
#include "impact/exact_impact.hpp"
#include "impact/extended_bracket.hpp"
#include "impact/filter_bounds.hpp"
#include "impact/impact_input.hpp"
#include "impact/open_search.hpp"
#include "impact/plain_contact-inl.hpp"
#include "impact/root_bracket-inl.hpp"

namespace toccata {
namespace {

using impact::SearchResult;
using impact::Verdict;
namespace kernel = impact::HWY_NAMESPACE;

Impact separated(ImpactStage stage) {
  Impact impact;
  impact.stage = stage;
  return impact;
}

// Out of line: never met in ordinary use.
[[gnu::noinline, gnu::cold]] Impact failed() {
  Impact impact;
  impact.status = Status::Failed;
  impact.stage = ImpactStage::Start;
  impact.time = impact.lower = 0.0;
  return impact;
}

// Describes the contact in the ordinary case; false if it is another.
template <bool edge_edge>
bool describe_plainly(const LinearMotion4& motion, Impact& impact) {
  kernel::PlainContact<double> plain;
  kernel::plain_contact<edge_edge>(kernel::OneQuery{motion.t0[0].data()}, impact.time, plain);
  if (!plain.valid) return false;
  for (std::size_t k = 0; k < 4; ++k) impact.weights[k] = plain.weights[k];
  for (int k = 0; k < 3; ++k) impact.point[k] = plain.point[k];
  for (int k = 0; k < 3; ++k) impact.normal[k] = plain.normal[k];
  return true;
}

Impact contact(FeaturePairKind pair, const LinearMotion4& motion, const LinearImpactOptions& options,
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
  if (pair == FeaturePairKind::VertexFace && describe_plainly<false>(motion, impact)) return impact;
  if (pair == FeaturePairKind::EdgeEdge && describe_plainly<true>(motion, impact)) return impact;
  impact::describe_contact(pair, motion, false, impact);
  return impact;
}

bool coincide(const Vector3& p, const Vector3& q) {
  return p[0] == q[0] && p[1] == q[1] && p[2] == q[2];
}

// Bit-coincident vertices at the start: common in practice and worth not asking the exact stage.
bool vertices_coincide_at_start(FeaturePairKind pair, const LinearMotion4& motion) {
  const auto& x = motion.t0;
  if (pair == FeaturePairKind::VertexFace)
    return coincide(x[0], x[1]) || coincide(x[0], x[2]) || coincide(x[0], x[3]);
  return coincide(x[0], x[2]) || coincide(x[0], x[3]) || coincide(x[1], x[2]) || coincide(x[1], x[3]);
}

// What touches at the start says so even if only asked whether: the caller may have to drop it.
Impact start_contact(FeaturePairKind pair, const LinearMotion4& motion, const LinearImpactOptions& options,
                     ImpactStage stage) {
  Impact impact = contact(pair, motion, options, stage, 0.0, 0.0);
  impact.status = Status::OverlapAtStart;
  impact.upper = 0.0;
  return impact;
}

Impact decide_exactly(FeaturePairKind pair, const LinearMotion4& motion, const LinearImpactOptions& options,
                      std::int64_t& exact_steps) {
  // A zero interval is asked as a motion that stands still.
  LinearMotion4 still;
  const bool only_start = options.t_max == 0.0;
  if (only_start) {
    still = motion;
    still.t1 = still.t0;
  }
  const impact::ExactImpact answer =
      impact::exact_impact(pair, only_start ? still : motion, only_start ? 1.0 : options.t_max);
  exact_steps += answer.steps;
  const ImpactStage stage = answer.degenerate ? ImpactStage::Exact : ImpactStage::Integer;
  if (!answer.contact) return separated(stage);
  if (answer.at_start) return start_contact(pair, motion, options, stage);
  return contact(pair, motion, options, stage, answer.lower, answer.upper);
}

// The third stage, for a query that the filters let through and whose magnitudes are in range. A contact that
// it finds is never one at the start: F is beyond its error at the left end of every bracket.
template <bool edge_edge>
SearchResult search(const LinearMotion4& motion, const kernel::RelativeMotion<double>& m,
                    const kernel::Cubic<double>& f, const double* extent,
                    const LinearImpactOptions& options) {
  kernel::SearchTerms<double> terms;
  kernel::make_terms<edge_edge>(m, f, extent, terms);
  const auto& weights = terms.weights;
  // First the weights over the whole step: apart whatever F does.
  if (kernel::side<edge_edge>(weights.q, weights.error).outside) return {Verdict::Separated, 1.0, 1.0};
  // Then the one root of F, if it has one: nearly every query ends here.
  const kernel::RootBracket<double> root = kernel::bracket_root<edge_edge>(terms);
  if (root.separated || (root.free_before && root.lower > options.t_max)) {
    return {Verdict::Separated, 1.0, 1.0};
  }
  if (root.contact && root.upper <= options.t_max) return {Verdict::Contact, root.lower, root.upper};
  // Then, where that is all that is asked for, by the proofs of yes and no that the batch tries.
  if (options.boolean_only && options.t_max == 1.0 && options.budget == 0) {
    const impact::LaneVerdict verdict = impact::decide_open(edge_edge, motion);
    if (verdict == impact::LaneVerdict::Separated) return {Verdict::Separated, 1.0, 1.0};
    if (verdict == impact::LaneVerdict::Contact) return {Verdict::Contact, 0.0, 1.0};
  }
  // Then by clipping and halving, for several roots, and for roots near the ends or near another weight's.
  impact::SearchInput input;
  std::copy(terms.cubic, terms.cubic + 4, input.cubic);
  input.cubic_error = terms.cubic_error;
  for (int n = 0; n < kernel::weight_count<edge_edge>; ++n) {
    std::copy(weights.q[n], weights.q[n] + 3, input.weights[n]);
    input.weight_error[n] = weights.error[n];
  }
  const SearchResult found =
      certified_search(input, {edge_edge, options.boolean_only, options.t_max, options.budget});
  if (!found.only_wide) return found;
  const auto narrow =
      impact::narrow_first_root(motion, {found.lower, found.upper}, 0.5 * (root.lower + root.upper));
  if (!narrow) return {};
  return {Verdict::Contact, narrow->lower, narrow->upper, false, true};
}

Impact out_of_budget(double free_until, double t_max) {
  Impact impact;
  impact.status = Status::OutOfBudget;
  impact.stage = ImpactStage::Bisection;
  impact.time = impact.lower = free_until;
  impact.upper = t_max;
  return impact;
}

template <bool edge_edge>
Impact solid_impact(const LinearMotion4& motion, const LinearImpactOptions& options,
                    std::int64_t& exact_steps) {
  constexpr FeaturePairKind pair = edge_edge ? FeaturePairKind::EdgeEdge : FeaturePairKind::VertexFace;
  if (!impact::is_usable(options)) return failed();
  if (options.minimum_distance > 0.0) {
    return impact::is_finite<4>(motion) ? impact::distance_impact(pair, motion, options) : failed();
  }
  static_assert(sizeof(LinearMotion4) == 24 * sizeof(double));
  kernel::RelativeMotion<double> m;
  kernel::AxisRange<double> range;
  kernel::relative_motion<edge_edge>(kernel::OneQuery{motion.t0[0].data()}, m, range);
  // Minima and maxima lose a NaN: before anything is concluded, the coordinates must be known to be finite.
  if (kernel::axis_separates(range)) {
    return impact::is_finite<4>(motion) ? separated(ImpactStage::Axis) : failed();
  }
  const kernel::Cubic<double> f = kernel::coplanarity(m);
  if (!kernel::ends_are_finite(f) && !impact::is_finite<4>(motion)) return failed();
  const bool in_range = kernel::magnitudes_in_range(range.magnitude);
  if (in_range && kernel::keeps_one_sign(f, range.magnitude)) return separated(ImpactStage::Bernstein);
  if (vertices_coincide_at_start(pair, motion)) {
    return start_contact(pair, motion, options, ImpactStage::Start);
  }
  if (!in_range || options.t_max == 0.0) return decide_exactly(pair, motion, options, exact_steps);
  const SearchResult found = search<edge_edge>(motion, m, f, range.magnitude, options);
  if (found.verdict == Verdict::Separated) return separated(ImpactStage::Bisection);
  if (found.verdict == Verdict::OutOfBudget) return out_of_budget(found.lower, options.t_max);
  if (found.verdict == Verdict::Contact && found.upper <= options.t_max) {
    const ImpactStage stage = found.extended ? ImpactStage::Extended : ImpactStage::Bisection;
    return contact(pair, motion, options, stage, found.lower, found.upper);
  }
  return decide_exactly(pair, motion, options, exact_steps);
}

template <FeaturePairKind pair>
Impact flat_impact(const LinearMotion4& motion, const LinearImpactOptions& options,
                   std::int64_t& exact_steps) {
  constexpr int points = pair == FeaturePairKind::VertexEdge ? 3 : 2;
  if (!impact::is_usable(options) || !impact::is_finite<points>(motion)) return failed();
  if (options.minimum_distance > 0.0) return impact::distance_impact(pair, motion, options);
  for (int k = 0; k < 3; ++k) {
    bool above = true, below = true;
    for (int i = 1; i < points; ++i) {
      above &= motion.t0[i][k] > motion.t0[0][k] && motion.t1[i][k] > motion.t1[0][k];
      below &= motion.t0[i][k] < motion.t0[0][k] && motion.t1[i][k] < motion.t1[0][k];
    }
    if (above || below) return separated(ImpactStage::Axis);
  }
  return decide_exactly(pair, motion, options, exact_steps);
}

}  // namespace

namespace impact {

Impact counted_impact(FeaturePairKind pair, const LinearMotion4& motion, const LinearImpactOptions& options,
                      std::int64_t& exact_steps) {
  switch (pair) {
    case FeaturePairKind::VertexFace:
      return solid_impact<false>(motion, options, exact_steps);
    case FeaturePairKind::EdgeEdge:
      return solid_impact<true>(motion, options, exact_steps);
    case FeaturePairKind::VertexEdge:
      return flat_impact<FeaturePairKind::VertexEdge>(motion, options, exact_steps);
    case FeaturePairKind::VertexVertex:
      break;
  }
  return flat_impact<FeaturePairKind::VertexVertex>(motion, options, exact_steps);
}

}  // namespace impact

Impact vertex_face_impact(const LinearMotion4& motion, const LinearImpactOptions& options) {
  std::int64_t uncounted = 0;
  return solid_impact<false>(motion, options, uncounted);
}

Impact edge_edge_impact(const LinearMotion4& motion, const LinearImpactOptions& options) {
  std::int64_t uncounted = 0;
  return solid_impact<true>(motion, options, uncounted);
}

Impact vertex_edge_impact(const LinearMotion4& motion, const LinearImpactOptions& options) {
  std::int64_t uncounted = 0;
  return flat_impact<FeaturePairKind::VertexEdge>(motion, options, uncounted);
}

Impact vertex_vertex_impact(const LinearMotion4& motion, const LinearImpactOptions& options) {
  std::int64_t uncounted = 0;
  return flat_impact<FeaturePairKind::VertexVertex>(motion, options, uncounted);
}

}  // namespace toccata
