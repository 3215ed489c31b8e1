// Scenes that once took seconds or minutes: each is answered in little work, or ends by a limit that is
// stated, with what is proven by then.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "oracle/moving_bodies.hpp"
#include "toccata/ccd/rigid/closest_approach.hpp"
#include "toccata/ccd/rigid/contact_intervals.hpp"
#include "toccata/ccd/rigid/contact_solver.hpp"
#include "toccata/ccd/rigid/first_contact.hpp"
#include "toccata/motion/rigid_motion.hpp"
#include "toccata/proximity/distance.hpp"

namespace toccata {
namespace {

constexpr double pi = std::numbers::pi;
using oracle::box;
constexpr auto at = oracle::shifted;

std::int64_t work_of(const QueryStats& stats) {
  return stats.node_pairs + stats.piece_pairs + stats.steps;
}

// A corner of the turning cube comes round many times before the cube is there: the profiles of both tell
// until nearly then, whatever the spin. Judged at the reported time, and by samples of the turns before it.
TEST(SlowScenes, fast_spin_that_hits) {
  const Shape cube(box({0.5, 0.5, 0.5}));
  const Vector3 axis = Vector3(1, 2, 3).normalized();
  for (const double spin : {1e6, 1e7, 1e8, 1e9}) {
    const RigidMotion motion = RigidMotion::with_velocity(at(-3, 0.4, 0), {6, 0, 0}, spin * axis);
    const FirstContactResult r = first_contact({cube, motion}, {cube});
    ASSERT_EQ(r.status, Status::Contact);
    EXPECT_LE(work_of(r.stats), 600'000) << spin;
    // A pose at this spin is off by its rounding: 1e9 radians to 1e-16.
    EXPECT_LE(r.distance, resolved_tolerance(cube, cube) + 1e-15 * spin);
    for (int k = 1; k <= 400; ++k) {
      const double t = r.time - k * 0.0173 * 2.0 * pi / spin;
      EXPECT_GT(distance({cube, motion.pose(t)}, {cube}).distance, 0.0) << spin << ' ' << k;
    }
  }
}

TEST(SlowScenes, thousand_turns_past_a_post) {
  const Shape bar(box({2, 0.05, 0.05})), post(box({0.1, 0.1, 1}));
  for (const double gap : {1e-1, 1e-2, 1e-3}) {
    const Body standing = {post, at(std::hypot(2.0, 0.05) + 0.1 + gap, 0, 0)};
    for (const double way : {0.0, 8.0}) {
      const Body turning = {
          bar, RigidMotion::with_velocity(at(0, -0.5 * way, 0), {0, way, 0}, {0, 0, 2000.0 * pi})};
      const FirstContactResult first = first_contact(turning, standing);
      EXPECT_EQ(first.status, Status::Separated);
      EXPECT_LE(work_of(first.stats), 400'000);
      const ClosestApproachResult closest = closest_approach(turning, standing);
      EXPECT_EQ(closest.status, Status::Separated);
      EXPECT_LE(work_of(closest.stats), 1'000'000);
      EXPECT_LE(closest.lower_distance, gap + 1e-9);
      EXPECT_GE(closest.distance, gap - 1e-9);
      EXPECT_NEAR(closest.distance, gap, way == 0.0 ? 1e-6 : 1e-4);
    }
  }
}

// Of these motions only speeds are known. The answer is right, and says how exactly it is known.
TEST(SlowScenes, closest_approach_by_speeds_alone) {
  const Shape cube(box({0.5, 0.5, 0.5}));
  struct Case {
    CustomMotion::PoseFunction pose;
    double speed, angular_speed, distance;
  };
  const std::vector<Case> cases = {
      {[](double t) { return at(0, t - 0.5, 1.5); }, 1.0, 0.0, 0.5},
      {[](double t) { return at(2.0 * std::cos(2.0 * pi * t), 2.0 * std::sin(2.0 * pi * t), 0); }, 4.0 * pi,
       0.0, 2.0 - std::sqrt(2.0)},
      {[](double t) {
         return Pose{Eigen::AngleAxisd(t, Vector3::UnitZ()).toRotationMatrix(),
                     {1.5 + 0.1 * std::sin(t), 0, 0}};
       },
       1.0, 1.0, -1.0}};
  for (const Case& c : cases) {
    CustomMotionBounds bounds;
    bounds.speed = c.speed;
    bounds.angular_speed = c.angular_speed;
    const CustomMotion motion(c.pose, bounds);
    const ClosestApproachResult r = closest_approach({cube, motion}, {cube});
    EXPECT_TRUE(r.status == Status::OutOfBudget || r.status == Status::Separated);
    EXPECT_LE(work_of(r.stats), speed_bound_limit + 100'000);
    EXPECT_GT(r.lower_distance, 0.98 * r.distance);
    EXPECT_LE(r.lower_distance, r.distance);
    double least = 1e9;
    for (int k = 0; k <= 2000; ++k) {
      least = std::min(least, distance({cube, c.pose(k / 2000.0)}, {cube}).distance);
    }
    EXPECT_LE(r.lower_distance, least);
    EXPECT_LE(r.distance, least + 1e-6);
    if (c.distance >= 0.0) {
      EXPECT_NEAR(r.distance, c.distance, 1e-5);
    }
    // Coarse tolerances are proven in full.
    const ClosestApproachResult coarse = closest_approach({cube, motion}, {cube}, {.tolerance = 0.01});
    EXPECT_EQ(coarse.status, Status::Separated);
    EXPECT_LE(coarse.distance - coarse.lower_distance, 0.01 + 1e-12);
    // A bound on accelerations proves the default tolerance.
    bounds.acceleration = 8.0 * pi * pi;
    bounds.angular_acceleration = 1.0;
    const ClosestApproachResult fine = closest_approach({cube, CustomMotion(c.pose, bounds)}, {cube});
    EXPECT_EQ(fine.status, Status::Separated);
    EXPECT_NEAR(fine.distance, r.distance, 1e-5);
  }
}

// Right, or refused with a reason: at every scale.
TEST(SlowScenes, every_scale) {
  int refused = 0, right = 0;
  for (int exponent = -320; exponent <= 300; exponent += 10) {
    const double s = std::pow(10.0, exponent);
    const Shape cube(box(Vector3(0.5, 0.5, 0.5) * s));
    for (const Vector3& spin : {Vector3(0, 0, 0), Vector3(0.1, 0.2, 3)}) {
      const Body hitting = {cube,
                            RigidMotion::with_velocity(at(0.1 * s, 0.2 * s, 3 * s), {0, 0, -3 * s}, spin)};
      const Body passing = {cube,
                            RigidMotion::with_velocity(at(0.1 * s, 1.8 * s, 3 * s), {0, 0, -3 * s}, spin)};
      const FirstContactResult hit = first_contact(hitting, {cube}), free = first_contact(passing, {cube});
      const ClosestApproachResult closest = closest_approach(passing, {cube});
      const ContactIntervalsResult intervals = contact_intervals(hitting, {cube});
      ContactSolver solver(cube, cube);
      const FirstContactResult solved = solver.first_contact(*hitting.motion, RigidMotion());
      EXPECT_EQ(solved.status, hit.status);
      if (hit.status == Status::Failed) {
        ++refused;
        EXPECT_GT(std::abs(exponent), 28);
        EXPECT_FALSE(hit.failure.empty());
        EXPECT_EQ(free.status, Status::Failed);
        EXPECT_EQ(closest.status, Status::Failed);
        EXPECT_EQ(intervals.status, Status::Failed);
        continue;
      }
      ++right;
      ASSERT_EQ(hit.status, Status::Contact) << exponent;
      EXPECT_NEAR(hit.time, spin.isZero() ? 2.0 / 3.0 : 0.646784, 1e-5);
      EXPECT_LE(hit.distance, 2e-6 * s);
      EXPECT_EQ(free.status, Status::Separated);
      EXPECT_EQ(closest.status, Status::Separated);
      EXPECT_NEAR(closest.distance / s, spin.isZero() ? 0.8 : 0.550048, 1e-5) << exponent;
      ASSERT_EQ(intervals.intervals.size(), 1u);
      EXPECT_NEAR(intervals.intervals[0].begin_lower, hit.time, 1e-5);
    }
  }
  EXPECT_GT(refused, 40);
  EXPECT_GT(right, 15);
}

// A body far away is as bad as a large one.
TEST(SlowScenes, too_far_away) {
  const Shape cube(box({0.5, 0.5, 0.5}));
  const FirstContactResult r = first_contact({cube, at(1e40, 0, 0)}, {cube});
  EXPECT_EQ(r.status, Status::Failed);
  EXPECT_NE(r.failure.find("farther than 1e+30"), std::string::npos) << r.failure;
}

}  // namespace
}  // namespace toccata
