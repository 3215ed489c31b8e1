// Custom motions known by bounds on speeds and accelerations: their expansions try to be broken by swings,
// rotations about axes that turn themselves, and pose functions that are wrong by as much as they may.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "toccata/base/random.hpp"
#include "toccata/motion/rigid_motion.hpp"

namespace toccata {
namespace {

using Long = long double;
using Long3 = Eigen::Matrix<Long, 3, 1>;
using LongMatrix = Eigen::Matrix<Long, 3, 3>;

struct LongPose {
  LongMatrix rotation;
  Long3 translation;
};

LongMatrix turned(Long angle, const Vector3& axis) {
  const Long3 k = axis.cast<Long>().normalized();
  return Eigen::AngleAxis<Long>(angle, k).toRotationMatrix();
}

// x = way sin(f t + phase) + drift t; R = exp(swing(t) k1) exp(b t k2) R0, swing(t) = s sin(g t): the angular
// velocity is s g cos(g t) k1 + b (k2 turned about k1).
struct Dance {
  Vector3 way, drift, k1, k2;
  double f, phase, s, g, b;
  Matrix3 start;
  double wrong;  // of places, deliberately

  explicit Dance(Random& random) {
    const double scale = std::pow(10.0, random.uniform(-3, 3));
    way = scale * random.in_box(1.0);
    drift = random.integer(0, 1) == 0 ? Vector3(Vector3::Zero()) : Vector3(scale * random.in_box(2.0));
    k1 = random.on_sphere();
    k2 = random.on_sphere();
    f = std::pow(10.0, random.uniform(-2, 1.5));
    phase = random.uniform(0, 6);
    s = random.integer(0, 2) == 0 ? 0.0 : random.uniform(0, 2);
    g = std::pow(10.0, random.uniform(-2, 1.5));
    b = random.integer(0, 1) == 0 ? 0.0 : std::pow(10.0, random.uniform(-2, 1.5));
    start = Eigen::AngleAxisd(random.uniform(-3, 3), random.on_sphere()).toRotationMatrix();
    wrong = random.integer(0, 1) == 0 ? 0.0 : 1e-12 * scale;
  }

  LongPose exact(Long t) const {
    const Long swing = static_cast<Long>(s) * std::sin(static_cast<Long>(g) * t);
    return {turned(swing, k1) * turned(static_cast<Long>(b) * t, k2) * start.cast<Long>(),
            way.cast<Long>() * std::sin(static_cast<Long>(f) * t + static_cast<Long>(phase)) +
                t * drift.cast<Long>()};
  }

  Pose pose(double t) const {
    const LongPose p = exact(t);
    Pose rounded = {p.rotation.cast<double>(), p.translation.cast<double>()};
    rounded.translation += wrong * Vector3(std::sin(1e9 * t), std::cos(1e9 * t), 0.0);
    return rounded;
  }

  CustomMotion motion() const {
    CustomMotionBounds bounds;
    const double above = 1.0 + 1e-9;
    bounds.speed = above * (f * way.norm() + drift.norm());
    bounds.acceleration = above * f * f * way.norm();
    bounds.angular_speed = above * (s * g + b);
    bounds.angular_acceleration = above * (s * g * g + s * g * b);
    bounds.pose_error = {wrong + 1e-15 * (way.norm() + drift.norm()), 4e-16};
    return CustomMotion([*this](double t) { return pose(t); }, bounds);
  }
};

TEST(CustomMotion, second_order_expansions_hold) {
  Random random(31);
  double tightest = 0.0, sharpest = 1.0;
  for (int i = 0; i < 3000; ++i) {
    const Dance dance(random);
    const CustomMotion motion = dance.motion();
    for (int trial = 0; trial < 4; ++trial) {
      const double t = trial == 0 ? 1.0 - 1e-3 * random.unit() : random.unit();
      const double t_end = t + (1.0 - t) * random.unit();
      const MotionExpansion e = motion.expansion(t, t_end);
      const Vector3 p = dance.way.norm() * random.in_box(2.0);
      const auto place = [&](double time) -> Long3 {
        const LongPose pose = dance.exact(time);
        return pose.rotation * p.cast<Long>() + pose.translation;
      };
      const Long3 x = place(t), d = x - e.center.cast<Long>();
      const Long3 rate = e.velocity.cast<Long>() + e.angular_velocity.cast<Long>().cross(d);
      for (const double share : {1e-6, 1e-3, 0.1, 1.0}) {
        const double there = t + share * (t_end - t);
        const Long delta = static_cast<Long>(there) - static_cast<Long>(t);
        if (!(delta > 0.0L)) continue;
        const Long off = (place(there) - x - delta * rate).norm();
        const Long allowed =
            delta * (static_cast<Long>(e.speed_slack) + static_cast<Long>(e.spin_slack) * d.norm()) +
            delta * delta / 2.0L *
                (static_cast<Long>(e.acceleration) + static_cast<Long>(e.spin_acceleration) * d.norm());
        ASSERT_LE(off, allowed + 1e-18L * x.norm())
            << i << " at " << t << " over " << static_cast<double>(delta);
        tightest = std::max(tightest, static_cast<double>(off / (allowed + 1e-17L * x.norm())));
      }
      const double speed = dance.f * dance.way.norm() + dance.drift.norm();
      if (dance.wrong == 0.0 && speed > 0.0) sharpest = std::min(sharpest, e.speed_slack / speed);
    }
  }
  std::printf("up to %.3f of the bound; slacks down to %.1e of the speed\n", tightest, sharpest);
  EXPECT_GT(tightest, 0.1);
  EXPECT_LT(sharpest, 1e-6);
}

}  // namespace
}  // namespace toccata
