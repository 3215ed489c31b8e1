// Motions as records and back: the same pose to the last bit, and a reason for what is no motion.
#include "toccata/motion/motion_record.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <limits>

#include "toccata/base/random.hpp"
#include "toccata/motion/rigid_motion.hpp"

namespace toccata {
namespace {

Pose random_pose(Random& random, double reach) {
  const Vector3 turn = random.in_box(3.0);
  Pose pose;
  if (turn.norm() > 0.0) pose.rotation = Eigen::AngleAxisd(turn.norm(), turn.normalized()).toRotationMatrix();
  pose.translation = random.in_box(reach);
  return pose;
}

void expect_same_poses(const Motion& a, const Motion& b, Random& random) {
  for (int i = 0; i < 20; ++i) {
    const double t = i == 0 ? 0.0 : i == 1 ? 1.0 : random.unit();
    const Pose p = a.pose(t), q = b.pose(t);
    EXPECT_EQ(p.rotation, q.rotation) << t;
    EXPECT_EQ(p.translation, q.translation) << t;
    EXPECT_EQ(a.next_breakpoint(t), b.next_breakpoint(t));
  }
  EXPECT_EQ(a.is_fixed(), b.is_fixed());
}

template <typename Record>
void expect_exact(const Motion& motion, Random& random) {
  const MotionRecord record = record_of(motion);
  ASSERT_TRUE(std::holds_alternative<Record>(record)) << record.index();
  const Expected<OwnedMotion> again = motion_of(record);
  ASSERT_TRUE(again) << again.error().message;
  expect_same_poses(motion, **again, random);
}

TEST(MotionRecord, GivesBackTheSamePoses) {
  Random random(1);
  for (int i = 0; i < 200; ++i) {
    const double reach = std::pow(10.0, i % 7 - 3);
    const Pose from = random_pose(random, reach), to = random_pose(random, reach),
               last = random_pose(random, reach);
    expect_exact<FixedMotionRecord>(RigidMotion::fixed(from), random);
    expect_exact<LinearMotionRecord>(RigidMotion(from, to, random.in_box(reach)), random);
    expect_exact<LinearMotionRecord>(
        RigidMotion::with_velocity(from, random.in_box(reach), random.in_box(20.0), random.in_box(reach)),
        random);
    expect_exact<ScrewMotionRecord>(ScrewMotion(from, to), random);
    expect_exact<ScrewMotionRecord>(
        ScrewMotion(from, random.in_box(1.0) + Vector3(0, 0, 2), random.in_box(reach), 9.0, reach), random);
    for (const Interpolation kind : {Interpolation::Linear, Interpolation::Screw}) {
      expect_exact<PiecewiseMotionRecord>(
          PiecewiseMotion({{0.0, from}, {0.3, to}, {0.7, to}, {1.0, last}}, kind, Vector3(0.1, 0, 0)),
          random);
    }
  }
}

TEST(MotionRecord, KeepsWhatSolversSee) {
  Random random(2);
  for (int i = 0; i < 100; ++i) {
    const RigidMotion motion(random_pose(random, 3.0), random_pose(random, 3.0), random.in_box(1.0));
    const OwnedMotion again = *motion_of(record_of(motion));
    const double t = random.unit();
    const MotionExpansion e = motion.expansion(t, 1.0), f = again->expansion(t, 1.0);
    EXPECT_EQ(e.center, f.center);
    EXPECT_EQ(e.velocity, f.velocity);
    EXPECT_EQ(e.angular_velocity, f.angular_velocity);
    // The rounding of two poses into velocities is no part of the record, which has the velocities.
    EXPECT_LE(again->pose_error().translation, motion.pose_error().translation);
    EXPECT_LE(again->pose_error().rotation, motion.pose_error().rotation);
  }
}

TEST(MotionRecord, SamplesWhatHasNoFormula) {
  const CustomMotion swing(
      [](double t) {
        Pose pose;
        pose.translation = Vector3(std::sin(3.0 * t), 0, 0);
        return pose;
      },
      {.speed = 3.0, .pose_error = {}});
  const MotionRecord record = record_of(swing, 10);
  const auto& sampled = std::get<SampledMotionRecord>(record);
  ASSERT_EQ(sampled.times.size(), 11u);
  const Expected<OwnedMotion> again = motion_of(record);
  ASSERT_TRUE(again);
  for (std::size_t i = 0; i < sampled.times.size(); ++i) {
    EXPECT_NEAR((*again)->pose(sampled.times[i]).translation.x(), sampled.poses[i].translation.x(), 1e-14);
  }
  // Between the samples it is another motion, near by.
  EXPECT_NEAR((*again)->pose(0.55).translation.x(), swing.pose(0.55).translation.x(), 0.02);
}

TEST(MotionRecord, SaysWhatIsWrong) {
  const auto error = [](const MotionRecord& record) {
    const Expected<OwnedMotion> motion = motion_of(record);
    return motion ? std::string("none") : motion.error().message;
  };
  const auto contains = [](const std::string& text, const char* part) {
    return text.find(part) != std::string::npos ? std::string(part) : text;
  };
  Pose stretched, lost;
  stretched.rotation(0, 0) = 2.0;
  lost.translation.x() = std::numeric_limits<double>::quiet_NaN();
  Pose away;
  away.translation.x() = 1.0;
  EXPECT_EQ(contains(error(FixedMotionRecord{stretched}), "pose: the rotation"), "pose: the rotation");
  EXPECT_EQ(contains(error(LinearMotionRecord{.from = lost}), "from: is not finite"), "from: is not finite");
  EXPECT_EQ(contains(error(ScrewMotionRecord{.axis = Vector3(1, 1, 0)}), "axis"), "axis");
  EXPECT_EQ(contains(error(SampledMotionRecord{{0.0, 1.0}, {Pose{}}}), "times"), "times");
  EXPECT_EQ(contains(error(SampledMotionRecord{{0.0, 0.5}, {Pose{}, away}}), "from 0 to 1"), "from 0 to 1");
  EXPECT_EQ(contains(error(PiecewiseMotionRecord{{0.0, 1.0}, {}}), "needs 1 segments"), "needs 1 segments");
  EXPECT_EQ(
      contains(error(PiecewiseMotionRecord{{0.0, 0.5, 1.0}, {FixedMotionRecord{}, FixedMotionRecord{away}}}),
               "does not start where"),
      "does not start where");
  EXPECT_EQ(
      contains(error(PiecewiseMotionRecord{{0.0, 1.0}, {FixedMotionRecord{stretched}}}), "segments[0].pose"),
      "segments[0].pose");
}

TEST(MotionRecord, PiecesOfAnyKindJoin) {
  Pose away;
  away.translation.x() = 1.0;
  const PiecewiseMotionRecord record{
      {0.0, 0.25, 0.5, 1.0},
      {FixedMotionRecord{}, LinearMotionRecord{.displacement = Vector3(1, 0, 0)},
       ScrewMotionRecord{.from = away, .angle = 1.0, .velocity = Vector3(0, 1, 0)}}};
  const Expected<OwnedMotion> motion = motion_of(record);
  ASSERT_TRUE(motion) << motion.error().message;
  EXPECT_EQ((*motion)->pose(0.1).translation, Vector3::Zero());
  EXPECT_NEAR((*motion)->pose(0.375).translation.x(), 0.5, 1e-15);
  EXPECT_TRUE((*motion)->pose(0.5).translation.isApprox(away.translation));
}

}  // namespace
}  // namespace toccata
