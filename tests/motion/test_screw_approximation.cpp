#include "toccata/motion/screw_approximation.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "oracle/moving_bodies.hpp"
#include "toccata/base/random.hpp"

namespace toccata {
namespace {

using oracle::random_pose;

// The largest distance seen between the motion and its screws, over many times and points of the box.
double seen_error(Random& random, const Motion& motion, const PiecewiseMotion& screws, const Vector3& lower,
                  const Vector3& upper) {
  double worst = 0.0;
  for (int i = 0; i <= 1000; ++i) {
    const double t = i / 1000.0;
    for (int k = 0; k < 6; ++k) {
      Vector3 p;
      for (int c = 0; c < 3; ++c) p[c] = random.integer(0, 1) == 0 ? lower[c] : upper[c];
      worst = std::max(worst, (motion.pose(t).apply(p) - screws.pose(t).apply(p)).norm());
    }
  }
  return worst;
}

TEST(ScrewApproximation, stays_within_its_proven_error) {
  Random random(21);
  for (int i = 0; i < 30; ++i) {
    const RigidMotion motion(random_pose(random, 3.0), random_pose(random, 3.0));
    const Vector3 lower(-1, -0.5, -2), upper(1, 2, 0.5);
    ScrewApproximationOptions options;
    options.tolerance = std::pow(10.0, random.uniform(-4, -1));
    const ScrewApproximation screws = approximate_by_screws(motion, lower, upper, options);
    ASSERT_TRUE(screws.within_tolerance);
    EXPECT_LE(screws.error, options.tolerance);
    EXPECT_LE(seen_error(random, motion, screws.motion(), lower, upper), screws.error);
    EXPECT_LT(screws.poses.size(), 1000u);
  }
}

TEST(ScrewApproximation, a_screw_needs_one_segment) {
  Random random(22);
  const ScrewMotion motion(random_pose(random, 1.0), random_pose(random, 1.0));
  const ScrewApproximation screws = approximate_by_screws(motion, Vector3(-1, -1, -1), Vector3(1, 1, 1));
  EXPECT_TRUE(screws.within_tolerance);
  EXPECT_LE(screws.poses.size(), 20u);
}

TEST(ScrewApproximation, says_when_the_limit_stops_it) {
  const RigidMotion motion = RigidMotion::with_velocity({}, Vector3(5, 0, 0), Vector3(0, 0, 40.0));
  ScrewApproximationOptions options;
  options.tolerance = 1e-9;
  options.most_segments = 5;
  EXPECT_FALSE(
      approximate_by_screws(motion, Vector3(-1, -1, -1), Vector3(1, 1, 1), options).within_tolerance);
}

}  // namespace
}  // namespace toccata
