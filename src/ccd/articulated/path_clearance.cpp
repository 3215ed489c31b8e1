// The least distance found so far is lowered by looking at pairs: does one come closer than it, less the
// tolerance? If so, the way goes down from there to the bottom of the valley, and the question is asked
// again; if not, the pair is done.
#include "toccata/ccd/articulated/path_clearance.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "ccd/articulated/path_search.hpp"
#include "toccata/proximity/distance.hpp"

namespace toccata {
namespace articulated {
namespace {

using namespace search;

constexpr double infinite = std::numeric_limits<double>::infinity();
// Moments of each part of a path at which all pairs are looked at first.
constexpr int first_looks = 5;
constexpr int golden_steps = 16;

struct Nearest {
  double distance = infinite;
  double time = 0.0;
  PathPair pair;
  DistanceResult found;
};

class Clearance {
 public:
  Clearance(PathSearch& search, double tolerance, std::int64_t budget, const StopWatch* stop)
      : search_(search), tolerance_(tolerance), budget_(budget), stop_(stop) {}

  // Between two times within one piece of the path; `nearest` is what is known already.
  void lower(int piece, double begin, double end, Nearest& nearest) {
    std::vector<Candidate> candidates;
    search_.collect(piece, infinite, candidates);
    for (int i = 0; i < first_looks; ++i) {
      const double t = begin + (end - begin) * i / (first_looks - 1);
      for (const Candidate& candidate : candidates) look(candidate.pair, t, nearest);
    }
    search_.collect(piece, nearest.distance, candidates);
    for (const Candidate& candidate : candidates) {
      if (nearest.distance == 0.0 || out_of_budget_) return;
      lower_pair(candidate.pair, std::max(begin, candidate.from), std::min(end, candidate.until), nearest);
    }
  }

  bool out_of_budget() const { return out_of_budget_; }
  const QueryStats& stats() const { return stats_; }

  // Its distance at t, if that is less.
  double look(const PathPair& pair, double t, Nearest& nearest) {
    const PathSearch::Seen both = search_.seen(pair);
    const std::array<Pose, 2> poses = search_.poses_at(pair, t);
    DistanceOptions options;
    options.limit = nearest.distance;
    const int first = pair.self ? 1 : 0, second = 1 - first;
    DistanceResult found =
        distance({both.outline[first]->shape, poses[static_cast<std::size_t>(first)]},
                 {both.outline[second]->shape, poses[static_cast<std::size_t>(second)]}, options);
    stats_ += found.stats;
    const double value = found.distance;
    if (value < nearest.distance) nearest = {value, t, pair, std::move(found)};
    return value;
  }

 private:
  void lower_pair(const PathPair& pair, double from, double end, Nearest& nearest) {
    const PathSearch::Seen both = search_.seen(pair);
    bool hulls = both.has_hulls;
    while (from <= end) {
      SearchQuestion question;
      question.a = hulls ? both.hull[0] : both.shape[0];
      question.b = hulls ? both.hull[1] : both.shape[1];
      question.start = from;
      question.end = end;
      question.distance = std::max(0.0, nearest.distance - tolerance_);
      question.tolerance = 0.25 * tolerance_;
      question.budget = budget_left(budget_, stats_);
      question.stop = stop_;
      const SearchAnswer answer = search_contact(question, search_.memory());
      stats_ += answer.stats;
      if (answer.ending == SearchAnswer::Ending::Free) return;
      if (answer.ending == SearchAnswer::Ending::OutOfBudget) {
        out_of_budget_ = true;
        return;
      }
      from = answer.time;
      if (hulls) {
        hulls = false;
        continue;
      }
      const double before = nearest.distance;
      look(pair, from, nearest);
      descend(pair, from, end, nearest);
      if (nearest.distance == 0.0) return;
      if (!(nearest.distance < before)) {
        // Where doubles do not tell any more: what was found counts, though a search says less.
        nearest.distance = std::max(0.0, std::min(before, question.distance + question.tolerance));
      }
    }
  }

  // Down from t, ahead, to the bottom of the valley.
  void descend(const PathPair& pair, double t, double end, Nearest& nearest) {
    const auto value = [&](double s) {
      Nearest alone;
      alone.distance = infinite;
      const double d = look(pair, s, alone);
      if (d < nearest.distance) nearest = std::move(alone);
      return d;
    };
    double low = t, width = 0x1p-10, best = value(t);
    while (low + width < end) {
      const double next = value(low + width);
      if (!(next < best)) break;
      best = next;
      low += width;
      width *= 2.0;
    }
    double a = std::max(t, low - width), b = std::min(end, low + width);
    const double ratio = 0.6180339887498949;
    double c = b - ratio * (b - a), d = a + ratio * (b - a);
    double at_c = value(c), at_d = value(d);
    for (int i = 0; i < golden_steps && nearest.distance > 0.0; ++i) {
      if (at_c < at_d) {
        b = d;
        d = c;
        at_d = at_c;
        c = b - ratio * (b - a);
        at_c = value(c);
      } else {
        a = c;
        c = d;
        at_c = at_d;
        d = a + ratio * (b - a);
        at_d = value(d);
      }
    }
  }

