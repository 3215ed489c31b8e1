#include "toccata/ccd/articulated/path_intervals.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "effort.hpp"
#include "toccata/base/random.hpp"
#include "toccata/ccd/articulated/path_contact.hpp"

namespace toccata {
namespace {

constexpr double pi = std::numbers::pi;

// A ball at the end of an arm of length 1 that turns about z.
ArticulatedBody swinging_ball(double radius) {
  ArticulatedBody body;
  body.links = {{"base", {}}, {"ball", {{Ball{radius}, Pose(Matrix3::Identity(), Vector3(1, 0, 0))}}}};
  Joint joint;
  joint.name = "turn";
  joint.kind = JointKind::Continuous;
  joint.parent = "base";
  joint.child = "ball";
  joint.axis = Vector3::UnitZ();
  body.joints = {joint};
  return body;
}

Obstacle ball_at(const std::string& name, double angle, double radius) {
  return {name, Ball{radius}, Pose(Matrix3::Identity(), Vector3(std::cos(angle), std::sin(angle), 0))};
}

PathIntervalsResult turned(const RobotInScene& robot, double from, double until,
                           const PathIntervalsOptions& options = {}) {
  const std::vector<std::vector<double>> points = {{from}, {until}};
  return path_intervals(robot, JointPath::straight(points).value(), options);
}

// Balls on the circle are met within the angle whose chord is the sum of radii, at every turn.
TEST(PathIntervals, of_a_ball_that_passes_others) {
  ObstacleScene scene;
  scene.obstacles = {ball_at("first", 1.0, 0.1), ball_at("second", 2.0, 0.3)};
  const RobotInScene robot = RobotInScene::build(swinging_ball(0.1), scene).value();
  const double turns = 4.0 * pi;
  const PathIntervalsResult found = turned(robot, 0.0, turns);
  ASSERT_EQ(found.status, Status::Contact);
  ASSERT_EQ(found.pairs.size(), 2u);
  EXPECT_EQ(found.intervals.size(), 4u);
  for (std::size_t p = 0; p < 2; ++p) {
    const PairIntervals& pair = found.pairs[p];
    EXPECT_EQ(pair.link_a, "ball");
    EXPECT_EQ(pair.link_b, p == 0 ? "first" : "second");
    EXPECT_TRUE(pair.with_scene);
    const double half = 2.0 * std::asin(0.5 * (p == 0 ? 0.2 : 0.4)), angle = p == 0 ? 1.0 : 2.0;
    ASSERT_EQ(pair.intervals.size(), 2u);
    for (std::size_t turn = 0; turn < 2; ++turn) {
      const ContactInterval& interval = pair.intervals[turn];
      const double begin = (angle + 2.0 * pi * static_cast<double>(turn) - half) / turns,
                   end = (angle + 2.0 * pi * static_cast<double>(turn) + half) / turns;
      // Never late, never over too early.
      EXPECT_LE(interval.begin_lower, begin + 1e-12);
      EXPECT_NEAR(interval.begin_lower, begin, 1e-5);
      EXPECT_GE(interval.end_upper, end - 1e-12);
      EXPECT_NEAR(interval.end_upper, end, 1e-5);
    }
  }
}

TEST(PathIntervals, from_the_start_inside_and_none) {
  ObstacleScene scene;
  scene.obstacles = {ball_at("here", 0.0, 0.3)};
  const RobotInScene robot = RobotInScene::build(swinging_ball(0.1), scene).value();
  // A small ball within a large one, until it leaves.
  const PathIntervalsResult out = turned(robot, 0.0, 3.0);
  EXPECT_EQ(out.status, Status::OverlapAtStart);
  ASSERT_EQ(out.intervals.size(), 1u);
  EXPECT_EQ(out.intervals[0].begin_lower, 0.0);
  EXPECT_NEAR(out.intervals[0].end_upper, 2.0 * std::asin(0.2) / 3.0, 1e-5);
  const PathIntervalsResult none = turned(robot, 1.0, 5.0);
  EXPECT_EQ(none.status, Status::Separated);
  EXPECT_TRUE(none.pairs.empty() && none.intervals.empty());
  EXPECT_EQ(none.proven_until, 1.0);
  PathIntervalsOptions wrong;
  wrong.tolerance = -1.0;
  EXPECT_EQ(turned(robot, 0.0, 1.0, wrong).status, Status::Failed);
}

// Random posts: the angle between the two says when they touch.
TEST(PathIntervals, agree_with_the_angles_of_random_posts) {
  Random random(5);
  for (int trial = 0; trial < with_effort(40); ++trial) {
    ObstacleScene scene;
    struct Post {
      double angle, half;
    };
    std::vector<Post> posts;
    for (int i = random.integer(1, 4); i > 0; --i) {
      const double radius = random.uniform(0.02, 0.2), angle = random.uniform(-pi, pi);
      posts.push_back({angle, 2.0 * std::asin(0.5 * (radius + 0.05))});
      scene.obstacles.push_back(ball_at("post" + std::to_string(i), angle, radius));
    }
    const RobotInScene robot = RobotInScene::build(swinging_ball(0.05), scene).value();
    const double from = random.uniform(-7, 7), until = from + random.uniform(-9, 9);
    const PathIntervalsResult found = turned(robot, from, until);
    ASSERT_NE(found.status, Status::Failed);
    for (int k = 0; k < 200; ++k) {
      const double t = random.unit(), angle = from + t * (until - from);
      // How far from touching, as an angle: below zero where some post is met.
      double margin = 10.0;
      for (const Post& post : posts)
        margin = std::min(margin, std::abs(std::remainder(angle - post.angle, 2.0 * pi)) - post.half);
      bool told = false;
      for (const ContactInterval& interval : found.intervals)
        told = told || (interval.begin_lower <= t && t <= interval.end_upper);
      if (margin < -1e-9) {
        EXPECT_TRUE(told) << "missed at " << t;
      }
      if (margin > 1e-4) {
        EXPECT_FALSE(told) << "false at " << t;
      }
    }
  }
}

}  // namespace
}  // namespace toccata
