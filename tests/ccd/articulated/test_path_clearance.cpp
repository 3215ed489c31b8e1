#include "toccata/ccd/articulated/path_clearance.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "ccd/articulated/bar_robots.hpp"
#include "toccata/hierarchy/shape.hpp"

namespace toccata {
namespace {

TEST(PathClearance, of_the_bar_and_the_post) {
  ObstacleScene scene;
  scene.obstacles = {{"post", Box{Vector3(0.1, 0.1, 1)}, Pose(Matrix3::Identity(), Vector3(0, 2.2, 0))}};
  const RobotInScene robot = RobotInScene::build(bars::two_bars(), scene).value();
  PathClearanceOptions options;
  options.bands = 8;
  const PathClearanceResult found = path_clearance(robot, bars::line({0, 0}, {3.0, 0}), options);
  ASSERT_EQ(found.status, Status::Separated);
  EXPECT_EQ(found.link_a, "lower");
  EXPECT_EQ(found.link_b, "post");
  // A corner of the bar, at sqrt(2^2 + 0.05^2) from the axis, passes below the post.
  const double least = 2.15 - std::hypot(2.0, 0.05);
  EXPECT_LE(found.lower_distance, least + 1e-12);
  EXPECT_NEAR(found.lower_distance, least, 2e-4);
  EXPECT_NEAR(found.distance, least, 1e-4);
  ASSERT_EQ(found.bands.size(), 8u);
  for (const ClearanceBand& band : found.bands) {
    EXPECT_LE(band.lower, band.upper);
    EXPECT_GE(band.upper, least - 1e-9);
  }
  EXPECT_NEAR(state_clearance(robot, std::vector<double>{std::numbers::pi / 2, 0}).distance, 0.15, 1e-12);
  // In contact: the time is that of the first one.
  const PathClearanceResult touching = path_clearance(robot, bars::line({0, 0}, {0, 3.5}));
  EXPECT_EQ(touching.status, Status::Separated);
  scene.obstacles[0].pose.translation = Vector3(0, 1.9, 0);
  const RobotInScene near = RobotInScene::build(bars::two_bars(), scene).value();
  const PathClearanceResult hit = path_clearance(near, bars::line({0, 0}, {3.0, 0}));
  EXPECT_EQ(hit.status, Status::Contact);
  EXPECT_EQ(hit.distance, 0.0);
  EXPECT_NEAR(hit.time, path_contact(near, bars::line({0, 0}, {3.0, 0})).time, 1e-4);
  EXPECT_EQ(state_clearance(near, std::vector<double>{std::numbers::pi / 2, 0}).status,
            Status::OverlapAtStart);
  EXPECT_EQ(path_clearance(near, bars::line({0}, {1})).status, Status::Failed);
}

// A ball that starts inside a closed mesh and leaves it: no part of the path in which it is inside is clear.
TEST(PathClearance, inside_is_not_clear) {
  ArticulatedBody body;
  body.links = {{"base", {}}, {"ball", {{Ball{0.1}, {}}}}};
  body.joints = {
      bars::joint("slide", JointKind::Prismatic, "base", "ball", Vector3::Zero(), Vector3::UnitX())};
  ObstacleScene scene;
  scene.obstacles = {{"cube", Shape(Box{Vector3(1, 1, 1)}).display_mesh(), {}}};
  const RobotInScene robot = RobotInScene::build(body, scene).value();
  PathClearanceOptions options;
  options.bands = 10;
  options.pairs = true;
  for (const double to : {0.1, 2.0}) {
    const PathClearanceResult found = path_clearance(robot, bars::line({0}, {to}), options);
    EXPECT_EQ(found.status, Status::OverlapAtStart);
    EXPECT_EQ(found.time, 0.0);
    ASSERT_EQ(found.bands.size(), 10u);
    ASSERT_EQ(found.pairs.size(), 1u);
    for (std::size_t i = 0; i < 10; ++i) {
      // Its centre is beyond 0.6 when it is out.
      const double clear = std::max(0.0, to * static_cast<double>(i) / 10.0 - 0.6);
      EXPECT_NEAR(found.bands[i].lower, clear, 1e-4) << to << ' ' << i;
      EXPECT_NEAR(found.bands[i].upper, clear, 1e-9) << to << ' ' << i;
      EXPECT_NEAR(found.pairs[0].bands[i].lower, clear, 1e-4) << to << ' ' << i;
    }
  }
}

}  // namespace
}  // namespace toccata
