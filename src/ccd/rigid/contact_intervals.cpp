#include <algorithm>

#include "ccd/rigid/advancement.hpp"
#include "ccd/rigid/contact_exit.hpp"
#include "ccd/rigid/rigid_shape_data.hpp"
#include "ccd/rigid/seen_motions.hpp"
#include "motion/finite_motion.hpp"
#include "toccata/ccd/rigid/first_contact.hpp"

namespace toccata {

ContactIntervalsResult contact_intervals(const RigidShape& shape_a, const Motion& motion_a,
                                         const RigidShape& shape_b, const Motion& motion_b,
                                         const ContactIntervalsOptions& options) {
  if (!is_finite(motion_a) || !is_finite(motion_b)) {
    ContactIntervalsResult nothing_proven;
    nothing_proven.status = Status::OutOfBudget;
    nothing_proven.proven_until = 0.0;
    return nothing_proven;
  }
  const double tolerance = resolved_tolerance(shape_a, shape_b, options.tolerance);
  const SeenMotions seen({&shape_a.data(), &motion_a}, {&shape_b.data(), &motion_b});
  const MovingShape &a = seen.a, &b = seen.b;
  const double resolution = std::max(options.time_resolution, 1e-12);
  AdvancementMemory memory;
  ContactIntervalsResult result;
  const auto left = [&] {
    const std::int64_t used = work_of(result.stats);
    return options.budget > 0 ? std::max<std::int64_t>(1, options.budget - used) : 0;
  };
  double begin = 0.0;
  for (;;) {
    const AdvancementAnswer answer = advance_to_contact({a, b, begin, 1.0, 0.0, tolerance, left()}, memory);
    result.stats.node_pairs += answer.stats.node_pairs;
    result.stats.triangle_pairs += answer.stats.triangle_pairs;
    result.stats.steps += answer.stats.steps;
    if (answer.ending == AdvancementAnswer::Ending::OutOfBudget) {
      result.status = Status::OutOfBudget;
      result.proven_until = answer.time;
      return result;
    }
    if (answer.ending == AdvancementAnswer::Ending::Free) break;
    const ContactExit exit = contact_exit(a, b, answer.time, {tolerance, resolution, left()}, result.stats);
    const bool joins =
        !result.intervals.empty() && answer.time - result.intervals.back().end_upper < resolution;
    if (joins) {
      result.intervals.back().end_lower = exit.lower;
      result.intervals.back().end_upper = exit.upper;
    } else {
      result.intervals.push_back({answer.time, answer.time, exit.lower, exit.upper});
    }
    if (exit.out_of_budget) {
      result.status = Status::OutOfBudget;
      result.proven_until = exit.lower;
      return result;
    }
    if (exit.still_touching || exit.upper >= 1.0) break;
    begin = exit.upper;
  }
  if (!result.intervals.empty()) {
    result.status = result.intervals.front().begin_lower == 0.0 ? Status::OverlapAtStart : Status::Contact;
  }
  return result;
}

}  // namespace toccata
