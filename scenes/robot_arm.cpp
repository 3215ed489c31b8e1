#include "scenes/robot_arm.hpp"

#include <Eigen/Geometry>
#include <numbers>

namespace toccata::scenes {
namespace {

Joint joint(const char* name, JointKind kind, const char* parent, const char* child, const Vector3& place,
            const Vector3& axis, double reach) {
  Joint result;
  result.name = name;
  result.kind = kind;
  result.parent = parent;
  result.child = child;
  result.origin.translation = place;
  result.axis = axis;
  result.limits = JointLimits{-reach, reach};
  return result;
}

// Upright, from the link's origin to this height.
CompoundPart limb(double radius, double height) {
  return {Capsule{radius, height}, Pose(Matrix3::Identity(), Vector3(0, 0, 0.5 * height))};
}

Obstacle board(const char* name, const Vector3& size, const Vector3& place) {
  return {name, Box{size}, Pose(Matrix3::Identity(), place)};
}

JointPath through(const std::vector<std::vector<double>>& points) {
  return JointPath::straight(points).value();
}

}  // namespace

ArticulatedBody robot_arm() {
  const Vector3 y = Vector3::UnitY(), z = Vector3::UnitZ();
  ArticulatedBody arm;
  arm.name = "arm";
  arm.links = {
      {"base", {{Cylinder{0.12, 0.1}, Pose(Matrix3::Identity(), Vector3(0, 0, 0.05))}}},
      {"shoulder", {limb(0.08, 0.2)}},
      {"upper_arm", {limb(0.06, 0.4)}},
      {"forearm", {limb(0.05, 0.35)}},
      {"wrist", {limb(0.045, 0.08)}},
      {"hand", {{Box{Vector3(0.06, 0.16, 0.05)}, Pose(Matrix3::Identity(), Vector3(0, 0, 0.1))}}},
      {"left_finger", {{Box{Vector3(0.02, 0.015, 0.07)}, Pose(Matrix3::Identity(), Vector3(0, 0, 0.035))}}},
      {"right_finger", {{Box{Vector3(0.02, 0.015, 0.07)}, Pose(Matrix3::Identity(), Vector3(0, 0, 0.035))}}},
  };
  const double pi = std::numbers::pi;
  arm.joints = {
      joint("turn", JointKind::Revolute, "base", "shoulder", {0, 0, 0.1}, z, pi),
      joint("lift", JointKind::Revolute, "shoulder", "upper_arm", {0, 0, 0.25}, y, 2.4),
      joint("bend", JointKind::Revolute, "upper_arm", "forearm", {0, 0, 0.45}, y, 2.6),
      joint("roll", JointKind::Continuous, "forearm", "wrist", {0, 0, 0.42}, z, pi),
      joint("tilt", JointKind::Revolute, "wrist", "hand", {0, 0, 0.1}, y, 2.0),
      joint("grip", JointKind::Prismatic, "hand", "left_finger", {0, 0.02, 0.13}, y, 0.05),
      joint("grip_mimic", JointKind::Prismatic, "hand", "right_finger", {0, -0.02, 0.13}, y, 0.05),
  };
  arm.joints[3].limits.reset();
  arm.joints[5].limits = JointLimits{0.0, 0.05};
  arm.joints[6].mimic = JointMimic{"grip", -1.0, 0.0};
  return arm;
}

ObstacleScene shelf() {
  ObstacleScene scene;
  for (int i = 0; i < 4; ++i)
    scene.obstacles.push_back(board("board", {0.35, 1.0, 0.02}, {0.8, 0, 0.1 + 0.35 * i}));
  scene.obstacles.push_back(board("left side", {0.35, 0.02, 1.1}, {0.8, 0.51, 0.62}));
  scene.obstacles.push_back(board("right side", {0.35, 0.02, 1.1}, {0.8, -0.51, 0.62}));
  scene.obstacles.push_back(
      {"rod", Cylinder{0.003, 1.0},
       Pose(Eigen::AngleAxisd(0.5 * std::numbers::pi, Vector3::UnitX()).toRotationMatrix(),
            Vector3(0.62, 0, 0.51))});
  return scene;
}

JointPath free_reach() {
  return through(
      {{0.3, -0.3, 2.1, 0, -0.2, 0.0}, {0, 0.0, 1.93, 0, -0.36, 0.0}, {0, 0.45, 1.36, 0, -0.24, 0.03}});
}

JointPath touching_reach() {
  return through(
      {{0.3, -0.3, 2.1, 0, -0.2, 0.0}, {0, 0.0, 1.93, 0, -0.36, 0.0}, {0, 0.53, 1.47, 0, -0.43, 0.03}});
}

}  // namespace toccata::scenes
