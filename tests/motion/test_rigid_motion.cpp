// The motions against their formulas in long double, written independently here.
#include "toccata/motion/rigid_motion.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <cstdio>
#include <memory>
#include <numbers>

#include "motion/rotation.hpp"
#include "oracle/moving_bodies.hpp"
#include "toccata/base/random.hpp"

namespace toccata {
namespace {

using Long3 = Eigen::Matrix<long double, 3, 1>;
using LongMatrix = Eigen::Matrix<long double, 3, 3>;

// exp([w]) by Rodrigues' formula in long double.
LongMatrix long_exponential(const Long3& w) {
  const long double angle = w.norm();
  LongMatrix k;
  k << 0, -w.z(), w.y(), w.z(), 0, -w.x(), -w.y(), w.x(), 0;
  if (angle == 0.0L) return LongMatrix::Identity();
  const long double half = std::sin(angle / 2.0L);
  return LongMatrix::Identity() + std::sin(angle) / angle * k + 2.0L * half * half / (angle * angle) * k * k;
}

using oracle::random_pose;

Long3 rigid_truth(const RigidMotion& m, const Vector3& p, long double t) {
  const Long3 reference = m.reference().cast<long double>();
  const LongMatrix r0 = m.pose_t0().rotation.cast<long double>();
  const Long3 c = r0 * reference + m.pose_t0().translation.cast<long double>();
  const Long3 x0 = r0 * p.cast<long double>() + m.pose_t0().translation.cast<long double>();
  const LongMatrix turn = long_exponential(t * m.angular_velocity().cast<long double>());
  return c + t * m.velocity().cast<long double>() + turn * (x0 - c);
}

double error_at(const Motion& m, const Vector3& p, double t, const Long3& truth) {
  const Pose pose = m.pose(t);
  const Long3 x =
      pose.rotation.cast<long double>() * p.cast<long double>() + pose.translation.cast<long double>();
  return static_cast<double>((x - truth).norm());
}

TEST(RigidMotion, pose_stays_within_its_stated_error) {
  Random random(1);
  double worst_share = 0.0;
  for (int i = 0; i < 20000; ++i) {
    const double reach = std::pow(10.0, random.uniform(-6, 6));
    const double turns = i % 3 == 0 ? 60.0 : 3.0;
    const Vector3 reference = i % 2 == 0 ? Vector3(Vector3::Zero()) : random.in_box(reach);
    const RigidMotion m = RigidMotion::with_velocity(random_pose(random, reach), random.in_box(reach),
                                                     random.in_box(turns), reference);
    const Vector3 p = random.in_box(reach);
    const double t = i % 5 == 0 ? 1.0 : random.unit();
    const double allowed = m.pose_error().translation + m.pose_error().rotation * p.norm();
    const double error = error_at(m, p, t, rigid_truth(m, p, t));
    ASSERT_LE(error, allowed) << i;
    worst_share = std::max(worst_share, error / allowed);
  }
  EXPECT_GT(worst_share, 0.005);  // the bound is of the right order
}

// The constants of motion/rotation.hpp, in the spectral norm by its bound, the Frobenius norm.
TEST(Rotation, is_right_to_its_constants) {
  Random random(9);
  double worst = 0.0, worst_defect = 0.0;
  for (int i = 0; i < 20000; ++i) {
    const Vector3 w = std::pow(10.0, random.uniform(-8, 4)) * random.on_sphere();
    const double angle = w.norm();
    const Matrix3 r = rotation_about(w / angle, angle);
    const LongMatrix exact = long_exponential(w.cast<long double>());
    const double allowed = unit_roundoff * (rotation_about_error + rotation_angle_error * angle);
    const double error = static_cast<double>((r.cast<long double>() - exact).norm());
    ASSERT_LE(error, allowed) << i;
    worst = std::max(worst, error / allowed);
    // Poses are orthonormal to 32 units beyond their error, as RelativeMotion has it.
    const RigidMotion m = RigidMotion::with_velocity(random_pose(random, 1.0), random.in_box(1.0), w);
    const LongMatrix q = m.pose(random.unit()).rotation.cast<long double>();
    const double defect = static_cast<double>((q.transpose() * q - LongMatrix::Identity()).norm());
    const double claimed = 32.0 * unit_roundoff + 2.0 * m.pose_error().rotation;
    ASSERT_LE(defect, claimed) << i;
    worst_defect = std::max(worst_defect, defect / claimed);
  }
  std::printf("rotation_about: at worst %.4f of the claim; orthonormal: %.4f\n", worst, worst_defect);
  EXPECT_GT(worst, 1e-2);
  EXPECT_GT(worst_defect, 1e-3);
}

TEST(RigidMotion, goes_from_pose_to_pose) {
  Random random(2);
  for (int i = 0; i < 5000; ++i) {
    const Pose a = random_pose(random, 10.0);
    Pose b = random_pose(random, 10.0);
    if (i % 4 == 0) b.rotation = Eigen::AngleAxisd(std::numbers::pi, random.on_sphere()) * a.rotation;
    if (i % 4 == 1) b.rotation = a.rotation;
    if (i % 4 == 2) b.rotation = Eigen::AngleAxisd(1e-9, random.on_sphere()) * a.rotation;
    const Vector3 reference = i % 2 == 0 ? Vector3(Vector3::Zero()) : random.in_box(5.0);
    const RigidMotion m(a, b, reference);
    const ScrewMotion s(a, b);
    const PiecewiseMotion w(std::vector<TimedPose>{{0.0, a}, {0.3, b}, {1.0, a}}, Interpolation::Screw);
    const Vector3 p = random.in_box(10.0);
    for (const Motion* motion : {static_cast<const Motion*>(&m), static_cast<const Motion*>(&s)}) {
      EXPECT_LE((motion->pose(0.0).apply(p) - a.apply(p)).norm(), 1e-13);
      EXPECT_LE((motion->pose(1.0).apply(p) - b.apply(p)).norm(), 1e-12);
    }
    EXPECT_LE((w.pose(0.3).apply(p) - b.apply(p)).norm(), 1e-12);
    EXPECT_LE((w.pose(1.0).apply(p) - a.apply(p)).norm(), 1e-12);
  }
}

TEST(RigidMotion, the_reference_point_moves_straight) {
  Random random(3);
  const Vector3 reference(1, 2, 3);
  const RigidMotion m(random_pose(random, 5.0), random_pose(random, 5.0), reference);
  const Vector3 begin = m.pose(0.0).apply(reference);
  const Vector3 end = m.pose(1.0).apply(reference);
  for (double t = 0.0; t <= 1.0; t += 0.125) {
    EXPECT_LE((m.pose(t).apply(reference) - (begin + t * (end - begin))).norm(), 1e-14);
  }
}

TEST(ScrewMotion, turns_about_its_axis_and_slides_along_it) {
  Random random(4);
  for (int i = 0; i < 2000; ++i) {
    const Vector3 axis = random.on_sphere();
    const Vector3 point = random.in_box(4.0);
    const double angle = random.uniform(-20.0, 20.0);
    const double slide = random.uniform(-3.0, 3.0);
    const Pose start = random_pose(random, 2.0);
    const ScrewMotion m(start, axis, point, angle, slide);
    const Vector3 p = random.in_box(2.0);
    const double t = random.unit();
    const Long3 a = axis.cast<long double>().normalized();
    const Long3 c = point.cast<long double>();
    const Long3 x0 =
        start.rotation.cast<long double>() * p.cast<long double>() + start.translation.cast<long double>();
    const long double lt = t;
    const Long3 truth = c + lt * static_cast<long double>(slide) * a +
                        long_exponential(lt * static_cast<long double>(angle) * a) * (x0 - c);
    EXPECT_LE(error_at(m, p, t, truth), m.pose_error().translation + m.pose_error().rotation * p.norm());
    EXPECT_NEAR(std::abs(m.pitch()), std::abs(slide / angle), 1e-9 + 1e-9 * std::abs(slide / angle));
  }
}

TEST(ScrewMotion, does_not_depend_on_the_world_frame) {
  Random random(5);
  for (int i = 0; i < 1000; ++i) {
    const Pose a = random_pose(random, 3.0);
    const Pose b = random_pose(random, 3.0);
    const Pose world = random_pose(random, 3.0);
    const ScrewMotion here(a, b);
    const ScrewMotion there(world * a, world * b);
    const Vector3 p = random.in_box(1.0);
    const double t = random.unit();
    EXPECT_LE((world.apply(here.pose(t).apply(p)) - there.pose(t).apply(p)).norm(), 1e-10);
  }
}

TEST(PiecewiseMotion, has_its_breakpoints) {
  const PiecewiseMotion m(std::vector<TimedPose>{{0.0, {}}, {0.25, {}}, {0.5, {}}, {1.0, {}}});
  EXPECT_EQ(m.next_breakpoint(0.0), 0.25);
  EXPECT_EQ(m.next_breakpoint(0.25), 0.5);
  EXPECT_EQ(m.next_breakpoint(0.7), 1.0);
  EXPECT_EQ(m.next_breakpoint(1.0), 1.0);
}

TEST(RigidMotion, no_motion_is_fixed) {
  EXPECT_TRUE(RigidMotion().is_fixed());
  EXPECT_TRUE(RigidMotion::fixed({Matrix3::Identity(), Vector3(1, 2, 3)}).is_fixed());
  EXPECT_FALSE(RigidMotion::with_velocity({}, Vector3::Zero(), Vector3(0, 0, 1)).is_fixed());
}

}  // namespace
}  // namespace toccata
