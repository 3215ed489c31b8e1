#include "toccata/motion/joint_path.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "effort.hpp"
#include "toccata/base/random.hpp"

namespace toccata {
namespace {

using Rows = std::vector<std::vector<double>>;

TEST(JointPath, straight_pieces_meet_their_way_points) {
  const Expected<JointPath> path = JointPath::straight(Rows{{0, 1}, {1, 1}, {1, -1}});
  ASSERT_TRUE(path);
  EXPECT_EQ(path->piece_count(), 2);
  EXPECT_EQ(path->degree(), 1);
  EXPECT_EQ(path->values(0.0), (std::vector<double>{0, 1}));
  EXPECT_EQ(path->values(0.25), (std::vector<double>{0.5, 1}));
  EXPECT_EQ(path->values(0.5), (std::vector<double>{1, 1}));
  EXPECT_EQ(path->values(1.0), (std::vector<double>{1, -1}));
  EXPECT_EQ(path->piece_at(0.5), 1);
}

TEST(JointPath, times_are_scaled) {
  const std::vector<JointWayPoint> points = {{2.0, {0.0}}, {3.0, {1.0}}, {6.0, {0.0}}};
  const Expected<JointPath> path = JointPath::build(points);
  ASSERT_TRUE(path);
  EXPECT_EQ(path->times(), (std::vector<double>{0.0, 0.25, 1.0}));
  EXPECT_EQ(path->duration(), 4.0);
  EXPECT_EQ(path->values(0.125).front(), 0.5);
}

// A quintic and a cubic through the states of a straight line are that line.
TEST(JointPath, kinds_agree_where_they_coincide) {
  std::vector<JointWayPoint> cubic = {{0.0, {1.0, 2.0}, {0.5, -1.0}}, {2.0, {2.0, 0.0}, {0.5, -1.0}}};
  std::vector<JointWayPoint> quintic = cubic;
  for (JointWayPoint& point : quintic) point.accelerations = {0.0, 0.0};
  for (const auto& points : {cubic, quintic}) {
    const Expected<JointPath> path = JointPath::build(points);
    ASSERT_TRUE(path);
    for (const double t : {0.0, 0.3, 0.8, 1.0}) {
      EXPECT_NEAR(path->values(t)[0], 1.0 + t, 1e-15);
      EXPECT_NEAR(path->values(t)[1], 2.0 - 2.0 * t, 1e-15);
    }
  }
}

TEST(JointPath, splines_meet_velocities_and_accelerations) {
  Random random(3);
  for (int trial = 0; trial < 100; ++trial) {
    std::vector<JointWayPoint> points;
    double time = 0.0;
    for (int i = 0; i < 3; ++i) {
      points.push_back({time, {random.uniform(-3, 3)}, {random.uniform(-3, 3)}, {random.uniform(-3, 3)}});
      time += random.uniform(0.6, 2.0);
    }
    if (trial % 2 == 0) {
      for (JointWayPoint& point : points) point.accelerations.clear();
    }
    const JointPath path = JointPath::build(points).value();
    for (std::size_t i = 0; i < 3; ++i) {
      const double t = path.times()[i], h = 1e-5 * (i == 2 ? -1.0 : 1.0);
      const double q0 = path.values(t)[0], q1 = path.values(t + h)[0], q2 = path.values(t + 2.0 * h)[0];
      EXPECT_NEAR(q0, points[i].values[0], 1e-13);
      const double rate = (4.0 * q1 - 3.0 * q0 - q2) / (2.0 * h * path.duration());
      EXPECT_NEAR(rate, points[i].velocities[0], 1e-5);
      if (trial % 2 == 1) {
        const double second = (q2 - 2.0 * q1 + q0) / (h * h * path.duration() * path.duration());
        EXPECT_NEAR(second, points[i].accelerations[0], 0.2);
      }
    }
  }
}

TEST(JointPath, faults_name_the_way_point) {
  const auto message = [](std::vector<JointWayPoint> points) {
    const auto path = JointPath::build(points);
    return path ? std::string() : path.error().message;
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinite = std::numeric_limits<double>::infinity();
  EXPECT_NE(message({}).find("at least one way-point"), std::string::npos);
  EXPECT_NE(message({{0, {1}}, {1, {1, 2}}}).find("way-point 1 has 2 values"), std::string::npos);
  EXPECT_NE(message({{0, {1}}, {1, {nan}}}).find("way-point 1: number 0 of its values"), std::string::npos);
  EXPECT_NE(message({{0, {1}}, {1, {infinite}}}).find("not finite"), std::string::npos);
  EXPECT_NE(message({{0, {1}}, {1, {1}}, {1, {2}}}).find("must increase"), std::string::npos);
  EXPECT_NE(message({{0, {1}}, {2, {1}}, {1, {2}}}).find("must increase"), std::string::npos);
  EXPECT_NE(message({{1, {1}}, {0.5, {1}}}).find("must increase"), std::string::npos);
  EXPECT_NE(message({{0, {1}}, {1e-300, {1}}, {1e300, {2}}}).find("way-point 1"), std::string::npos);
  EXPECT_NE(message({{nan, {1}}, {2, {1}}}).find("time is not finite"), std::string::npos);
  EXPECT_NE(message({{0, {1}, {1}}, {2, {1}}}).find("velocities"), std::string::npos);
  EXPECT_NE(message({{0, {1}, {}, {1}}}).find("no velocities"), std::string::npos);
  EXPECT_EQ(message({{0, {1}}}), "");            // one way-point stays
  EXPECT_EQ(message({{0, {1}}, {1, {1}}}), "");  // equal ones, too
}

// No value or derivative leaves the range, and the range of a straight line is that of its ends.
TEST(JointPath, ranges_hold) {
  Random random(5);
  for (int trial = 0; trial < with_effort(2000); ++trial) {
    std::vector<double> c(static_cast<std::size_t>(random.integer(1, 6)));
    for (double& x : c) x = random.uniform(-2, 2) * std::pow(10.0, random.integer(-3, 3));
    for (int derivative = 0; derivative < 4; ++derivative) {
      const PolynomialRange range = polynomial_range(c, derivative);
      for (int k = 0; k <= 20; ++k) {
        const double s = k / 20.0;
        long double value = 0.0L;
        for (std::size_t i = static_cast<std::size_t>(derivative); i < c.size(); ++i) {
          long double factor = c[i];
          for (int d = 0; d < derivative; ++d) factor *= static_cast<long double>(i) - d;
          value += factor * std::pow(static_cast<long double>(s), static_cast<long double>(i) - derivative);
        }
        ASSERT_LE(range.lower, value) << trial;
        ASSERT_GE(range.upper, value) << trial;
      }
    }
  }
  const PolynomialRange line = polynomial_range(std::vector<double>{1.0, 2.0});
  EXPECT_NEAR(line.lower, 1.0, 1e-13);
  EXPECT_NEAR(line.upper, 3.0, 1e-13);
}

}  // namespace
}  // namespace toccata
