#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "toccata/base/random.hpp"
#include "toccata/ccd/articulated/certify_path.hpp"
#include "toccata/ccd/articulated/path_contact.hpp"
#include "toccata/motion/joined_path.hpp"
#include "toccata/proximity/verify_certificate.hpp"

namespace toccata {
namespace {

// A bar of length 1 on a base.
ArticulatedBody arm() {
  ArticulatedBody body;
  body.links = {{"base", {{Box{Vector3(0.2, 0.2, 0.2)}, {}}}},
                {"bar", {{Box{Vector3(1, 0.1, 0.1)}, Pose(Matrix3::Identity(), Vector3(0.5, 0, 0))}}}};
  Joint joint;
  joint.name = "turn";
  joint.kind = JointKind::Continuous;
  joint.parent = "base";
  joint.child = "bar";
  joint.axis = Vector3::UnitZ();
  body.joints = {joint};
  return body;
}

JointPath line(double from, double to) {
  return JointPath::straight(std::vector<std::vector<double>>{{from}, {to}}).value();
}

Pose at(double x, double y) {
  return Pose(Matrix3::Identity(), Vector3(x, y, 0));
}

TEST(SeveralRobots, meet_each_other) {
  const PlacedRobot robots[] = {{"left", arm(), at(0, 0)}, {"right", arm(), at(1.5, 0)}};
  const ArticulatedBody both = joined_robots(robots).value();
  EXPECT_EQ(both.links[0].name, "world");
  EXPECT_EQ(variables_of(both)[1].name, "right/turn");
  const RobotInScene robot = RobotInScene::build(both).value();
  // The left bar turns down onto the right one, which lies towards it.
  const JointPath paths[] = {line(1.5, 0.0), line(std::numbers::pi, std::numbers::pi)};
  const JointPath path = joined_path(robots, paths).value();
  const PathContactResult found = path_contact(robot, path);
  ASSERT_EQ(found.status, Status::Contact);
  EXPECT_EQ(std::min(found.link_a, found.link_b), "left/bar");
  EXPECT_EQ(std::max(found.link_a, found.link_b), "right/bar");
  // Its lower side passes the other's upper corner at (0.5, 0.05).
  const double angle = 1.5 * (1.0 - found.time);
  EXPECT_NEAR(std::hypot(0.5, 0.05) * std::sin(angle - std::atan2(0.05, 0.5)), 0.05, 1e-5);
  // A bar against the other robot's base: they are not adjacent, though one joint is between them.
  const JointPath onto[] = {line(1.5, 0.0), line(0.0, 0.0)};
  const PlacedRobot near[] = {{"left", arm(), at(0, 0)}, {"right", arm(), at(0.9, 0)}};
  const RobotInScene close = RobotInScene::build(joined_robots(near).value()).value();
  const PathContactResult base = path_contact(close, joined_path(near, onto).value());
  ASSERT_EQ(base.status, Status::Contact);
  EXPECT_EQ(base.link_b == "right/base" || base.link_a == "right/base", true) << base.link_a << base.link_b;
  PathContactOptions intervals;
  intervals.method = PathMethod::Interval;
  EXPECT_NEAR(path_contact(close, joined_path(near, onto).value(), intervals).time, base.time, 1e-4);
}

TEST(SeveralRobots, each_runs_by_its_own_way_points) {
  const PlacedRobot robots[] = {{"a", arm(), at(0, 0)}, {"b", arm(), at(5, 0)}};
  std::vector<JointWayPoint> slow = {{0.0, {0.0}, {}, {}}, {1.0, {1.0}, {}, {}}, {4.0, {2.0}, {}, {}}};
  std::vector<JointWayPoint> quick = {{0.0, {0.0}, {0.0}, {}}, {3.0, {3.0}, {2.0}, {}}};
  const JointPath paths[] = {JointPath::build(slow).value(), JointPath::build(quick).value()};
  const JointPath joined = joined_path(robots, paths).value();
  EXPECT_EQ(joined.degree(), 3);
  EXPECT_EQ(joined.duration(), 4.0);
  EXPECT_EQ(joined.piece_count(), 3);
  for (int i = 0; i <= 100; ++i) {
    const double t = i / 100.0;
    const std::vector<double> values = joined.values(t);
    EXPECT_NEAR(values[0], paths[0].values(t)[0], 1e-14);
    EXPECT_NEAR(values[1], paths[1].values(std::min(1.0, t * 4.0 / 3.0))[0], 1e-13) << t;
  }
}

TEST(SeveralRobots, certificates_know_them) {
  const PlacedRobot robots[] = {{"left", arm(), at(0, 0)}, {"right", arm(), at(1.5, 0)}};
  const ArticulatedBody both = joined_robots(robots).value();
  const RobotInScene robot = RobotInScene::build(both).value();
  const JointPath paths[] = {line(1.5, 0.5), line(1.0, 1.5)};
  const JointPath path = joined_path(robots, paths).value();
  const CertifiedPath found = certify_path(robot, path);
  ASSERT_EQ(found.contact.status, Status::Separated);
  EXPECT_EQ(found.certificate.pairs.size(), 3u);  // both bars, and each with the other's base
  EXPECT_TRUE(verify_certificate(both, {}, path, found.certificate).valid);
}

TEST(SeveralRobots, what_is_wrong_is_said) {
  EXPECT_FALSE(joined_robots({}));
  const PlacedRobot twins[] = {{"a", arm(), {}}, {"a", arm(), {}}};
  const auto twice = joined_robots(twins);
  ASSERT_FALSE(twice);
  EXPECT_NE(twice.error().message.find("two robots named 'a'"), std::string::npos);
  const PlacedRobot one[] = {{"a", arm(), {}}};
  const JointPath wide = JointPath::straight(std::vector<std::vector<double>>{{0, 1}}).value();
  const auto other = joined_path(one, {&wide, 1});
  ASSERT_FALSE(other);
  EXPECT_NE(other.error().message.find("robot 'a' has 2 values"), std::string::npos);
}

// Things are taken and laid down again, and the answers are those of a robot built with them.
TEST(HeldThings, come_and_go) {
  ObstacleScene scene;
  scene.obstacles = {{"post", Cylinder{0.05, 1.0}, at(0, 1.2)}};
  const RobotInScene robot = RobotInScene::build(arm(), scene).value();
  const JointPath path = line(0, 3);
  EXPECT_EQ(path_contact(robot, path).status, Status::Separated);
  const AttachedObject rod{"rod", "bar", {{Box{Vector3(0.5, 0.02, 0.02)}, at(1.2, 0)}}, {}};
  const RobotInScene holding = robot.holding({&rod, 1}).value();
  const PathContactResult found = path_contact(holding, path);
  ASSERT_EQ(found.status, Status::Contact);
  EXPECT_EQ(found.link_a, "rod");
  ObstacleScene both = scene;
  both.attached = {rod};
  EXPECT_EQ(path_contact(RobotInScene::build(arm(), both).value(), path).time, found.time);
  EXPECT_EQ(path_contact(holding.holding({}).value(), path).status, Status::Separated);
  // A rod that reaches back to the base touches it, unless it may.
  AttachedObject back{"back", "bar", {{Box{Vector3(0.5, 0.02, 0.02)}, at(-0.1, 0)}}, {}};
  EXPECT_EQ(path_contact(robot.holding({&back, 1}).value(), path).status,
            Status::Separated);  // one joint away
  RobotOptions strict;
  strict.adjacent_allowed = false;
  strict.allowed = {{"base", "bar"}};
  const RobotInScene careful = RobotInScene::build(arm(), scene, strict).value();
  EXPECT_EQ(path_contact(careful.holding({&back, 1}).value(), path).status, Status::OverlapAtStart);
  back.touch_links = {"base"};
  EXPECT_EQ(path_contact(careful.holding({&back, 1}).value(), path).status, Status::Separated);
  back.link = "hand";
  EXPECT_FALSE(robot.holding({&back, 1}));
}

}  // namespace
}  // namespace toccata
