// Convex kinds in motion: truths in closed form or by dense sampling, and the cases that other libraries
// miss.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <vector>

#include "effort.hpp"
#include "oracle/moving_bodies.hpp"
#include "toccata/bound/convex_hull_of.hpp"
#include "toccata/ccd/rigid/closest_approach.hpp"
#include "toccata/ccd/rigid/contact_intervals.hpp"
#include "toccata/ccd/rigid/first_contact.hpp"
#include "toccata/proximity/distance.hpp"

namespace toccata {
namespace {

using oracle::shifted;

using std::numbers::pi;

double distance_at(const Body& a, const Body& b, double t) {
  return distance({a.shape, a.motion->pose(t)}, {b.shape, b.motion->pose(t)}).distance;
}

// Never late against dense samples, and within the tolerance at the time reported.
FirstContactResult checked(const Body& a, const Body& b, int samples) {
  const FirstContactResult r = first_contact(a, b);
  EXPECT_NE(r.status, Status::Failed) << r.failure;
  for (int i = 0; i <= samples; ++i) {
    const double t = static_cast<double>(i) / samples;
    if (t >= r.time) break;
    EXPECT_GT(distance_at(a, b, t), 0.0) << "late: " << r.time << ", but they overlap at " << t;
  }
  const double tolerance = resolved_tolerance(a.shape, b.shape);
  if (r.status != Status::Separated) {
    EXPECT_LE(distance_at(a, b, r.time), tolerance * (1.0 + 1e-6) + 1e-12);
  }
  return r;
}

TEST(ConvexMotion, balls_meet_when_the_root_says) {
  Random random(1);
  int contacts = 0;
  for (int trial = 0; trial < with_effort(2000); ++trial) {
    const double ra = random.uniform(0.1, 1.0), rb = random.uniform(0.1, 1.0);
    const Vector3 from = 3.0 * random.on_sphere(), way = -2.0 * from + random.in_box(4.0);
    if (from.norm() < ra + rb + 1e-3) continue;
    const FirstContactResult r = first_contact(
        {Ball{ra}, RigidMotion::with_velocity({Matrix3::Identity(), from}, way, random.in_box(9.0))},
        {Ball{rb}});
    const double a = way.squaredNorm(), b = from.dot(way), c = from.squaredNorm() - (ra + rb) * (ra + rb);
    const double root = b * b - a * c, closest = std::sqrt(std::max(0.0, from.squaredNorm() - b * b / a));
    const double time = root >= 0.0 ? (-b - std::sqrt(root)) / a : 2.0;
    if (time >= 0.0 && time <= 1.0 && std::abs(closest - ra - rb) > 1e-4) {
      ++contacts;
      ASSERT_EQ(r.status, Status::Contact);
      EXPECT_LE(r.time, time + 1e-15);
      EXPECT_GE(r.time, time - 1e-3);
      EXPECT_GE(r.upper, time - 1e-15);
    } else if (closest > ra + rb + 1e-4 || time < -1e-3 || time > 1.001) {
      EXPECT_EQ(r.status, Status::Separated);
    }
  }
  EXPECT_GT(contacts, 100);
}

// The lowest corner by sampling in long double, bisected.
double box_lands_at(const Vector3& half, const RigidMotion& motion) {
  const auto lowest = [&](double t) {
    const Pose pose = motion.pose(t);
    double z = pose.translation.z();
    for (int i = 0; i < 3; ++i) z -= half[i] * std::abs(pose.rotation(2, i));
    return z;
  };
  constexpr int samples = 4000;
  for (int i = 1; i <= samples; ++i) {
    double low = (i - 1.0) / samples, high = static_cast<double>(i) / samples;
    if (lowest(high) > 0.0) continue;
    for (int k = 0; k < 60; ++k) (lowest(0.5 * (low + high)) > 0.0 ? low : high) = 0.5 * (low + high);
    return high;
  }
  return 2.0;
}

TEST(ConvexMotion, boxes_tumble_onto_a_half_space) {
  Random random(2);
  const Shape ground(HalfSpace{{0, 0, 3}, 0.0});
  for (int trial = 0; trial < with_effort(200); ++trial) {
    const Vector3 half = Vector3::Constant(0.05) + random.in_box(1.0).cwiseAbs();
    const RigidMotion fall = RigidMotion::with_velocity(
        {oracle::random_pose(random, 1.0).rotation,
         Vector3(0, 0, half.norm() + 0.01 + random.uniform(0.0, 1.0))},
        {0, 0, random.uniform(-4.0, 0.5)}, random.in_box(trial % 3 == 0 ? 200.0 : 6.0));
    const double truth = box_lands_at(half, fall);
    const FirstContactResult r = first_contact({Box{2.0 * half}, fall}, {ground});
    if (truth <= 1.0) {
      ASSERT_EQ(r.status, Status::Contact) << trial;
      EXPECT_LE(r.time, truth);
      EXPECT_LE(distance({Box{2.0 * half}, fall.pose(r.time)}, {ground}).distance, 1e-6 * half.norm() * 1.01);
    } else if (r.status == Status::Contact) {
      EXPECT_LE(r.distance, 1e-6 * half.norm() * 1.01);
    }
  }
}

TEST(ConvexMotion, the_half_space_may_turn_as_well) {
  // A ramp swings up under a ball: the plane through the y axis at an angle t reaches the ball at sin(t) x =
  // cos(t) z - r, and the ball stands still.
  const double turned = 1.2, x = 3.0, z = 1.0, r = 0.25;
  const RigidMotion swing = RigidMotion::with_velocity(Pose(), Vector3::Zero(), {0, -turned, 0});
  const FirstContactResult hit = first_contact({HalfSpace{}, swing}, {Ball{r}, shifted(x, 0, z)});
  ASSERT_EQ(hit.status, Status::Contact);
  double low = 0.0, high = 1.0;
  for (int k = 0; k < 60; ++k) {
    const double t = 0.5 * (low + high), angle = turned * t;
    (-std::sin(angle) * x + std::cos(angle) * z > r ? low : high) = t;
  }
  EXPECT_LE(hit.time, high);
  EXPECT_NEAR(hit.time, high, 1e-6);
}

TEST(ConvexMotion, a_rod_sweeps_through_a_plate) {
  Random random(3);
  const Shape rod(Box{{4, 0.04, 0.04}}), plate(Box{{2, 2, 0.02}});
  int hits = 0;
  for (int trial = 0; trial < with_effort(60); ++trial) {
    const double angle = random.uniform(30.0, 170.0) * pi / 180.0;
    const RigidMotion sweep = RigidMotion::with_velocity(oracle::random_pose(random, 1.5), random.in_box(1.0),
                                                         angle * random.on_sphere());
    hits += checked({rod, sweep}, {plate, oracle::random_pose(random, 1.0)}, 500).status == Status::Contact;
  }
  EXPECT_GT(hits, 5);
}

TEST(ConvexMotion, whole_and_many_turns) {
  Random random(4);
  const Shape hull(
      convex_hull_of(
          std::vector<Vector3>{{1, 0, 0}, {-0.4, 0.2, 0}, {0, -0.5, 0.3}, {0, 0.4, 0.5}, {0.1, 0, -0.7}})
          .value());
  for (const double turns : {0.5, 1.0, 2.0, 17.0, 400.0}) {
    for (const Shape& shape : {hull, Shape(Cylinder{0.3, 2.0}), Shape(Ellipsoid{{1.2, 0.3, 0.2}})}) {
      const RigidMotion spin =
          RigidMotion::with_velocity(Pose(), Vector3::Zero(), 2.0 * pi * turns * random.on_sphere());
      checked({shape, spin}, {Ball{0.3}, shifted(0.9, 0.6, 0.3)}, 2000);
      // Never reached at any angle.
      const FirstContactResult apart = first_contact({shape, spin}, {Ball{0.3}, shifted(1.2, 1.2, 0.0)});
      EXPECT_EQ(apart.status, Status::Separated);
    }
  }
}

TEST(ConvexMotion, equal_motions_keep_apart) {
  const RigidMotion both = RigidMotion::with_velocity(Pose(), {3, 1, 2}, {4, -9, 2}, {0.5, 0, 0});
  const RigidMotion beside = RigidMotion::with_velocity(shifted(1.2, 0, 0), {3, 1, 2}, {4, -9, 2},
                                                        Vector3(0.5, 0, 0) - Vector3(1.2, 0, 0));
  const FirstContactResult r = first_contact({Box{{1, 1, 1}}, both}, {Box{{1, 1, 1}}, beside});
  EXPECT_EQ(r.status, Status::Separated);
  EXPECT_LT(r.stats.steps, 200);
}

TEST(ConvexMotion, rolling_is_contact_all_the_time) {
  const Shape ground(HalfSpace{}), table(Box{{20, 20, 1}});
  const Pose under = shifted(0, 0, -0.5);
  // About the y axis, without slipping: forwards by r times the angle.
  for (const Shape& wheel : {Shape(Ball{0.5}), Shape(Capsule{0.5, 1.0})}) {
    const Matrix3 lying = Eigen::AngleAxisd(0.5 * pi, Vector3::UnitX()).toRotationMatrix();
    const RigidMotion roll =
        RigidMotion::with_velocity({lying, Vector3(-2, 0, 0.5)}, {0.5 * 6.0, 0, 0}, {0, 6.0, 0});
    const std::vector<Body> floors = {{ground}, {table, under}};
    for (const Body& floor : floors) {
      const ContactIntervalsResult r = contact_intervals({wheel, roll}, floor);
      ASSERT_EQ(r.intervals.size(), 1U);
      EXPECT_EQ(r.intervals[0].begin_lower, 0.0);
      EXPECT_EQ(r.intervals[0].end_upper, 1.0);
      EXPECT_LT(r.stats.steps, 20000);
      EXPECT_EQ(first_contact({wheel, roll}, floor).status, Status::OverlapAtStart);
    }
  }
}

TEST(ConvexMotion, sliding_lifting_and_landing) {
  const Shape crate(Box{{1, 1, 1}}), table(Box{{20, 20, 1}});
  const Body floor = {table, shifted(0, 0, -0.5)};
  const RigidMotion slide = RigidMotion::with_velocity(shifted(-3, 0, 0.5), {6, 1, 0}, Vector3::Zero());
  const ContactIntervalsResult r = contact_intervals({crate, slide}, floor);
  ASSERT_EQ(r.intervals.size(), 1U);
  EXPECT_EQ(r.intervals[0].end_upper, 1.0);
  EXPECT_LT(r.stats.steps, 2000);
  // Up and down again.
  const Body hop = {crate,
                    PiecewiseMotion(std::vector<TimedPose>{
                        {0.0, shifted(0, 0, 0.5)}, {0.5, shifted(1, 0, 1.5)}, {1.0, shifted(2, 0, 0.4)}})};
  FirstContactOptions skip;
  skip.at_start = AtStart::Skip;
  const FirstContactResult landed = first_contact(hop, floor, skip);
  ASSERT_EQ(landed.status, Status::Contact);
  EXPECT_NEAR(landed.time, 0.5 + 0.5 * 1.0 / 1.1, 1e-5);
  const ContactIntervalsResult both = contact_intervals(hop, floor);
  ASSERT_EQ(both.intervals.size(), 2U);
  EXPECT_NEAR(both.intervals[0].end_upper, 0.0, 1e-5);
}

TEST(ConvexMotion, grazing_receding_and_head_on) {
  const Shape box(Box{{1, 1, 1}}), ball(Ball{0.5});
  // Passes at a distance of exactly nothing, for one instant.
  const FirstContactResult graze =
      first_contact({ball, RigidMotion(shifted(-3, 1, 0), shifted(3, 1, 0))}, {ball});
  EXPECT_EQ(graze.status, Status::Contact);
  EXPECT_LE(graze.time, 0.5);
  const FirstContactResult beside =
      first_contact({ball, RigidMotion(shifted(-3, 1.001, 0), shifted(3, 1.001, 0))}, {ball});
  EXPECT_EQ(beside.status, Status::Separated);
  // Touches at the start and goes away.
  EXPECT_EQ(first_contact({box, RigidMotion(shifted(1, 0, 0), shifted(3, 0, 0))}, {box}).status,
            Status::OverlapAtStart);
  FirstContactOptions skip;
  skip.at_start = AtStart::Skip;
  EXPECT_EQ(first_contact({box, RigidMotion(shifted(1, 0, 0), shifted(3, 0, 0))}, {box}, skip).status,
            Status::Separated);
  // Two fast ones, thin for their speed.
  const Shape thin(Box{{0.001, 1, 1}});
  const FirstContactResult hit = first_contact({thin, RigidMotion(shifted(-500, 0, 0), shifted(500, 0, 0))},
                                               {thin, RigidMotion(shifted(500, 0, 0), shifted(-500, 0, 0))});
  ASSERT_EQ(hit.status, Status::Contact);
  EXPECT_NEAR(hit.time, 0.5, 1e-5);
  EXPECT_LE(hit.time, 0.5);
}

TEST(ConvexMotion, shapes_of_no_size) {
  const std::vector<Shape> flat = {
      Ball{0.0},      Capsule{0.0, 1.0},           Capsule{0.5, 0.0},   Box{{0, 0, 0}},
      Box{{1, 1, 0}}, Cylinder{0.0, 1.0},          Cylinder{1.0, 0.0},  Cone{0.0, 1.0},
      Cone{1.0, 0.0}, Ellipsoid{{1.0, 1e-6, 0.0}}, Ellipsoid{{0, 0, 0}}};
  for (const Shape& a : flat) {
    for (const Shape& b : flat) {
      const Body moving = {a, RigidMotion::with_velocity(shifted(-2, 0.05, 0.02), {4, 0, 0}, {0, 1, 2})};
      checked(moving, {b, Pose()}, 100);
      EXPECT_NE(closest_approach(moving, {b, Pose()}).status, Status::Failed);
    }
  }
}

}  // namespace
}  // namespace toccata
