// Pair by pair: the first contact from a time on, how long it lasts, and so on to the end of the path. Hulls
// say from when on a pair is worth looking at.
#include "toccata/ccd/articulated/path_intervals.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <tuple>

#include "base/number_text.hpp"
#include "ccd/articulated/path_search.hpp"
#include "ccd/search/contact_exit.hpp"

namespace toccata {
namespace articulated {
namespace {

using namespace search;

// Finer cannot be told apart.
constexpr double least_resolution = 1e-12;

class IntervalFinder {
 public:
  IntervalFinder(PathSearch& search, double tolerance, const PathIntervalsOptions& options,
                 const StopWatch* stop)
      : search_(search),
        tolerance_(tolerance),
        resolution_(std::max(options.time_resolution, least_resolution)),
        budget_(options.budget),
        stop_(stop) {}

  // Of one pair over the whole path.
  PairIntervals of(const PathPair& pair) {
    PairIntervals found;
    const PathSearch::Seen both = search_.seen(pair);
    std::array<std::int32_t, 2> pieces = {-1, -1};
    double start = 0.0;
    while (!is_over_) {
      if (both.has_hulls) {
        const SearchAnswer hulls = asked(both.hull[0], both.hull[1], start);
        if (hulls.ending != SearchAnswer::Ending::Contact) break;
        start = hulls.time;
      }
      const SearchAnswer answer = asked(both.shape[0], both.shape[1], start);
      if (answer.ending != SearchAnswer::Ending::Contact) break;
      if (pieces[0] < 0) pieces = {answer.piece_a, answer.piece_b};
      const ContactExit exit =
          contact_exit(both.shape[0], both.shape[1], answer.time,
                       {tolerance_, resolution_, budget_left(budget_, stats_), stop_}, stats_);
      add({answer.time, answer.time, exit.lower, exit.upper}, resolution_, found.intervals);
      if (exit.out_of_budget) end(exit.lower);
      if (exit.still_touching || exit.upper >= 1.0) break;
      start = exit.upper;
    }
    add_times_inside(pair, both, found.intervals);
    if (!found.intervals.empty()) {
      std::tie(found.link_a, found.link_b) =
          search_.names_of(pair, std::max(0, pieces[0]), std::max(0, pieces[1]));
      found.with_scene = !pair.self;
    }
    return found;
  }

  // Joins intervals whose gap is below the resolution; they come in the order of their beginnings.
  static void add(const ContactInterval& next, double resolution, std::vector<ContactInterval>& intervals) {
    if (intervals.empty() || next.begin_lower - intervals.back().end_upper >= resolution) {
      intervals.push_back(next);
    } else if (next.end_upper > intervals.back().end_upper) {
      intervals.back().end_lower = std::max(intervals.back().end_lower, next.end_lower);
      intervals.back().end_upper = next.end_upper;
    }
  }

  double resolution() const { return resolution_; }
  bool is_over() const { return is_over_; }
  double proven_until() const { return proven_until_; }
  const QueryStats& stats() const { return stats_; }

 private:
  SearchAnswer asked(const MovingShape& a, const MovingShape& b, double start) {
    const SearchAnswer answer = search_contact(
        {a, b, start, 1.0, 0.0, tolerance_, budget_left(budget_, stats_), stop_}, search_.memory());
    stats_ += answer.stats;
    if (answer.ending == SearchAnswer::Ending::OutOfBudget) end(answer.time);
    return answer;
  }

  void end(double proven_until) {
    is_over_ = true;
    proven_until_ = std::min(proven_until_, proven_until);
  }

  // Between contacts of the surfaces nothing changes, so one look each is enough.
  void add_times_inside(const PathPair& pair, const PathSearch::Seen& both,
                        std::vector<ContactInterval>& intervals) {
    if (!both.outline[0]->closed && !both.outline[1]->closed) return;
    // Far apart all the time: not inside either.
    if (intervals.empty() && search_.inside_at(pair, 0.0) == Inside::None) return;
    std::vector<ContactInterval> joined;
    double free_from = 0.0;
    const auto look = [&](double from, double until) {
      if (until > from && search_.inside_at(pair, 0.5 * (from + until)) != Inside::None)
        add({from, from, until, until}, 0.0, joined);
    };
    for (const ContactInterval& touching : intervals) {
      look(free_from, touching.begin_lower);
      if (!joined.empty() && touching.begin_lower <= joined.back().end_upper) {
        joined.back().end_lower = touching.end_lower;
        joined.back().end_upper = touching.end_upper;
      } else {
        joined.push_back(touching);
      }
      free_from = touching.end_upper;
    }
    const double until = std::min(1.0, proven_until_);
    if (free_from < until && search_.inside_at(pair, 0.5 * (free_from + until)) != Inside::None) {
      if (!joined.empty() && joined.back().end_upper >= free_from) {
        joined.back().end_lower = until;
        joined.back().end_upper = 1.0;
      } else {
        joined.push_back({free_from, free_from, until, 1.0});
      }
    }
    intervals = std::move(joined);
  }

