#include "toccata/ccd/articulated/path_clearance.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <map>
#include <tuple>

#include "ccd/articulated/clearance_search.hpp"
#include "toccata/base/parallel.hpp"

namespace toccata {
namespace articulated {
namespace {

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
  if (!(options.pair_limit >= 0.0)) return "pair_limit must be a distance of at least 0";
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

// Is one of any two inside the other at t? Only a path that touches has such moments.
bool is_inside(PathSearch& search, double t) {
  std::vector<Candidate> candidates;
  search.collect(search.motion().piece_at(t), 0.0, candidates);
  return std::any_of(candidates.begin(), candidates.end(), [&](const Candidate& candidate) {
    return search.inside_at(candidate.pair, t) != Inside::None;
  });
}

// A pair over the whole path, part by part.
class PairBands {
 public:
  PairBands(PathSearch& search, ClearanceSearch& clearance, double tolerance, int parts)
      : search_(search), clearance_(clearance), tolerance_(tolerance), parts_(parts) {}

  PairClearance of(const PathPair& pair) {
    PairClearance result;
    Nearest whole;
    for (int part = 0; part < parts_; ++part) {
      const double begin = static_cast<double>(part) / parts_, end = static_cast<double>(part + 1) / parts_;
      Nearest nearest = nearest_in(pair, begin, end);
      result.bands.push_back({begin, end, std::max(0.0, nearest.distance - tolerance_), nearest.distance});
      if (part == 0 || nearest.distance < whole.distance) whole = std::move(nearest);
    }
    result.time = whole.time;
    result.distance = whole.distance;
    result.lower_distance = std::max(0.0, whole.distance - tolerance_);
    result.with_scene = !pair.self;
    const Feature &own = pair.self ? whole.found.contact.feature_b : whole.found.contact.feature_a,
                  &other = pair.self ? whole.found.contact.feature_a : whole.found.contact.feature_b;
    std::tie(result.link_a, result.link_b) =
        search_.names_of(pair, std::max(0, own.part), std::max(0, other.part));
    return result;
  }

 private:
  Nearest nearest_in(const PathPair& pair, double begin, double end) {
    Nearest nearest;
    const TreeMotion& motion = search_.motion();
    for (int piece = 0; piece < motion.piece_count(); ++piece) {
      const double from = std::max(begin, motion.begin_of(piece)),
                   until = std::min(end, motion.end_of(piece));
      if (from < until || (from == until && motion.piece_count() == 1))
        clearance_.lower_one(pair, from, until, nearest);
    }
    // No surfaces meet in this part, so either all of it is inside or none.
    if (nearest.distance > 0.0 && search_.inside_at(pair, begin) != Inside::None) {
      nearest.distance = 0.0;
      nearest.time = begin;
    }
    return nearest;
  }

  PathSearch& search_;
  ClearanceSearch& clearance_;
  double tolerance_;
  int parts_;
};

// Every pair that matters and gets within the limit, the nearest first; false where the budget is spent.
bool add_pairs(const PreparedRobot& robot, const TreeMotion& motion, const PathClearanceOptions& options,
               double tolerance, const StopWatch* stop, PathClearanceResult& result) {
  std::map<std::tuple<bool, std::int32_t, std::int32_t>, PathPair> near;
  PathSearch search(robot);
  search.set_path(motion);
  std::vector<Candidate> candidates;
  for (int piece = 0; piece < motion.piece_count(); ++piece) {
    search.collect(piece, options.pair_limit, candidates);
    for (const Candidate& candidate : candidates)
      near.emplace(std::tuple(candidate.pair.self, candidate.pair.body, candidate.pair.other),
                   candidate.pair);
  }
  std::vector<PathPair> pairs;
  for (const auto& [key, pair] : near) pairs.push_back(pair);
  std::vector<PairClearance> found(pairs.size());
  std::atomic<bool> finished = true;
  parallel_blocks(pairs.size(), 4, options.threads, [&](std::size_t begin, std::size_t end) {
    PathSearch own(robot);
    own.set_path(motion);
    for (std::size_t i = begin; i < end && finished; ++i) {
      ClearanceSearch clearance(own, tolerance, options.budget, stop);
      found[i] = PairBands(own, clearance, tolerance, std::max(1, options.bands)).of(pairs[i]);
      if (clearance.out_of_budget()) finished = false;
    }
  });
  if (!finished) return false;
  std::erase_if(found, [&](const PairClearance& pair) { return !(pair.distance <= options.pair_limit); });
  std::stable_sort(found.begin(), found.end(),
                   [](const PairClearance& a, const PairClearance& b) { return a.distance < b.distance; });
  result.pairs = std::move(found);
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
  search.set_path(*motion);
  const double tolerance = options.tolerance.value_or(options.relative_tolerance * robot.data().size);
  ClearanceSearch clearance(search, tolerance, options.budget, watch.or_null());
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
    if (contact && nearest.distance > 0.0 && is_inside(search, begin)) nearest.distance = 0.0;
    if (options.bands > 0)
      result.bands.push_back({begin, end, std::max(0.0, nearest.distance - tolerance), nearest.distance});
    if (nearest.distance < whole.distance) whole = std::move(nearest);
  }
  if (!contact) {
    tell(whole, search, result);
    result.lower_distance = std::max(0.0, whole.distance - tolerance);
  }
  const bool finished =
      !clearance.out_of_budget() &&
      (!options.pairs || add_pairs(robot.data(), *motion, options, tolerance, watch.or_null(), result));
  if (!finished) {
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
  ClearanceSearch clearance(search, 0.0, 0, nullptr);
  Nearest nearest;
  nearest.distance = limit;
  std::vector<Candidate> candidates;
  search.collect(0, limit, candidates);
  for (const Candidate& candidate : candidates) clearance.look(candidate.pair, 0.0, nearest);
  PathClearanceResult result;
  if (nearest.pair.body < 0) nearest.distance = infinite_distance;
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
