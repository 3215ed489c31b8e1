#include "toccata/ccd/rigid/contact_intervals.hpp"

#include <algorithm>

#include "base/number_text.hpp"
#include "ccd/rigid/question_failure.hpp"
#include "ccd/rigid/seen_motions.hpp"
#include "ccd/rigid/solid_overlap.hpp"
#include "ccd/search/contact_exit.hpp"
#include "ccd/search/contact_search.hpp"

namespace toccata {

using namespace search;
using namespace rigid;

namespace {

// Finer cannot be told apart.
constexpr double least_resolution = 1e-12;

// When the surfaces touch: contact and exit by turns.
void find_intervals(const MovingShape& a, const MovingShape& b, double tolerance,
                    const ContactIntervalsOptions& options, ContactIntervalsResult& result) {
  const StopWatch watch(options.stop);
  const double resolution = std::max(options.time_resolution, least_resolution);
  SearchMemory memory;
  const auto left = [&] { return budget_left(options.budget, result.stats); };
  const auto out_of_budget = [&](double time) {
    result.status = Status::OutOfBudget;
    result.proven_until = time;
  };
  for (double start = 0.0;;) {
    const SearchAnswer answer =
        search_contact({a, b, start, 1.0, 0.0, tolerance, left(), watch.or_null()}, memory);
    result.stats += answer.stats;
    if (answer.ending == SearchAnswer::Ending::OutOfBudget) return out_of_budget(answer.time);
    if (answer.ending == SearchAnswer::Ending::Free) return;
    const ContactExit exit =
        contact_exit(a, b, answer.time, {tolerance, resolution, left(), watch.or_null()}, result.stats);
    const bool joins =
        !result.intervals.empty() && answer.time - result.intervals.back().end_upper < resolution;
    if (joins) {
      result.intervals.back().end_lower = exit.lower;
      result.intervals.back().end_upper = exit.upper;
    } else {
      result.intervals.push_back({answer.time, answer.time, exit.lower, exit.upper});
    }
    if (exit.out_of_budget) return out_of_budget(exit.lower);
    if (exit.still_touching || exit.upper >= 1.0) return;
    start = exit.upper;
  }
}

// Of solids: the times between two contacts of the surfaces during which one is inside the other. Nothing
// changes between them, so one look each is enough.
void add_times_inside(const RigidPair& pair, ContactIntervalsResult& result) {
  const auto is_inside = [&](double t) { return inside_at(pair, t) != Inside::None; };
  std::vector<ContactInterval> joined;
  const auto add = [&](const ContactInterval& next) {
    if (!joined.empty() && next.begin_lower <= joined.back().end_upper) {
      joined.back().end_lower = next.end_lower;
      joined.back().end_upper = next.end_upper;
    } else {
      joined.push_back(next);
    }
  };
  double free_from = 0.0;
  for (const ContactInterval& touching : result.intervals) {
    if (touching.begin_lower > free_from && is_inside(0.5 * (free_from + touching.begin_lower)))
      add({free_from, free_from, touching.begin_lower, touching.begin_lower});
    add(touching);
    free_from = touching.end_upper;
  }
  if (free_from < result.proven_until && is_inside(0.5 * (free_from + result.proven_until)))
    add({free_from, free_from, result.proven_until, 1.0});
  result.intervals = std::move(joined);
}

ContactIntervalsResult failed(std::string failure) {
  ContactIntervalsResult result;
  result.status = Status::Failed;
  result.proven_until = 0.0;
  result.failure = std::move(failure);
  return result;
}

std::string failure_of(const ContactIntervalsOptions& options) {
  std::string failure = failure_of_tolerance(options.tolerance, options.relative_tolerance);
  if (failure.empty()) failure = failure_of_budget(options.budget);
  if (failure.empty()) failure = toccata::failure_of(options.stop);
  if (failure.empty() && !(options.time_resolution >= 0.0))
    failure = "time_resolution is " + number_text(options.time_resolution) + ", but must be at least 0";
  return failure;
}

}  // namespace

ContactIntervalsResult contact_intervals(const Body& a, const Body& b,
                                         const ContactIntervalsOptions& options) {
  std::string failure = failure_of(options);
  if (failure.empty()) failure = failure_of(a, b);
  if (!failure.empty()) return failed(std::move(failure));
  const double tolerance =
      resolved_tolerance(a.shape, b.shape, options.tolerance, options.relative_tolerance);
  const SeenMotions seen({&a.shape.data(), &*a.motion}, {&b.shape.data(), &*b.motion});
  ContactIntervalsResult result;
  find_intervals(seen.a, seen.b, tolerance, options, result);
  if (a.solid || b.solid) add_times_inside(pair_of(a, b), result);
  if (result.status != Status::OutOfBudget && !result.intervals.empty()) {
    result.status = result.intervals.front().begin_lower == 0.0 ? Status::OverlapAtStart : Status::Contact;
  }
  return result;
}

}  // namespace toccata