  PathSearch& search_;
  double tolerance_;
  double resolution_;
  std::int64_t budget_;
  const StopWatch* stop_;
  bool is_over_ = false;
  double proven_until_ = 1.0;
  QueryStats stats_;
};

PathIntervalsResult failed_intervals(std::string failure) {
  PathIntervalsResult result;
  result.status = Status::Failed;
  result.proven_until = 0.0;
  result.failure = std::move(failure);
  return result;
}

std::string failure_of(const PathIntervalsOptions& options) {
  const auto is_length = [](double x) { return x >= 0.0 && std::isfinite(x); };
  if ((options.tolerance && !is_length(*options.tolerance)) || !is_length(options.relative_tolerance))
    return "the tolerance must be a distance of at least 0";
  if (!is_length(options.time_resolution))
    return "time_resolution is " + number_text(options.time_resolution) + ", but must be at least 0";
  if (options.budget < 0)
    return "budget is " + std::to_string(options.budget) + ", but must be at least 0 (0 = no limit)";
  return toccata::failure_of(options.stop);
}

// Those that balls do not keep apart all the time, each once.
std::vector<PathPair> near_pairs(PathSearch& search, double distance) {
  std::map<std::tuple<bool, std::int32_t, std::int32_t>, PathPair> pairs;
  std::vector<Candidate> candidates;
  for (int piece = 0; piece < search.motion().piece_count(); ++piece) {
    search.collect(piece, distance, candidates);
    for (const Candidate& candidate : candidates) {
      const PathPair& pair = candidate.pair;
      pairs.emplace(std::tuple(pair.self, pair.body, pair.other), pair);
    }
  }
  std::vector<PathPair> result;
  for (const auto& [key, pair] : pairs) result.push_back(pair);
  return result;
}

}  // namespace
}  // namespace articulated

using namespace articulated;

PathIntervalsResult path_intervals(const RobotInScene& robot, const JointPath& path,
                                   const PathIntervalsOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  const StopWatch watch(options.stop);
  std::string failure = failure_of(options);
  if (!failure.empty()) return failed_intervals(std::move(failure));
  Expected<TreeMotion> motion = TreeMotion::build(robot.kinematics().shared(), path);
  if (!motion) return failed_intervals(motion.error().message);
  PathSearch search(robot.data());
  search.set_path(std::move(*motion));
  const double tolerance = options.tolerance.value_or(options.relative_tolerance * robot.data().size);
  IntervalFinder finder(search, tolerance, options, watch.or_null());
  PathIntervalsResult result;
  for (const PathPair& pair : near_pairs(search, tolerance)) {
    if (finder.is_over()) {  // of this one nothing is known
      result.proven_until = 0.0;
      break;
    }
    PairIntervals found = finder.of(pair);
    if (!found.intervals.empty()) result.pairs.push_back(std::move(found));
  }
  result.proven_until = std::min(result.proven_until, finder.proven_until());
  std::stable_sort(result.pairs.begin(), result.pairs.end(),
                   [](const PairIntervals& a, const PairIntervals& b) {
                     return a.intervals.front().begin_lower < b.intervals.front().begin_lower;
                   });
  std::vector<ContactInterval> all;
  for (const PairIntervals& pair : result.pairs)
    all.insert(all.end(), pair.intervals.begin(), pair.intervals.end());
  std::stable_sort(all.begin(), all.end(), [](const ContactInterval& a, const ContactInterval& b) {
    return a.begin_lower < b.begin_lower;
  });
  for (const ContactInterval& interval : all)
    IntervalFinder::add(interval, finder.resolution(), result.intervals);
  if (finder.is_over()) {
    result.status = Status::OutOfBudget;
  } else if (!result.intervals.empty()) {
    result.status = result.intervals.front().begin_lower == 0.0 ? Status::OverlapAtStart : Status::Contact;
  }
  result.stats = finder.stats();
  result.microseconds =
      std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace toccata
