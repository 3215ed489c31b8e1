#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "effort.hpp"
#include "motion/tree_motion.hpp"
#include "oracle/random_robot.hpp"
#include "toccata/base/random.hpp"
#include "toccata/motion/kinematics.hpp"

namespace toccata {
namespace {

using namespace oracle;

// Points of a link seen from another obey the expansion's inequality at every time ahead.
TEST(LinkMotion, keeps_the_promise_of_its_expansion) {
  Random random(11);
  double tightest = 1.0;
  for (int trial = 0; trial < with_effort(4000); ++trial) {
    const double scale = std::pow(10.0, random.uniform(-2, 2));
    const RandomRobot robot = random_robot(random, scale);
    const Kinematics kinematics = Kinematics::build(robot.body).value();
    const RobotMotion moving = RobotMotion::build(kinematics, robot.path).value();
    const int links = kinematics.link_count();
    const int link = random.integer(0, links - 1), from = random.integer(-1, links - 1);
    const Vector3 reference = scale * random.in_box(1.0);
    const LinkMotion motion(moving, link, from, reference);
    const double t = random.unit() * 0.9;
    const double end = std::min(motion.next_breakpoint(t), t + std::pow(10.0, random.uniform(-3, 0)));
    const MotionExpansion e = motion.expansion(t, end);
    const PoseError error = motion.pose_error();
    for (int k = 0; k < 10; ++k) {
      const Vector3 p = k == 0 ? reference : Vector3(scale * random.in_box(2.0));
      const Vector3 x = motion.pose(t).apply(p), d = x - e.center;
      const double delta = (end - t) * (k % 4 == 0 ? 1.0 : random.unit());
      const double spin = e.angular_velocity.norm();
      const double rho = spin > 0.0 ? d.cross(e.angular_velocity).norm() / spin : d.norm();
      const double allowed =
          delta * (e.speed_slack + e.spin_slack * d.norm()) +
          0.5 * delta * delta *
              (e.acceleration + e.spin_acceleration * d.norm() + e.axial_acceleration * rho);
      const double seen =
          (motion.pose(t + delta).apply(p) - x - delta * (e.velocity + e.angular_velocity.cross(d))).norm();
      const double rounding = 2.0 * (error.translation + error.rotation * p.norm());
      ASSERT_LE(seen, allowed + rounding) << trial;
      if (allowed > 100.0 * rounding) tightest = std::min(tightest, 1.0 - seen / allowed);
    }
    if (motion.is_fixed()) {
      EXPECT_EQ(e.velocity.norm() + e.angular_velocity.norm(), 0.0);
    }
  }
  EXPECT_LT(tightest, 0.05);  // the bound is not slack everywhere
}

// One joint that turns is a rotation about its axis, whatever else stands still, from either side.
TEST(LinkMotion, one_moving_joint_is_steady) {
  Random random(12);
  for (int trial = 0; trial < 200; ++trial) {
    RandomRobot robot = random_robot(random, 1.0);
    for (Joint& joint : robot.body.joints) {
      joint.kind = JointKind::Revolute;
      joint.mimic.reset();
    }
    const auto count = variables_of(robot.body).size();
    std::vector<std::vector<double>> points(2, std::vector<double>(count));
    for (double& x : points[0]) x = random.uniform(-3, 3);
    points[1] = points[0];
    const auto moving = static_cast<std::size_t>(random.integer(0, static_cast<int>(count) - 1));
    points[1][moving] += 2.0;
    const RobotMotion motion =
        RobotMotion::build(Kinematics::build(robot.body).value(), JointPath::straight(points).value())
            .value();
    const Joint& joint = robot.body.joints[moving];
    const auto link = [&](const std::string& name) { return std::stoi(name.substr(4)); };
    for (const bool reversed : {false, true}) {
      const int a = reversed ? link(joint.child) : link(joint.parent),
                b = reversed ? link(joint.parent) : link(joint.child);
      const LinkMotion seen(motion, b, a);
      const MotionExpansion e = seen.expansion(0.25, 1.0);
      EXPECT_TRUE(e.steady);
      EXPECT_NEAR(e.angular_velocity.norm(), 2.0, 1e-12);
      EXPECT_LT(e.acceleration, 1e-10);
      const Vector3 p = random.in_box(1.0);
      const Vector3 arm = seen.pose(0.25).apply(p) - e.center;
      const Vector3 turned = e.center + Eigen::AngleAxisd(1.5, e.angular_velocity.normalized()) * arm;
      EXPECT_LT((seen.pose(1.0).apply(p) - turned).norm(), 1e-12);
    }
  }
}

// The reference gets no farther than said, before and after.
TEST(LinkMotion, travel_holds) {
  Random random(13);
  for (int trial = 0; trial < with_effort(2000); ++trial) {
    const RandomRobot robot = random_robot(random, 1.0);
    const Kinematics kinematics = Kinematics::build(robot.body).value();
    const TreeMotion tree = TreeMotion::build(kinematics.shared(), robot.path).value();
    TreeStates states;
    states.reset(tree);
    const auto frames = static_cast<int>(tree.tree().frames.size());
    if (frames == 0) continue;
    const FrameChain chain(tree.tree(), random.integer(-1, frames - 1), random.integer(0, frames - 1));
    const Vector3 reference = random.in_box(1.0);
    const ChainMotion motion(states, chain, reference);
    const int piece = random.integer(0, tree.piece_count() - 1);
    const double begin = tree.begin_of(piece), end = tree.end_of(piece);
    const double t = begin + (end - begin) * random.uniform(0.2, 0.8);
    const double duration = std::min(t - begin, end - t) * random.uniform(0.1, 1.0);
    const double travel = motion.travel(t, duration);
    const Vector3 place = motion.pose(t).apply(reference);
    for (int k = 0; k < 10; ++k) {
      const double s = std::clamp(t + duration * random.uniform(-1, 1), begin, end);
      ASSERT_LE((motion.pose(s).apply(reference) - place).norm(), travel + 1e-12) << trial;
    }
  }
}

// Seen from b, a moves as the inverse of b seen from a; and poses are those of one pass over all links.
TEST(LinkMotion, agrees_with_forward_kinematics) {
  Random random(14);
  for (int trial = 0; trial < 300; ++trial) {
    const RandomRobot robot = random_robot(random, 1.0);
    const Kinematics kinematics = Kinematics::build(robot.body).value();
    const RobotMotion moving = RobotMotion::build(kinematics, robot.path).value();
    const int a = random.integer(0, kinematics.link_count() - 1),
              b = random.integer(0, kinematics.link_count() - 1);
    const bool floats = kinematics.variables().size() > 6 &&
                        std::any_of(robot.body.joints.begin(), robot.body.joints.end(),
                                    [](const Joint& j) { return j.kind == JointKind::Floating; });
    // Between way-points a floating joint turns evenly, which its four numbers do not.
    const double t = floats ? (trial % 2) : random.unit();
    const std::vector<Pose> poses = kinematics.link_poses(robot.path.values(t));
    const Pose expected = poses[static_cast<std::size_t>(a)].inverse() * poses[static_cast<std::size_t>(b)];
    const Pose seen = LinkMotion(moving, b, a).pose(t), back = LinkMotion(moving, a, b).pose(t);
    EXPECT_LT((seen.translation - expected.translation).norm(), 1e-11);
    EXPECT_LT((seen.rotation - expected.rotation).norm(), 1e-11);
    EXPECT_LT(((seen * back).translation).norm(), 1e-11);
    EXPECT_LT(
        (LinkMotion(moving, a).pose(t).translation - poses[static_cast<std::size_t>(a)].translation).norm(),
        1e-11);
  }
}

TEST(Kinematics, continuous_joints_take_the_shorter_way) {
  ArticulatedBody body;
  body.links = {{"base", {}}, {"wheel", {}}};
  Joint joint;
  joint.name = "turn";
  joint.kind = JointKind::Continuous;
  joint.parent = "base";
  joint.child = "wheel";
  body.joints = {joint};
  const Kinematics kinematics = Kinematics::build(body).value();
  std::vector<std::vector<double>> points = {{3.0}, {-3.0}, {20.0}};
  kinematics.take_shorter_way(points);
  EXPECT_NEAR(points[1][0], 2.0 * std::numbers::pi - 3.0, 1e-15);
  EXPECT_LT(std::abs(points[2][0] - points[1][0]), std::numbers::pi);
  EXPECT_NEAR(std::cos(points[2][0]), std::cos(20.0), 1e-14);
}

TEST(Kinematics, limits_are_told_with_the_joint) {
  ArticulatedBody body;
  body.links = {{"base", {}}, {"arm", {}}};
  Joint joint;
  joint.name = "shoulder";
  joint.kind = JointKind::Revolute;
  joint.parent = "base";
  joint.child = "arm";
  joint.limits = JointLimits{-1.0, 1.0};
  body.joints = {joint};
  const Kinematics kinematics = Kinematics::build(body).value();
  EXPECT_EQ(kinematics.beyond_limits(std::vector<double>{1.0}), "");
  EXPECT_NE(kinematics.beyond_limits(std::vector<double>{1.5}).find("'shoulder'"), std::string::npos);
}

TEST(RobotMotion, refuses_paths_of_another_robot) {
  Random random(15);
  const RandomRobot robot = random_robot(random, 1.0);
  const Kinematics kinematics = Kinematics::build(robot.body).value();
  const auto path =
      JointPath::straight(std::vector<std::vector<double>>{std::vector<double>(99), std::vector<double>(99)});
  const auto motion = RobotMotion::build(kinematics, path.value());
  ASSERT_FALSE(motion);
  EXPECT_NE(motion.error().message.find("99 values"), std::string::npos);
}

}  // namespace
}  // namespace toccata
