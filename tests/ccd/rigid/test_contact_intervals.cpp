// From when to when bodies touch, and how close they come, where the answer is known in closed form.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <vector>

#include "oracle/moving_bodies.hpp"
#include "oracle/rigid_oracle.hpp"
#include "scenes/parts.hpp"
#include "toccata/ccd/rigid/closest_approach.hpp"
#include "toccata/ccd/rigid/contact_intervals.hpp"
#include "toccata/ccd/rigid/contact_solver.hpp"
#include "toccata/ccd/rigid/first_contact.hpp"
#include "toccata/motion/rigid_motion.hpp"

namespace toccata {
namespace {

using std::numbers::pi;

using oracle::box, oracle::sphere;
constexpr auto at = oracle::shifted;

ContactIntervalsResult intervals_of(const TriangleMesh& a, const Motion& motion, const TriangleMesh& b,
                                    double resolution = 1e-4) {
  ContactIntervalsOptions options;
  options.time_resolution = resolution;
  return contact_intervals({a, OwnedMotion::borrowed(motion)}, {b}, options);
}

// Spheres are surfaces: they touch while the centres are between the difference and the sum of the radii.
TEST(ContactIntervals, a_sphere_passes_a_sphere) {
  const double sum = 1.7;
  const RigidMotion pass = RigidMotion::with_velocity(at(-3, 0.5, 0), Vector3(6, 0, 0), Vector3::Zero());
  const auto r = intervals_of(sphere(1.0, 30), pass, sphere(0.7, 30));
  ASSERT_EQ(r.intervals.size(), 1u);
  EXPECT_EQ(r.status, Status::Contact);
  const double half = std::sqrt(sum * sum - 0.25) / 6.0;
  EXPECT_NEAR(r.intervals[0].begin_lower, 0.5 - half, 3e-3);
  EXPECT_NEAR(r.intervals[0].end_upper, 0.5 + half, 3e-3);
  EXPECT_GE(r.intervals[0].begin_lower, 0.5 - half - 1e-6);  // the meshes lie inside the spheres
  EXPECT_LE(r.intervals[0].end_lower, 0.5 + half + 1e-6);
}

TEST(ContactIntervals, a_sphere_passes_through_a_larger_one) {
  const RigidMotion pass = RigidMotion::with_velocity(at(-3, 0, 0.01), Vector3(6, 0, 0), Vector3::Zero());
  const auto r = intervals_of(sphere(1.0, 24), pass, sphere(0.4, 24));
  ASSERT_EQ(r.intervals.size(), 2u);  // through the near wall, free inside, through the far wall
  EXPECT_NEAR(r.intervals[0].begin_lower, (3.0 - 1.4) / 6.0, 3e-3);
  EXPECT_NEAR(r.intervals[0].end_upper, (3.0 - 0.6) / 6.0, 3e-3);
  EXPECT_NEAR(r.intervals[1].begin_lower, (3.0 + 0.6) / 6.0, 3e-3);
  EXPECT_NEAR(r.intervals[1].end_upper, (3.0 + 1.4) / 6.0, 3e-3);
}

// swing(t) = sin(6 pi t) radians about y; the bob cuts a thin plate at the bottom every sixth of the time.
TEST(ContactIntervals, a_pendulum_swings_in_and_out) {
  TriangleMesh bob = box({0.1, 0.1, 0.1});
  for (Vector3& v : bob.vertices) v.z() -= 1.0;
  const TriangleMesh plate = box({0.02, 0.5, 2.0});
  const double rate = 6.0 * pi;
  const auto pose = [=](double t) {
    return Pose{Eigen::AngleAxisd(std::sin(rate * t), Vector3::UnitY()).toRotationMatrix(), Vector3::Zero()};
  };
  const CustomMotion swing(
      pose,
      [=](double t, double) {
        MotionExpansion e;
        e.angular_velocity = rate * std::cos(rate * t) * Vector3::UnitY();
        e.spin_slack = 1e-13;
        e.spin_acceleration = 1.01 * (rate * rate + rate * rate);  // of the angle, and of the circle
        return e;
      },
      PoseError{0.0, 1e-14});
  const auto r = intervals_of(bob, swing, plate, 1e-5);
  EXPECT_EQ(r.status, Status::OverlapAtStart);
  ASSERT_EQ(r.intervals.size(), 7u);
  EXPECT_EQ(r.intervals.front().begin_lower, 0.0);
  EXPECT_EQ(r.intervals.back().end_upper, 1.0);
  // Symmetric about the crossings, and as sampling has it.
  for (std::size_t k = 1; k < 6; ++k) {
    const ContactInterval& i = r.intervals[k];
    EXPECT_NEAR(0.5 * (i.begin_lower + i.end_upper), static_cast<double>(k) / 6.0, 2e-5);
  }
  for (int k = 0; k <= 900; ++k) {
    const double t = k / 900.0;
    bool inside = false, near_end = false;
    for (const ContactInterval& i : r.intervals) {
      inside = inside || (i.begin_lower <= t && t <= i.end_upper);
      near_end = near_end || std::abs(t - i.begin_lower) < 2e-5 || std::abs(t - i.end_upper) < 3e-5;
    }
    if (near_end) continue;
    EXPECT_EQ(inside, oracle::mesh_distance(bob, pose(t), plate, {}) == 0.0) << t;
  }
}

TEST(ContactIntervals, resting_and_sliding_contact_lasts) {
  const TriangleMesh cube = box({0.5, 0.5, 0.5}), table = box({10, 10, 0.5});
  for (const Vector3& velocity : {Vector3(0, 0, 0), Vector3(3, 1, 0)}) {
    const auto r =
        intervals_of(cube, RigidMotion::with_velocity(at(0.1, 0.2, 1), velocity, Vector3::Zero()), table);
    EXPECT_EQ(r.status, Status::OverlapAtStart);
    ASSERT_EQ(r.intervals.size(), 1u);
    EXPECT_EQ(r.intervals[0].begin_lower, 0.0);
    EXPECT_EQ(r.intervals[0].end_lower, 1.0);
  }
  // Spun on the table about its own axis: the same.
  const auto spun =
      intervals_of(cube, RigidMotion::with_velocity(at(0, 0, 1), Vector3::Zero(), Vector3(0, 0, 7)), table);
  ASSERT_EQ(spun.intervals.size(), 1u);
  EXPECT_EQ(spun.intervals[0].end_lower, 1.0);
}

TEST(ContactIntervals, starts_in_contact_and_leaves) {
  const TriangleMesh cube = box({0.5, 0.5, 0.5});
  const auto r = intervals_of(cube, RigidMotion(at(0.3, 0, 0.8), at(0.3, 0, 2.8)), cube);
  EXPECT_EQ(r.status, Status::OverlapAtStart);
  ASSERT_EQ(r.intervals.size(), 1u);
  EXPECT_EQ(r.intervals[0].begin_lower, 0.0);
  EXPECT_NEAR(r.intervals[0].end_lower, 0.1, 2e-4);
  EXPECT_GE(r.intervals[0].end_upper, 0.1);
}

// The corner of a turning box comes to a wall and leaves it again: within the tolerance for an instant only.
TEST(ContactIntervals, touches_at_one_instant) {
  TriangleMesh wall = box({0.5, 3, 3});
  for (Vector3& v : wall.vertices) v.x() += 0.5 + std::sqrt(2.0);
  const RigidMotion turn = RigidMotion::with_velocity({}, Vector3::Zero(), Vector3(0, 0, 0.5 * pi));
  const auto r = intervals_of(box({1, 1, 1}), turn, wall, 1e-6);
  ASSERT_EQ(r.intervals.size(), 1u);
  EXPECT_LE(r.intervals[0].begin_lower, 0.5);
  EXPECT_GE(r.intervals[0].end_upper, 0.5);
  EXPECT_LT(r.intervals[0].end_upper - r.intervals[0].begin_lower, 4e-3);
  // A thousandth farther away it passes.
  for (Vector3& v : wall.vertices) v.x() += 1e-3;
  EXPECT_TRUE(intervals_of(box({1, 1, 1}), turn, wall).intervals.empty());
}

TEST(ContactIntervals, a_blade_passes_the_pin_twice_a_turn) {
  TriangleMesh pin = box({0.01, 0.01, 1});
  for (Vector3& v : pin.vertices) v.x() += 1.5;
  const RigidMotion spin = RigidMotion::with_velocity(
      {Eigen::AngleAxisd(0.5 * pi, Vector3::UnitZ()).toRotationMatrix(), Vector3::Zero()}, Vector3::Zero(),
      Vector3(0, 0, 6.0 * pi));
  const auto r = intervals_of(box({2, 0.05, 0.05}), spin, pin, 1e-5);
  ASSERT_EQ(r.intervals.size(), 6u);
  for (std::size_t k = 0; k < 6; ++k) {
    const double middle = 0.5 * (r.intervals[k].begin_lower + r.intervals[k].end_upper);
    EXPECT_NEAR(middle, (static_cast<double>(k) + 0.5) / 6.0, 2e-5);
  }
}

TEST(ContactIntervals, a_budget_stops_the_following_of_contact) {
  const TriangleMesh ball = sphere(1.0, 24);
  const RigidMotion slow = RigidMotion::with_velocity(at(0.5, 0.1, 0), Vector3(3, 0, 0), Vector3(2, 1, 0));
  ContactIntervalsOptions options;
  options.time_resolution = 1e-5;
  const Shape shape(ball);
  const auto all = contact_intervals({shape, slow}, {shape, RigidMotion()}, options);
  ASSERT_EQ(all.status, Status::OverlapAtStart);
  const std::int64_t work = all.stats.node_pairs + all.stats.piece_pairs;
  double last = 0.0;
  for (const double share : {0.05, 0.3, 0.7}) {
    options.budget = static_cast<std::int64_t>(share * static_cast<double>(work));
    const auto cut = contact_intervals({shape, slow}, {shape, RigidMotion()}, options);
    EXPECT_EQ(cut.status, Status::OutOfBudget) << share;
    EXPECT_LE(cut.proven_until, all.intervals.back().end_upper) << share;
    EXPECT_GE(cut.proven_until, last) << share;
    EXPECT_LT(cut.stats.node_pairs + cut.stats.piece_pairs, work) << share;
    ASSERT_EQ(cut.intervals.size(), 1u) << share;
    EXPECT_EQ(cut.intervals[0].end_lower, cut.proven_until) << share;
    last = cut.proven_until;
  }
  options.budget = 2 * work;
  EXPECT_EQ(contact_intervals({shape, slow}, {shape, RigidMotion()}, options).status, Status::OverlapAtStart);
}

TEST(ClosestApproach, is_exactly_zero_where_bodies_touch) {
  const TriangleMesh cube = box({1, 1, 1});
  const Shape shape(cube);
  struct Case {
    Pose from, to;
    Status status;
  };
  const Matrix3 tilt = Eigen::AngleAxisd(0.7, Vector3(1, 2, 3).normalized()).toRotationMatrix();
  const std::vector<Case> cases = {
      {at(0, 0, 6), at(0, 0, 1), Status::Contact},                             // falls in
      {at(0.3, 0.2, 2), at(0.3, 0.2, 5), Status::OverlapAtStart},              // rests, face on face
      {at(0.3, 0.2, 2.0 + 1e-13), at(3.3, 0.2, 2.0), Status::OverlapAtStart},  // slides, rounding apart
      {{tilt, Vector3(5, 0, 0)}, {tilt, Vector3(-1, 0, 0)}, Status::Contact},  // a corner first
      {at(0, 0, 0), at(0, 0, 0.5), Status::OverlapAtStart}};
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const ClosestApproachResult r =
        closest_approach({shape, RigidMotion(cases[i].from, cases[i].to)}, {shape, RigidMotion()});
    EXPECT_EQ(r.status, cases[i].status) << i;
    EXPECT_EQ(r.distance, 0.0) << i;
    EXPECT_EQ(r.lower_distance, 0.0) << i;
    EXPECT_EQ(r.contact.distance, 0.0) << i;
    EXPECT_EQ(r.contact.point_a, r.contact.point_b) << i;
    EXPECT_GE(r.contact.feature_a.part, 0) << i;
    // Coincident faces leave the normal undefined.
    EXPECT_NEAR(r.contact.normal.norm(), i < 4 ? 1.0 : 0.0, 1e-9) << i;
  }
  // Within the tolerance but not touching, which may count either way: what they pass at.
  ClosestApproachOptions options;
  options.tolerance = 1e-3;
  const ClosestApproachResult passing = closest_approach(
      {shape, RigidMotion(at(-4, 0, 2.0004), at(4, 0, 2.0004))}, {shape, RigidMotion()}, options);
  EXPECT_TRUE(passing.status == Status::Contact || passing.status == Status::Separated);
  EXPECT_NEAR(passing.distance, 4e-4, 1e-9);
  EXPECT_LE(passing.lower_distance, 4e-4);
}

// Two gears of one kind at their working distance: turned against each other at one speed, tooth in gap, they
// run free; half a tooth off they collide.
TEST(FirstContact, gears_in_mesh_run_free) {
  constexpr int teeth = 24;
  const Shape gear(scenes::gear(teeth, 22, 1));
  const double tooth = 2.0 * pi / teeth;
  // A tooth stands at half a tooth; its gap at zero. The second gear faces the first from x = distance.
  const double distance = 1.86;  // radii 1 and 0.82: the teeth reach 0.14 into the gaps of 0.18
  const auto motion = [&](double phase, double turns, double x) {
    return RigidMotion::with_velocity(
        {Eigen::AngleAxisd(phase, Vector3::UnitZ()).toRotationMatrix(), Vector3(x, 0, 0)}, Vector3::Zero(),
        Vector3(0, 0, 2.0 * pi * turns));
  };
  const RigidMotion left = motion(0.5 * tooth, 0.125, 0.0);  // a tooth towards the other gear
  for (const RigidMethod method : {RigidMethod::Advancement, RigidMethod::Controlled, RigidMethod::Screw}) {
    FirstContactOptions options;
    options.method = method;
    const FirstContactResult free =
        first_contact({gear, left}, {gear, motion(pi, -0.125, distance)}, options);
    EXPECT_EQ(free.status, Status::Separated) << static_cast<int>(method);
    const FirstContactResult jammed =
        first_contact({gear, left}, {gear, motion(pi + 0.5 * tooth, -0.125, distance)}, options);
    EXPECT_EQ(jammed.status, Status::OverlapAtStart) << static_cast<int>(method);
    // Free at the start, but turning at unequal speeds: the teeth run into each other.
    const FirstContactResult unequal =
        first_contact({gear, left}, {gear, motion(pi, -0.1, distance)}, options);
    EXPECT_EQ(unequal.status, Status::Contact) << static_cast<int>(method);
  }
}

}  // namespace
}  // namespace toccata
