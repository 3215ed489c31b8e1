#include "toccata/motion/relative_motion.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <memory>

#include "oracle/moving_bodies.hpp"
#include "toccata/base/random.hpp"
#include "toccata/motion/rigid_motion.hpp"
#include "toccata/motion/screw_approximation.hpp"

namespace toccata {
namespace {

using oracle::random_pose;

std::unique_ptr<Motion> random_motion(Random& random, double reach) {
  switch (random.integer(0, 3)) {
    case 0:
      return std::make_unique<ScrewMotion>(random_pose(random, reach), random_pose(random, reach));
    case 1:
      return std::make_unique<RigidMotion>(
          RigidMotion::with_velocity(random_pose(random, reach), random.in_box(reach), random.in_box(8.0)));
    case 2:
      return std::make_unique<RigidMotion>(RigidMotion::fixed(random_pose(random, reach)));
    default:
      return std::make_unique<PiecewiseMotion>(std::vector<TimedPose>{{0.0, random_pose(random, reach)},
                                                                      {0.4, random_pose(random, reach)},
                                                                      {1.0, random_pose(random, reach)}});
  }
}

// Points of a seen from b obey the expansion's inequality at every time ahead, up to the stated pose error.
TEST(RelativeMotion, keeps_the_promise_of_its_expansion) {
  Random random(31);
  double tightest = 1.0;
  for (int trial = 0; trial < 400; ++trial) {
    const double scale = std::pow(10.0, random.uniform(-3, 3));
    const auto a = random_motion(random, 2.0 * scale), b = random_motion(random, 2.0 * scale);
    const RelativeMotion relative(*a, *b);
    const double t = random.unit() * 0.9;
    const double end = std::min(relative.next_breakpoint(t), t + std::pow(10.0, random.uniform(-4, 0)));
    const MotionExpansion e = relative.expansion(t, end);
    const PoseError error = relative.pose_error();
    for (int k = 0; k < 40; ++k) {
      const Vector3 p = scale * random.in_box(2.0);
      const Vector3 x = relative.pose(t).apply(p), d = x - e.center;
      const double delta = (end - t) * (k % 4 == 0 ? 1.0 : random.unit());
      const double spin = e.angular_velocity.norm();
      const double rho = spin > 0.0 ? d.cross(e.angular_velocity).norm() / spin : d.norm();
      const double allowed =
          delta * (e.speed_slack + e.spin_slack * d.norm()) +
          0.5 * delta * delta *
              (e.acceleration + e.spin_acceleration * d.norm() + e.axial_acceleration * rho);
      const double seen =
          (relative.pose(t + delta).apply(p) - x - delta * (e.velocity + e.angular_velocity.cross(d))).norm();
      const double rounding = 2.0 * (error.translation + error.rotation * p.norm());
      ASSERT_LE(seen, allowed + rounding) << trial;
      if (allowed > 100.0 * rounding) tightest = std::min(tightest, 1.0 - seen / allowed);
    }
  }
  EXPECT_LT(tightest, 0.2);  // the bound is not slack everywhere
}

// Bodies that turn alike, exactly or nearly, whatever their references: the bound sees it.
TEST(RelativeMotion, bodies_that_turn_alike_hardly_accelerate) {
  Random random(34);
  for (int trial = 0; trial < 600; ++trial) {
    const Vector3 spin = random.in_box(20.0), velocity = random.in_box(2.0);
    const double unlike = trial % 3 == 0 ? 0.0 : std::pow(10.0, random.uniform(-15, -2));
    const Pose start_a = random_pose(random, 2.0), start_b = random_pose(random, 2.0);
    // Both about one point of the world, so that they are as one body but for `unlike`.
    const Vector3 center = random.in_box(1.0);
    const auto about = [&](const Pose& start, const Vector3& v, const Vector3& w) {
      return RigidMotion::with_velocity(start, v, w,
                                        start.rotation.transpose() * (center - start.translation));
    };
    const RigidMotion a = about(start_a, velocity + unlike * random.in_box(1.0),
                                spin + unlike * random.in_box(1.0)),
                      b = about(start_b, velocity, spin);
    const RelativeMotion relative(a, b);
    const double t = 0.5 * random.unit(), end = t + 0.5 * random.unit();
    const MotionExpansion e = relative.expansion(t, end);
    EXPECT_LE(e.acceleration + e.spin_acceleration, 3e4 * unlike + 1e-7) << trial;
    const PoseError error = relative.pose_error();
    for (int k = 0; k < 20; ++k) {
      const Vector3 p = random.in_box(2.0), x = relative.pose(t).apply(p), d = x - e.center;
      const double delta = (end - t) * random.unit();
      const double allowed =
          delta * (e.speed_slack + e.spin_slack * d.norm()) +
          0.5 * delta * delta * (e.acceleration + (e.spin_acceleration + e.axial_acceleration) * d.norm());
      const double seen =
          (relative.pose(t + delta).apply(p) - x - delta * (e.velocity + e.angular_velocity.cross(d))).norm();
      ASSERT_LE(seen, allowed + 2.0 * (error.translation + error.rotation * p.norm())) << trial;
    }
  }
}

// Against the same formula in long double.
TEST(RelativeMotion, its_pose_is_within_the_stated_error) {
  Random random(32);
  using Matrix = Eigen::Matrix<long double, 3, 3>;
  using Vector = Eigen::Matrix<long double, 3, 1>;
  for (int trial = 0; trial < 300; ++trial) {
    const double far = std::pow(10.0, random.uniform(-2, 6));
    const auto a = random_motion(random, far), b = random_motion(random, far);
    const RelativeMotion relative(*a, *b);
    const double t = random.unit();
    const Pose pa = a->pose(t), pb = b->pose(t);
    const Vector3 p = random.in_box(far);
    const Matrix ra = pa.rotation.cast<long double>(), rb = pb.rotation.cast<long double>();
    const Vector world = ra * p.cast<long double>() + pa.translation.cast<long double>();
    const Vector exact = rb.inverse() * (world - pb.translation.cast<long double>());
    const Vector3 got = relative.pose(t).apply(p);
    const PoseError error = relative.pose_error();
    EXPECT_LE(static_cast<double>((got.cast<long double>() - exact).norm()),
              error.translation + error.rotation * p.norm());
  }
}

TEST(RelativeMotion, is_approximated_by_screws_within_the_proven_error) {
  Random random(33);
  const Vector3 lower(-1, -0.5, -2), upper(1, 2, 0.5);
  for (int trial = 0; trial < 200; ++trial) {
    const auto a = random_motion(random, 2.0), b = random_motion(random, 2.0);
    const RelativeMotion relative(*a, *b);
    const double begin = random.unit() * 0.9;
    const double end =
        std::min(relative.next_breakpoint(begin), begin + std::pow(10.0, random.uniform(-4, 0)));
    const ScrewFit fit = fit_screw(relative, lower, upper, begin, end);
    for (int i = 0; i <= 50; ++i) {
      Vector3 p;
      for (int c = 0; c < 3; ++c) p[c] = random.integer(0, 1) == 0 ? lower[c] : upper[c];
      const double share = i / 50.0, t = i == 50 ? end : begin + share * (end - begin);
      ASSERT_LE((relative.pose(t).apply(p) - fit.screw.pose(share).apply(p)).norm(), fit.error) << trial;
    }
  }
}

}  // namespace
}  // namespace toccata
