#pragma once
// How close does a robot on its path come to the scene or to itself, when and where?
//
//   const ArticulatedBody arm;
//   const RobotInScene robot = RobotInScene::build(arm).value();
//   const std::vector<std::vector<double>> way_points = {{0.0}, {1.0}};
//   const PathClearanceResult found = path_clearance(robot, JointPath::straight(way_points).value());
//   std::printf("never closer than %g\n", found.lower_distance);
#include <cstdint>
#include <cstdio>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "toccata/base/stop.hpp"
#include "toccata/ccd/articulated/robot_in_scene.hpp"
#include "toccata/report/path_clearance_result.hpp"

namespace toccata {

struct PathClearanceOptions {
  // How far the proven distance may be below the one found: a length, or, where none is given, a share of the
  // size of the robot's largest link.
  std::optional<double> tolerance = {};
  double relative_tolerance = 1e-4;
  int bands = 0;       // > 0: so many parts of the path, evenly spaced, with the clearance in each
  bool pairs = false;  // the same of every pair of links, and of links and obstacles, by itself
  double pair_limit =
      std::numeric_limits<double>::infinity();  // pairs that never get this close are left out
  std::int64_t budget = 0;  // most pairs of boxes and pieces to test, of each pair by itself; 0 = no limit
  int threads = 0;          // for pairs: 0 = all cores
  Stop stop = {};
};

// The smallest distance over the whole path and all pairs that matter. Paddings do not count.
PathClearanceResult path_clearance(const RobotInScene& robot, const JointPath& path,
                                   const PathClearanceOptions& options = {});

// The same for a robot that stands still: `time` is 0 and lower_distance as exact as doubles are. Pairs
// farther apart than `limit` are not looked at closely: the distance is then infinite.
PathClearanceResult state_clearance(const RobotInScene& robot, std::span<const double> values,
                                    double limit = 1e300);

// The distance from everything at moments of a path, as a curve to look at; what is farther than `limit` is
// there as `limit`.
std::vector<double> clearance_samples(const RobotInScene& robot, const JointPath& path,
                                      std::span<const double> times, double limit = 1e6);

}  // namespace toccata
