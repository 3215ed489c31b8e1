#pragma once
// Robots for tests: trees of joints of every kind, and paths of every degree.
#include <cmath>
#include <string>
#include <vector>

#include "oracle/moving_bodies.hpp"
#include "toccata/base/random.hpp"
#include "toccata/geometry/articulated_body.hpp"
#include "toccata/motion/joint_path.hpp"

namespace toccata::oracle {

struct RandomRobot {
  ArticulatedBody body;
  JointPath path;
};

// A tree of a few joints of any kind, with mimics, along a path of any degree.
inline RandomRobot random_robot(Random& random, double scale) {
  ArticulatedBody body;
  const int links = random.integer(2, 9);
  const bool floats = random.integer(0, 5) == 0;
  for (int i = 0; i < links; ++i) body.links.push_back({"link" + std::to_string(i), {}});
  for (int i = 1; i < links; ++i) {
    Joint joint;
    joint.name = "joint" + std::to_string(i);
    const int kind = random.integer(0, 9);
    joint.kind = kind == 0   ? JointKind::Fixed
                 : kind == 1 ? (floats ? JointKind::Floating : JointKind::Planar)
                 : kind < 4  ? JointKind::Prismatic
                             : JointKind::Revolute;
    joint.parent = body.links[static_cast<std::size_t>(random.integer(0, i - 1))].name;
    joint.child = body.links[static_cast<std::size_t>(i)].name;
    joint.origin = random_pose(random, scale);
    joint.axis = random.in_box(2.0);
    joint.limits = JointLimits{-3.0, 3.0};
    if (i > 1 && variable_count(joint.kind) == 1 && random.integer(0, 4) == 0) {
      const Joint& master = body.joints[static_cast<std::size_t>(random.integer(0, i - 2))];
      if (variable_count(master.kind) == 1)
        joint.mimic = JointMimic{master.name, random.uniform(-1.5, 1.5), random.uniform(-1, 1)};
    }
    body.joints.push_back(joint);
  }
  const auto variables = variables_of(body);
  const int degree = floats ? 1 : 1 + 2 * random.integer(0, 2);
  const double reach = std::pow(10.0, random.uniform(-2, 0.5));
  std::vector<JointWayPoint> points;
  std::vector<double> start;
  for (int i = 0; i < random.integer(2, 3); ++i) {
    JointWayPoint point;
    point.time = i;
    for (std::size_t k = 0; k < variables.size(); ++k) {
      if (i == 0) start.push_back(random.uniform(-3, 3));
      point.values.push_back(start[k] + reach * random.uniform(-1, 1));
      if (degree > 1) point.velocities.push_back(reach * random.uniform(-1, 1));
      if (degree > 3) point.accelerations.push_back(reach * random.uniform(-1, 1));
    }
    points.push_back(point);
  }
  return {body, JointPath::build(points).value()};
}

}  // namespace toccata::oracle