  PathSearch& search_;
  double tolerance_;
  std::int64_t budget_;
  const StopWatch* stop_;
  bool out_of_budget_ = false;
  QueryStats stats_;
};

void tell(const Nearest& nearest, const PathSearch& search, PathClearanceResult& result) {
  result.time = nearest.time;
  result.distance = nearest.distance;
  if (nearest.pair.body < 0) return;
  result.contact = nearest.found.contact;
  const bool self = nearest.pair.self;
  const auto [a, b] =
      search.names_of(nearest.pair, (self ? result.contact.feature_b : result.contact.feature_a).part,
                      (self ? result.contact.feature_a : result.contact.feature_b).part);
  result.link_a = a;
  result.link_b = b;
  result.with_scene = !self;
}

PathClearanceResult failed_clearance(std::string failure) {
  PathClearanceResult result;
  result.status = Status::Failed;
  result.failure = std::move(failure);
  return result;
}

std::string failure_of(const PathClearanceOptions& options) {
  const auto is_length = [](double x) { return x >= 0.0 && std::isfinite(x); };
  if ((options.tolerance && !(is_length(*options.tolerance) && *options.tolerance > 0.0)) ||
      !(is_length(options.relative_tolerance) && options.relative_tolerance > 0.0))
    return "the tolerance of a clearance must be above 0, and finite";
  if (options.bands < 0) return "bands is " + std::to_string(options.bands) + ", but must be at least 0";
  if (options.budget < 0)
    return "budget is " + std::to_string(options.budget) + ", but must be at least 0 (0 = no limit)";
  return toccata::failure_of(options.stop);
}

// Where it touches: when first. One inside the other counts, which no distance of surfaces tells.
bool touches(PathSearch& search, double tolerance, PathClearanceResult& result) {
  const PathContactResult contact = search.first_contact({0.0, tolerance, 0, nullptr});
  if (contact.status != Status::Contact && contact.status != Status::OverlapAtStart) return false;
  result.status = contact.status;
  result.time = contact.time;
  result.link_a = contact.link_a;
  result.link_b = contact.link_b;
  result.with_scene = contact.with_scene;
  result.contact = contact.contact;
  result.distance = result.lower_distance = 0.0;
  return true;
}

}  // namespace
}  // namespace articulated

using namespace articulated;

PathClearanceResult path_clearance(const RobotInScene& robot, const JointPath& path,
                                   const PathClearanceOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  const StopWatch watch(options.stop);
  std::string failure = failure_of(options);
  if (!failure.empty()) return failed_clearance(std::move(failure));
  Expected<TreeMotion> motion = TreeMotion::build(robot.kinematics().shared(), path);
  if (!motion) return failed_clearance(motion.error().message);
  PathSearch search(robot.data());
  search.set_path(std::move(*motion));
  const double tolerance = options.tolerance.value_or(options.relative_tolerance * robot.data().size);
  Clearance clearance(search, tolerance, options.budget, watch.or_null());
  PathClearanceResult result;
  const bool contact = touches(search, 1e-3 * tolerance, result);
  Nearest whole;
  const int parts = std::max(1, options.bands);
  for (int part = 0; part < parts && !clearance.out_of_budget() && !(contact && options.bands == 0); ++part) {
    const double begin = static_cast<double>(part) / parts, end = static_cast<double>(part + 1) / parts;
    Nearest nearest;
    if (options.bands == 0) nearest = whole;
    for (int piece = 0; piece < search.motion().piece_count(); ++piece) {
      const double from = std::max(begin, search.motion().begin_of(piece));
      const double until = std::min(end, search.motion().end_of(piece));
      if (from <= until && (from < until || parts == 1)) clearance.lower(piece, from, until, nearest);
    }
    if (options.bands > 0)
      result.bands.push_back({begin, end, std::max(0.0, nearest.distance - tolerance), nearest.distance});
    if (nearest.distance < whole.distance) whole = std::move(nearest);
  }
  if (!contact) {
    tell(whole, search, result);
    result.lower_distance = std::max(0.0, whole.distance - tolerance);
  }
  if (clearance.out_of_budget()) {
    if (!contact) result.status = Status::OutOfBudget;
    result.lower_distance = 0.0;
    result.bands.clear();
  }
  result.stats += clearance.stats();
  result.microseconds =
      std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
  return result;
}

PathClearanceResult state_clearance(const RobotInScene& robot, std::span<const double> values, double limit) {
  const std::vector<double> points[] = {std::vector<double>(values.begin(), values.end())};
  const Expected<JointPath> path = JointPath::straight(points);
  if (!path) return failed_clearance(path.error().message);
  Expected<TreeMotion> motion = TreeMotion::build(robot.kinematics().shared(), *path);
  if (!motion) return failed_clearance(motion.error().message);
  PathSearch search(robot.data());
  search.set_path(std::move(*motion));
  Clearance clearance(search, 0.0, 0, nullptr);
  Nearest nearest;
  nearest.distance = limit;
  std::vector<Candidate> candidates;
  search.collect(0, limit, candidates);
  for (const Candidate& candidate : candidates) clearance.look(candidate.pair, 0.0, nearest);
  PathClearanceResult result;
  if (nearest.pair.body < 0) nearest.distance = infinite;
  tell(nearest, search, result);
  result.lower_distance = nearest.pair.body < 0 ? limit : nearest.found.lower_distance;
  touches(search, 0.0, result);
  result.stats = clearance.stats();
  return result;
}

std::vector<double> clearance_samples(const RobotInScene& robot, const JointPath& path,
                                      std::span<const double> times, double limit) {
  std::vector<double> distances;
  for (const double t : times)
    distances.push_back(std::min(limit, state_clearance(robot, path.values(t), limit).distance));
  return distances;
}

}  // namespace toccata
