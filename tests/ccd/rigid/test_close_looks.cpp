// Looks in double precision: what they say to stay apart does, however fast the bodies turn and however thin
// the gap; and they are good for the scenes they were made for.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "ccd/search/box_pair_step.hpp"
#include "ccd/search/box_test.hpp"
#include "ccd/search/triangle_steps.hpp"
#include "hierarchy/box_pair.hpp"
#include "hierarchy/box_slabs.hpp"
#include "hierarchy/shape_data.hpp"
#include "oracle/moving_bodies.hpp"
#include "oracle/rigid_oracle.hpp"
#include "toccata/ccd/rigid/closest_approach.hpp"
#include "toccata/ccd/rigid/contact_intervals.hpp"
#include "toccata/ccd/rigid/contact_solver.hpp"
#include "toccata/ccd/rigid/first_contact.hpp"
#include "toccata/elementary/triangle_triangle.hpp"

namespace toccata {

using namespace search;

namespace {

using oracle::random_pose, oracle::random_soup;

// Turning about one axis and sliding, both bodies, far from the origin at times; steady in every case.
RigidMotion steady_motion(Random& random, double scale, const Vector3& far) {
  Vector3 spin = random.integer(0, 2) == 0 ? Vector3::Zero() : Vector3(random.in_box(1.0));
  if (random.integer(0, 1) == 0) spin = Vector3(0, 0, spin.z());
  spin *= std::pow(10.0, random.uniform(-2, 2));
  Vector3 way = scale * random.in_box(2.0);
  if (random.integer(0, 1) == 0) way.z() = 0.0;
  Pose pose = random_pose(random, 2.0 * scale);
  if (random.integer(0, 1) == 0) pose.rotation.setIdentity();
  pose.translation += far;
  return RigidMotion::with_velocity(pose, way, spin);
}

double distance_at(const Shape& a, const Motion& motion_a, const Shape& b, const Motion& motion_b, double t) {
  return oracle::mesh_distance(a.mesh(), motion_a.pose(t), b.mesh(), motion_b.pose(t));
}

TEST(CloseLooks, boxes_and_triangles_stay_apart_for_their_step) {
  Random random(811);
  int box_steps = 0, axis_steps = 0, never = 0;
  for (int round = 0; round < 4000; ++round) {
    const double scale = std::pow(10.0, random.uniform(-3, 3));
    const Vector3 far = round % 3 == 0 ? Vector3(1e4 * scale * random.on_sphere()) : Vector3::Zero();
    const Shape a(random_soup(random, 1, scale)), b(random_soup(random, 1, scale));
    const RigidMotion motion_a = steady_motion(random, scale, far);
    const RigidMotion motion_b = steady_motion(random, scale, far);
    const double t = random.uniform(0, 0.9);
    const SearchQuestion question{{&a.data(), &motion_a}, {&b.data(), &motion_b}};
    const PairAtTime at(question, t, 1.0);
    const double gap = hierarchy::widest_slab(hierarchy::world_box(a.data(), at.pose_a, 0),
                                              hierarchy::world_box(b.data(), at.pose_b, 0));
    ASSERT_LE(gap, distance_at(a, motion_a, b, motion_b, t) + 1e-12 * scale) << round;
    PairStates states(question.a, question.b);
    const PairState state = states.at(t, 1.0);
    const TrianglePairState pair =
        triangle_pair_state(state, corners_of(a.data(), 0), corners_of(b.data(), 0));
    double along_axis = 0.0;
    for (const TrianglePairState::Turn& turn : pair.turn) {
      for (const double sign : {-1.0, 1.0}) {
        along_axis = std::max(along_axis, triangle_step_along(pair, sign * turn.axis, 0.0, state.gap_padding,
                                                              state.rate_padding));
      }
    }
    const double of_boxes = box_pair_step(question, at, 0, 0, 0.0);
    if (of_boxes > 0.0) ++box_steps;
    if (along_axis > 0.0) ++axis_steps;
    if (std::isinf(of_boxes) || along_axis > 10.0) ++never;
    const double step = std::min(1.0 - t, std::max(of_boxes, along_axis));
    if (step == 0.0) continue;
    for (int i = 0; i <= 60; ++i) {
      ASSERT_GT(distance_at(a, motion_a, b, motion_b, t + step * i / 60.0), 0.0) << round << ' ' << i;
    }
  }
  EXPECT_GT(box_steps, 1000);
  EXPECT_GT(axis_steps, 400);
  EXPECT_GT(never, 100);
}

// A disc of slivers that meet in its middle.
TriangleMesh disc(int count) {
  TriangleMesh mesh;
  mesh.vertices.push_back(Vector3::Zero());
  for (int i = 0; i < count; ++i) {
    const double angle = 2.0 * std::numbers::pi * i / count;
    mesh.vertices.push_back({std::cos(angle), std::sin(angle), 0.0});
    mesh.faces.push_back({0, 1 + i, 1 + (i + 1) % count});
  }
  return mesh;
}

// Four million pairs of slivers lie over each other, nearer than single precision can tell their boxes apart.
TEST(CloseLooks, discs_that_slide_over_each_other) {
  const Shape shape(disc(2000));
  const RigidMotion rest;
  for (const double gap : {1e-7, 1e-5, 1e-3}) {
    const auto slide = RigidMotion::with_velocity({Matrix3::Identity(), Vector3(-3, 0, gap)},
                                                  Vector3(3, 0, 0), Vector3::Zero());
    const FirstContactResult r = first_contact({shape, slide}, {shape, rest});
    EXPECT_LT(work_of(r.stats), 30000) << gap;
    const ClosestApproachResult c = closest_approach({shape, slide}, {shape, rest});
    EXPECT_NEAR(c.distance, gap, 1e-6);
    EXPECT_LT(work_of(c.stats), 300000) << gap;
    EXPECT_LT(work_of(contact_intervals({shape, slide}, {shape, rest}).stats), 30000) << gap;
  }
  const auto turn = RigidMotion::with_velocity({Matrix3::Identity(), Vector3(0, 0, 1e-5)}, Vector3::Zero(),
                                               Vector3(0, 0, 3));
  const FirstContactResult r = first_contact({shape, turn}, {shape, rest});
  EXPECT_EQ(r.status, Status::Separated);
  EXPECT_LT(work_of(r.stats), 3000000);
}

// What turns in place over something comes no nearer, however often.
TEST(CloseLooks, a_thousand_turns_over_a_plate) {
  const Shape cube(oracle::box({1, 1, 1}));
  const RigidMotion rest;
  for (const double gap : {1e-1, 1e-3, 1e-5}) {
    const auto turn = RigidMotion::with_velocity({Matrix3::Identity(), Vector3(0, 0, 2.0 + gap)},
                                                 Vector3::Zero(), Vector3(0, 0, 2000.0 * std::numbers::pi));
    const FirstContactResult r = first_contact({cube, turn}, {cube, rest});
    EXPECT_EQ(r.status, Status::Separated) << gap;
    EXPECT_LT(work_of(r.stats), 100000) << gap;
    const ClosestApproachResult c = closest_approach({cube, turn}, {cube, rest});
    EXPECT_NEAR(c.distance, gap, 1e-9);
    EXPECT_LE(c.distance - c.lower_distance, 1.8e-6) << gap;
    EXPECT_LT(work_of(c.stats), 200000) << gap;
  }
}

// A pair of triangles that creeps is work too.
TEST(CloseLooks, a_budget_ends_pairs_that_creep) {
  const Shape cube(oracle::box({1, 1, 1})), plate(oracle::box({10, 10, 1}));
  const CustomMotionBounds bounds{.speed = 16.0, .angular_speed = 0.0, .pose_error = {1e-15, 1e-15}};
  const CustomMotion slide([](double t) { return oracle::shifted(-8.0 + 16.0 * t, 0, 2.0 + 1e-5); }, bounds);
  for (const RigidMethod method :
       {RigidMethod::Advancement, RigidMethod::Controlled, RigidMethod::Interval, RigidMethod::Screw}) {
    FirstContactOptions options;
    options.budget = 10000;
    options.method = method;
    const FirstContactResult r = first_contact({cube, slide}, {plate, RigidMotion()}, options);
    if (r.status == Status::Separated) continue;  // it may be clever
    EXPECT_EQ(r.status, Status::OutOfBudget);
    EXPECT_LE(work_of(r.stats), 20000);
  }
}

}  // namespace
}  // namespace toccata
