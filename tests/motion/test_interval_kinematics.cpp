#include "motion/interval_kinematics.hpp"

#include <gtest/gtest.h>

#include "effort.hpp"
#include "oracle/random_robot.hpp"
#include "toccata/motion/kinematics.hpp"

namespace toccata {
namespace {

using namespace oracle;

bool contains(const IntervalVector& box, const Vector3& x, double slack) {
  for (int i = 0; i < 3; ++i) {
    const Interval& side = box.x[static_cast<std::size_t>(i)];
    if (!(side.lower - slack <= x[i] && x[i] <= side.upper + slack)) return false;
  }
  return true;
}

// Links at moments of a span, by the other kinematics, are in the enclosure; their velocities, by
// differences, too.
TEST(IntervalKinematics, encloses_links_and_their_velocities) {
  Random random(31);
  double widest_moment = 0.0;
  for (int trial = 0; trial < with_effort(1500); ++trial) {
    const double scale = std::pow(10.0, random.uniform(-2, 2));
    const RandomRobot robot = random_robot(random, scale);
    const Kinematics kinematics = Kinematics::build(robot.body).value();
    const RobotMotion moving = RobotMotion::build(kinematics, robot.path).value();
    const IntervalKinematics intervals = IntervalKinematics::build(robot.body, robot.path).value();
    const int links = kinematics.link_count();
    const int link = random.integer(0, links - 1), other = random.integer(0, links - 1);
    const std::int32_t top = intervals.common_ancestor(link, other);
    EXPECT_EQ(intervals.common_ancestor(other, link), top);
    const int piece = random.integer(0, robot.path.piece_count() - 1);
    const double from = robot.path.times()[static_cast<std::size_t>(piece)];
    const double till = robot.path.times()[static_cast<std::size_t>(piece) + 1];
    const double begin = from + (till - from) * random.unit();
    const double end = trial % 5 == 0
                           ? begin
                           : std::min(till, begin + std::pow(10.0, random.uniform(-4, 0)) * (till - from));
    const IntervalFrame frame = intervals.frame(link, top, piece, begin, end);
    const LinkMotion motion(moving, link, top);
    const double slack = 1e-12 * (1.0 + 100.0 * scale), h = 1e-6 * (till - from);
    if (begin == end) {
      for (const Interval& side : frame.place.x)
        widest_moment = std::max(widest_moment, side.upper_width() / scale);
    }
    for (int k = 0; k <= 6; ++k) {
      const double t = std::min(end, begin + (end - begin) * k / 6);
      const Pose pose = motion.pose(t);
      ASSERT_TRUE(contains(frame.place, pose.translation, slack)) << trial;
      for (std::size_t row = 0; row < 3; ++row)
        ASSERT_TRUE(
            contains(frame.rotation.rows[row], pose.rotation.row(static_cast<int>(row)).transpose(), 1e-12))
            << trial;
      if (t - h < from || t + h > till) continue;
      const Pose before = motion.pose(t - h), after = motion.pose(t + h);
      const double speed = norm(frame.velocity).upper, spin = norm(frame.spin).upper;
      ASSERT_TRUE(contains(frame.velocity, (after.translation - before.translation) / (2.0 * h),
                           1e-4 * speed + 1e-6 * scale))
          << trial;
      const Matrix3 rate = (after.rotation - before.rotation) / (2.0 * h) * pose.rotation.transpose();
      ASSERT_TRUE(contains(frame.spin, Vector3(rate(2, 1), rate(0, 2), rate(1, 0)), 1e-4 * spin + 1e-6))
          << trial;
    }
  }
  EXPECT_LT(widest_moment, 1e-10);
}

TEST(IntervalKinematics, counts_joints_and_refuses_other_paths) {
  ArticulatedBody body;
  body.links = {{"root", {}}, {"a", {}}, {"b", {}}, {"c", {}}};
  const auto joint = [](const char* name, JointKind kind, const char* parent, const char* child) {
    Joint result{name, kind, parent, child};
    result.limits = JointLimits{-1, 1};
    return result;
  };
  body.joints = {joint("one", JointKind::Revolute, "root", "a"), joint("two", JointKind::Fixed, "a", "b"),
                 joint("three", JointKind::Prismatic, "root", "c")};
  const std::vector<std::vector<double>> points = {{0, 0}, {1, 1}};
  const JointPath path = JointPath::straight(points).value();
  const IntervalKinematics intervals = IntervalKinematics::build(body, path).value();
  EXPECT_EQ(intervals.root(), 0);
  EXPECT_EQ(intervals.joints_between(1, 2), 0);
  EXPECT_EQ(intervals.joints_between(0, 2), 1);
  EXPECT_EQ(intervals.joints_between(3, 2), 2);
  EXPECT_EQ(intervals.common_ancestor(3, 2), 0);
  EXPECT_EQ(intervals.common_ancestor(1, 2), 1);
  EXPECT_FALSE(
      IntervalKinematics::build(body, JointPath::straight(std::vector<std::vector<double>>{{0}}).value()));
}

}  // namespace
}  // namespace toccata
