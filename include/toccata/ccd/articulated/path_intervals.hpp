#pragma once
// When does a robot on its path touch the scene or itself: every interval, pair by pair.
//
//   const ArticulatedBody arm;
//   const RobotInScene robot = RobotInScene::build(arm).value();
//   const std::vector<std::vector<double>> way_points = {{0.0}, {1.0}};
//   const PathIntervalsResult found = path_intervals(robot, JointPath::straight(way_points).value());
//   for (const PairIntervals& pair : found.pairs) std::puts(pair.link_a.c_str());
//
// Between an interval's end_upper and the next one's begin_lower the two are proven apart, as in
// contact_intervals. One inside the other counts as touching, where it is closed. Minimum distances and
// paddings do not count: touching is touching.
#include <cstdint>
#include <cstdio>
#include <optional>
#include <span>
#include <vector>

#include "toccata/base/stop.hpp"
#include "toccata/base/tolerances.hpp"
#include "toccata/ccd/articulated/robot_in_scene.hpp"
#include "toccata/report/path_intervals_result.hpp"

namespace toccata {

struct PathIntervalsOptions {
  // How close counts as touching: as in PathContactOptions.
  std::optional<double> tolerance = {};
  double relative_tolerance = tolerances::relative_contact;
  // Gaps and contacts shorter than this may be merged with their neighbours.
  double time_resolution = tolerances::time_resolution;
  std::int64_t budget = 0;  // most pairs of boxes and pieces to test; 0 = no limit
  Stop stop = {};
};

PathIntervalsResult path_intervals(const RobotInScene& robot, const JointPath& path,
                                   const PathIntervalsOptions& options = {});

}  // namespace toccata
