#pragma once
// Does a robot on its path touch the scene or itself, when first, and where?
//
//   const ArticulatedBody arm;
//   const RobotInScene robot = RobotInScene::build(arm).value();
//   const std::vector<std::vector<double>> way_points = {{0.0}, {1.0}};
//   const PathContactResult found = path_contact(robot, JointPath::straight(way_points).value());
//   if (found.status == Status::Separated) std::puts("the whole path is free");
//
// Guarantee, for the path in real arithmetic on the doubles as given: a contact is never missed; the reported
// time is never later than the true first contact; and at it the two are within minimum distance +
// tolerance. Answers do not depend on the number of threads.
#include <cstdint>
#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "toccata/base/stop.hpp"
#include "toccata/base/tolerances.hpp"
#include "toccata/ccd/articulated/robot_in_scene.hpp"
#include "toccata/report/path_contact_result.hpp"

namespace toccata {

enum class PathMethod {
  Advancement,  // the one to use
  Interval,     // links enclosed by interval arithmetic, time halved: slower, and a second opinion
};

struct PathContactOptions {
  PathMethod method = PathMethod::Advancement;
  // How close counts as touching: a distance, or, where none is given, a share of the size of the robot's
  // largest link.
  std::optional<double> tolerance = {};
  double relative_tolerance = tolerances::relative_contact;
  double minimum_distance = 0.0;  // > 0: the first time that any two come this close
  // For planners, who ask whether and not when: looks at a few moments first, and reports the contact found
  // there. A path without contact is proven free as before.
  bool any_contact = false;
  std::int64_t budget = 0;  // of one path: most pairs of boxes and pieces to test; 0 = no limit
  Stop stop = {};           // of a batch: paths that are not answered by then end OutOfBudget with time 0
  int threads = 0;          // of a batch: 0 = all cores
};

PathContactResult path_contact(const RobotInScene& robot, const JointPath& path,
                               const PathContactOptions& options = {});

// A straight way in joint space.
struct JointEdge {
  std::vector<double> start;
  std::vector<double> end;
};

// As one by one, in the same order; of edges that share ends, as in a roadmap, times up to the tolerance.
std::vector<PathContactResult> edge_contacts(const RobotInScene& robot, std::span<const JointEdge> edges,
                                             const PathContactOptions& options = {});

}  // namespace toccata
