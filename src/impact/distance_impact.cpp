#include "impact/distance_impact.hpp"

#include <cmath>

#include "impact/contact_geometry.hpp"
#include "impact/difference_hull.hpp"
#include "impact/distance_search-inl.hpp"

namespace toccata::impact {
namespace {

namespace kernel = HWY_NAMESPACE;

// The answer to features that come within the distance at this time.
Impact contact_at_distance(FeaturePairKind pair, const LinearMotion4& motion, double time) {
  Impact impact;
  impact.stage = ImpactStage::Distance;
  impact.status = time == 0.0 ? Status::OverlapAtStart : Status::Contact;
  impact.time = impact.lower = impact.upper = time;
  describe_contact(pair, motion, true, impact);
  return impact;
}

// Scaled so that the largest coordinate is below one.
template <int size>
kernel::MovingDifferences<double, size> moving_differences(FeaturePairKind pair, const LinearMotion4& motion,
                                                           int exponent) {
  kernel::MovingDifferences<double, size> result;
  std::array<Vector3, 4> start, end;
  for (int i = 0; i < point_count(pair); ++i) {
    start[i] = scaled(motion.t0[i], exponent);
    end[i] = scaled(motion.t1[i], exponent);
  }
  const DifferenceHull t0 = difference_hull(pair, start), t1 = difference_hull(pair, end);
  for (int i = 0; i < size; ++i) {
    for (int k = 0; k < 3; ++k) {
      result.t0[i][k] = t0.points[i][k];
      result.t1[i][k] = t1.points[i][k];
    }
  }
  result.measure();
  return result;
}

template <int size>
Impact search_distance(FeaturePairKind pair, const LinearMotion4& motion,
                       const LinearImpactOptions& options) {
  const int exponent = scale_exponent(motion, point_count(pair));
  const auto hull = moving_differences<size>(pair, motion, exponent);
  const auto question =
      kernel::distance_question(std::ldexp(options.minimum_distance, -exponent),
                                options.relative_distance_tolerance, hull.extent, options.t_max);
  kernel::DistanceSearch<double> search;
  kernel::start_search(search);
  Impact impact;
  impact.stage = ImpactStage::Distance;
  const std::int64_t limit = options.budget > 0 ? options.budget : distance_step_limit;
  for (std::int64_t step = 0; step < limit; ++step) {
    const auto verdict = step == 0 ? kernel::probe_distance<true>(hull, question, search)
                                   : kernel::probe_distance<false>(hull, question, search);
    if (verdict.touches) return contact_at_distance(pair, motion, search.t);
    if (verdict.is_free) return impact;
    if (!verdict.goes_on) break;  // no provable progress in double
  }
  impact.status = Status::OutOfBudget;
  impact.time = impact.lower = search.t;
  impact.upper = options.t_max;
  return impact;
}

}  // namespace

Impact distance_impact(FeaturePairKind pair, const LinearMotion4& motion,
                       const LinearImpactOptions& options) {
  switch (pair) {
    case FeaturePairKind::VertexFace:
      return search_distance<3>(pair, motion, options);
    case FeaturePairKind::EdgeEdge:
      return search_distance<4>(pair, motion, options);
    case FeaturePairKind::VertexEdge:
      return search_distance<2>(pair, motion, options);
    case FeaturePairKind::VertexVertex:
      break;
  }
  return search_distance<1>(pair, motion, options);
}

}  // namespace toccata::impact
