// Attempts to break the displacement bounds: many motions, sets, directions and times, and the places where
// the bounds are tight.
#include "toccata/motion/displacement_bound.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "oracle/moving_bodies.hpp"
#include "toccata/base/random.hpp"
#include "toccata/motion/rigid_motion.hpp"

namespace toccata {
namespace {

using oracle::random_pose;

std::unique_ptr<Motion> random_motion(Random& random, double reach) {
  const double spin = std::pow(10.0, random.uniform(-3.0, 1.8));
  switch (random.integer(0, 4)) {
    case 0:
      return std::make_unique<RigidMotion>(random_pose(random, reach), random_pose(random, reach),
                                           random.in_box(reach));
    case 1:
      return std::make_unique<RigidMotion>(
          RigidMotion::with_velocity(random_pose(random, reach), random.in_box(reach), random.in_box(spin)));
    case 2:
      return std::make_unique<ScrewMotion>(random_pose(random, reach), random_pose(random, reach));
    case 3:
      return std::make_unique<PiecewiseMotion>(
          std::vector<TimedPose>{{0.0, random_pose(random, reach)},
                                 {0.4, random_pose(random, reach)},
                                 {1.0, random_pose(random, reach)}},
          random.integer(0, 1) == 0 ? Interpolation::Linear : Interpolation::Screw);
    default: {
      const RigidMotion inner =
          RigidMotion::with_velocity(random_pose(random, reach), random.in_box(reach), random.in_box(spin));
      CustomMotionBounds bounds;
      bounds.speed = inner.velocity().norm() * (1 + 1e-12);
      bounds.angular_speed = inner.angular_velocity().norm() * (1 + 1e-12);
      bounds.pose_error = inner.pose_error();
      return std::make_unique<CustomMotion>([inner](double t) { return inner.pose(t); }, bounds);
    }
  }
}

// Points of the hull of `points` thickened by radius, the corners' extreme points along n among them.
std::vector<Vector3> samples_of(Random& random, const std::vector<Vector3>& points, double radius,
                                const Vector3& n) {
  std::vector<Vector3> samples;
  for (const Vector3& p : points) {
    samples.push_back(p + radius * n);
    samples.push_back(p - radius * n);
    samples.push_back(p + radius * random.on_sphere());
  }
  Vector3 mixed = Vector3::Zero();
  double sum = 0.0;
  for (const Vector3& p : points) {
    const double w = random.unit();
    mixed += w * p;
    sum += w;
  }
  samples.push_back(mixed / sum);
  return samples;
}

TEST(DisplacementBound, is_never_exceeded) {
  Random random(11);
  int tight = 0;
  for (int i = 0; i < 20000; ++i) {
    const double reach = std::pow(10.0, random.uniform(-4, 4));
    const std::unique_ptr<Motion> motion = random_motion(random, reach);
    const double t = random.uniform(0.0, 0.99);
    const double end = motion->next_breakpoint(t);
    const double delta = (end - t) * std::pow(10.0, random.uniform(-6.0, 0.0));
    const int count = std::vector<int>{1, 2, 3, 4, 8}[static_cast<std::size_t>(random.integer(0, 4))];
    const double radius = random.integer(0, 1) == 0 ? 0.0 : random.uniform(0.0, reach);
    const Pose pose = motion->pose(t);
    std::vector<Vector3> world;
    for (int k = 0; k < count; ++k) world.push_back(random.in_box(2.0 * reach));
    const Vector3 n = random.on_sphere();
    const MotionExpansion e = motion->expansion(t, end);
    const double directed = directed_displacement(e, world, radius, n, delta);
    const double any = displacement(e, world, radius, delta);
    // pose(t) itself is only good to this; the body point is found through its inverse.
    const double noise = 1e-13 * reach * 50.0;
    for (const Vector3& x : samples_of(random, world, radius, n)) {
      const Vector3 p = pose.rotation.transpose() * (x - pose.translation);
      const double arm = (x - e.center).norm();
      for (const double share : {1.0, 0.5, 0.1}) {
        const double s = share * delta;
        const Vector3 moved = motion->pose(t + s).apply(p) - x;
        ASSERT_LE(n.dot(moved), directed + noise) << i;
        ASSERT_LE(moved.norm(), any + noise) << i;
        if (moved.norm() > 0.5 * any) ++tight;
        const Vector3 axis =
            e.angular_velocity.norm() > 0.0 ? e.angular_velocity.normalized() : Vector3(Vector3::Zero());
        const double axial = e.angular_velocity.norm() > 0.0 ? (x - e.center).cross(axis).norm() : arm;
        const double rest = (moved - s * (e.velocity + e.angular_velocity.cross(x - e.center))).norm();
        ASSERT_LE(rest, s * (e.speed_slack + e.spin_slack * arm) + noise +
                            0.5 * s * s *
                                (e.acceleration + e.spin_acceleration * arm + e.axial_acceleration * axial))
            << i;
      }
    }
  }
  EXPECT_GT(tight, 10000);  // not merely a huge bound
}

TEST(DisplacementBound, a_receding_set_does_not_approach) {
  const RigidMotion m = RigidMotion::with_velocity({}, Vector3(-1, 0, 0), Vector3::Zero());
  const std::vector<Vector3> points = {{0, 0, 0}, {1, 0, 0}};
  EXPECT_EQ(directed_displacement(m.expansion(0.0, 1.0), points, 0.5, Vector3::UnitX(), 1.0), 0.0);
  EXPECT_NEAR(directed_displacement(m.expansion(0.0, 1.0), points, 0.5, -Vector3::UnitX(), 1.0), 1.0, 1e-14);
}

TEST(DisplacementBound, many_turns_do_not_exceed_the_circle) {
  const RigidMotion m = RigidMotion::with_velocity({}, Vector3::Zero(), Vector3(0, 0, 1000.0));
  const std::vector<Vector3> points = {{2, 0, 5}};
  EXPECT_LE(displacement(m.expansion(0.0, 1.0), points, 0.0, 1.0), 4.0 + 1e-9);
  EXPECT_LE(directed_displacement(m.expansion(0.0, 1.0), points, 0.0, Vector3::UnitZ(), 1.0), 1e-9);
}

TEST(DisplacementBound, steps_never_overshoot) {
  Random random(12);
  for (int i = 0; i < 200000; ++i) {
    const double gap = std::pow(10.0, random.uniform(-12, 6));
    const double rate = random.uniform(-1.0, 1.0) * std::pow(10.0, random.uniform(-9, 6));
    const double curvature = random.integer(0, 3) == 0 ? 0.0 : std::pow(10.0, random.uniform(-9, 6));
    const double s = conservative_step(gap, rate, curvature);
    if (std::isinf(s)) {
      EXPECT_LE(rate, 0.0);
      continue;
    }
    const long double reach = static_cast<long double>(s) * rate + 0.5L * s * s * curvature;
    ASSERT_LE(reach, static_cast<long double>(gap));
    if (rate >= 0.0) {
      ASSERT_GE(reach, static_cast<long double>(gap) * 0.999L);
    }
  }
}

}  // namespace
}  // namespace toccata
