#include "toccata/ccd/articulated/path_contact.hpp"

#include <atomic>
#include <chrono>
#include <cmath>

#include "base/number_text.hpp"
#include "ccd/articulated/interval_method.hpp"
#include "ccd/articulated/node_clearances.hpp"
#include "ccd/articulated/search_pool.hpp"
#include "toccata/base/parallel.hpp"

namespace toccata {
namespace articulated {
namespace {

PathContactResult failed(std::string failure) {
  PathContactResult result;
  result.status = Status::Failed;
  result.time = result.lower = 0.0;
  result.failure = std::move(failure);
  return result;
}

bool is_length(double x) {
  return x >= 0.0 && std::isfinite(x);
}

std::string failure_of(const PathContactOptions& options) {
  if (options.tolerance && !is_length(*options.tolerance))
    return "tolerance is " + number_text(*options.tolerance) + ", but must be a distance of at least 0";
  if (!is_length(options.relative_tolerance))
    return "relative_tolerance is " + number_text(options.relative_tolerance) + ", but must be at least 0";
  if (!is_length(options.minimum_distance))
    return "minimum_distance is " + number_text(options.minimum_distance) +
           ", but must be a distance of at least 0";
  if (options.budget < 0)
    return "budget is " + std::to_string(options.budget) + ", but must be at least 0 (0 = no limit)";
  return toccata::failure_of(options.stop);
}

PathLimits limits_of(const PreparedRobot& robot, const PathContactOptions& options, const StopWatch* stop) {
  return {options.minimum_distance, options.tolerance.value_or(options.relative_tolerance * robot.size),
          options.budget, stop};
}

class Timer {
 public:
  double microseconds() const {
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

PathContactResult asked(PathSearch& search, const PathLimits& limits, bool any) {
  if (limits.stop != nullptr && limits.stop->is_over()) {
    PathContactResult result;
    result.status = Status::OutOfBudget;
    result.time = result.lower = 0.0;
    return result;
  }
  return any ? search.any_contact(limits) : search.first_contact(limits);
}

std::string failure_of(const JointEdge& edge, std::size_t variables) {
  for (const std::vector<double>* values : {&edge.start, &edge.end}) {
    if (values->size() != variables)
      return "an end of the edge has " + std::to_string(values->size()) + " values, but the robot has " +
             std::to_string(variables) + " variables";
    for (const double value : *values) {
      if (!std::isfinite(value)) return "a value of the edge is not finite";
    }
  }
  return {};
}

// By the general way where a joint turns by a quaternion, else in the memory that is there.
PathContactResult answered(PathSearch& search, const PreparedRobot& robot, const JointEdge& edge,
                           const PathLimits& limits, const PathContactOptions& options,
                           const EndClearances& ends = {}) {
  std::string failure = failure_of(edge, robot.kinematics.variables().size());
  if (!failure.empty()) return failed(std::move(failure));
  const bool any = options.any_contact, intervals = options.method == PathMethod::Interval;
  if (robot.has_balls || intervals) {
    const std::vector<double> points[] = {edge.start, edge.end};
    const Expected<JointPath> path = JointPath::straight(points);
    if (!path) return failed(path.error().message);
    if (intervals) return interval_contact(robot, *path, limits);
    Expected<TreeMotion> motion = TreeMotion::build(robot.kinematics.shared(), *path);
    if (!motion) return failed(motion.error().message);
    search.set_path(std::move(*motion));
  } else {
    search.set_edge(edge.start, edge.end);
    search.set_clearances(ends.start, ends.end);
  }
  return asked(search, limits, any);
}

}  // namespace
}  // namespace articulated

using namespace articulated;

PathContactResult path_contact(const RobotInScene& robot, const JointPath& path,
                               const PathContactOptions& options) {
  const Timer timer;
  const StopWatch watch(options.stop);
  std::string failure = failure_of(options);
  if (!failure.empty()) return failed(std::move(failure));
  Expected<TreeMotion> motion = TreeMotion::build(robot.kinematics().shared(), path);
  if (!motion) return failed(motion.error().message);
  const PathLimits limits = limits_of(robot.data(), options, watch.or_null());
  if (options.method == PathMethod::Interval) {
    PathContactResult result = interval_contact(robot.data(), path, limits);
    result.microseconds = timer.microseconds();
    return result;
  }
  const SearchPool::Borrowed search = robot.data().searches->borrow(robot.data());
  search->set_path(std::move(*motion));
  PathContactResult result = asked(*search, limits, options.any_contact);
  result.microseconds = timer.microseconds();
  return result;
}

std::vector<PathContactResult> edge_contacts(const RobotInScene& robot, std::span<const JointEdge> edges,
                                             const PathContactOptions& options) {
  const StopWatch watch(options.stop);
  std::vector<PathContactResult> results(edges.size());
  std::string failure = failure_of(options);
  if (!failure.empty()) {
    results.assign(edges.size(), failed(failure));
    return results;
  }
  const PathLimits limits = limits_of(robot.data(), options, watch.or_null());
  const bool straight = !robot.data().has_balls && options.method == PathMethod::Advancement;
  const NodeClearances nodes(robot.data(), straight ? edges : std::span<const JointEdge>(), options.threads,
                             watch.or_null());
  const auto answer = [&](PathSearch& search, std::size_t i) {
    const Timer timer;
    results[i] = answered(search, robot.data(), edges[i], limits, options, nodes.of(i));
    results[i].microseconds = timer.microseconds();
  };
  if (edges.size() == 1) {
    answer(*robot.data().searches->borrow(robot.data()), 0);
    return results;
  }
  // Each worker takes the next edges when it is free, since some take a hundred times longer than others.
  constexpr std::size_t at_once = 8;
  const int workers = usable_threads(options.threads);
  std::atomic<std::size_t> next = 0;
  parallel_blocks(static_cast<std::size_t>(workers), 1, options.threads, [&](std::size_t, std::size_t) {
    const SearchPool::Borrowed search = robot.data().searches->borrow(robot.data());
    for (std::size_t first = next.fetch_add(at_once); first < edges.size(); first = next.fetch_add(at_once)) {
      for (std::size_t i = first; i < std::min(first + at_once, edges.size()); ++i) answer(*search, i);
    }
  });
  return results;
}

}  // namespace toccata
