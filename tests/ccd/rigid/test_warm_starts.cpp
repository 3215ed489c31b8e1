// A solver that remembers answers as one that does not: first contacts in every field, closest approaches
// within the tolerance, on sequences where there is something to remember and where there is not.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "ccd/rigid/warm_start/known_clearance.hpp"
#include "effort.hpp"
#include "oracle/moving_bodies.hpp"
#include "oracle/rigid_oracle.hpp"
#include "scenes/parts.hpp"
#include "toccata/ccd/rigid/closest_approach.hpp"
#include "toccata/ccd/rigid/contact_intervals.hpp"
#include "toccata/ccd/rigid/contact_solver.hpp"
#include "toccata/ccd/rigid/first_contact.hpp"

namespace toccata {

using namespace warm_start;

namespace {

using oracle::box, oracle::sphere, oracle::random_soup, oracle::random_pose, oracle::random_motion;

void expect_same(const Contact& x, const Contact& y, const std::string& where) {
  EXPECT_EQ(x.point_a, y.point_a) << where;
  EXPECT_EQ(x.point_b, y.point_b) << where;
  EXPECT_EQ(x.normal, y.normal) << where;
  EXPECT_EQ(x.distance, y.distance) << where;
  EXPECT_EQ(x.feature_a.part, y.feature_a.part) << where;
  EXPECT_EQ(x.feature_b.part, y.feature_b.part) << where;
  EXPECT_EQ(x.feature_a.kind, y.feature_a.kind) << where;
  EXPECT_EQ(x.feature_b.kind, y.feature_b.kind) << where;
}

void expect_same(const FirstContactResult& x, const FirstContactResult& y, const std::string& where) {
  ASSERT_EQ(x.status, y.status) << where;
  ASSERT_EQ(x.time, y.time) << where;
  EXPECT_EQ(x.lower, y.lower) << where;
  EXPECT_EQ(x.upper, y.upper) << where;
  EXPECT_EQ(x.distance, y.distance) << where;
  expect_same(x.contact, y.contact, where);
  ASSERT_EQ(x.contacts.size(), y.contacts.size()) << where;
  for (std::size_t i = 0; i < x.contacts.size(); ++i) expect_same(x.contacts[i], y.contacts[i], where);
  EXPECT_EQ(x.pose_a.rotation, y.pose_a.rotation) << where;
  EXPECT_EQ(x.pose_a.translation, y.pose_a.translation) << where;
  EXPECT_EQ(x.pose_b.rotation, y.pose_b.rotation) << where;
  EXPECT_EQ(x.pose_b.translation, y.pose_b.translation) << where;
}

Pose nudged(Random& random, const Pose& pose, double angle, const Vector3& way) {
  return {
      Eigen::AngleAxisd(random.uniform(-angle, angle), random.on_sphere()).toRotationMatrix() * pose.rotation,
      pose.translation + way};
}

struct Counts {
  int queries = 0, contacts = 0, remembered = 0;

  void take(const FirstContactResult& cold, const FirstContactResult& warm) {
    ++queries;
    if (warm.status != Status::Separated) ++contacts;
    if (warm.stats.node_pairs == 0 && cold.stats.node_pairs > 0) ++remembered;
  }
  void print(const char* name) const {
    std::printf("%s: %d queries, %d contacts, %d without a search\n", name, queries, contacts, remembered);
  }
};

const RigidMethod every_method[] = {RigidMethod::Advancement, RigidMethod::Controlled, RigidMethod::Interval,
                                    RigidMethod::Screw};

// A part that is moved step by step around another one, by motions of every kind.
TEST(WarmStarts, step_by_step) {
  Random random(701);
  Counts counts;
  for (const RigidMethod method : every_method) {
    FirstContactOptions options;
    options.method = method;
    options.all_contacts = method == RigidMethod::Advancement;
    const int sequences = with_effort(method == RigidMethod::Advancement ? 60 : 6);
    for (int sequence = 0; sequence < sequences; ++sequence) {
      options.minimum_distance = sequence % 3 == 2 ? 0.05 : 0.0;
      const Shape a(sequence % 2 == 0 ? sphere(1.0, 8) : random_soup(random, 12, 0.7));
      const Shape b(sequence % 4 < 2 ? box({1, 0.5, 0.2}) : random_soup(random, 9, 0.7));
      ContactSolver solver(a, b, options);
      const double step = std::pow(10.0, random.uniform(-4, -0.5));
      Pose pose = {random_pose(random, 0.0).rotation, random.uniform(1.5, 4.0) * random.on_sphere()};
      Pose other = random_pose(random, 0.1);
      for (int k = 0; k < 40; ++k) {
        const Pose next = nudged(random, pose, step, step * (random.on_sphere() - 0.3 * pose.translation));
        const Pose other_next = k % 5 == 0 ? nudged(random, other, step, step * random.on_sphere()) : other;
        const RigidMotion motion(pose, next), other_motion(other, other_next);
        const ScrewMotion screw(pose, next);
        const Motion& moving = k % 2 == 0 ? static_cast<const Motion&>(motion) : screw;
        const FirstContactResult warm = solver.first_contact(moving, other_motion);
        const FirstContactResult cold =
            first_contact({a, OwnedMotion::borrowed(moving)}, {b, other_motion}, options);
        counts.take(cold, warm);
        expect_same(cold, warm, "sequence " + std::to_string(sequence) + " step " + std::to_string(k));
        if (HasFatalFailure()) return;
        pose = next;
        other = other_next;
      }
    }
  }
  counts.print("step by step");
  EXPECT_GT(counts.remembered, counts.queries / 10);
  EXPECT_GT(counts.contacts, counts.queries / 20);
}

// A part that vibrates about a place, now and then hitting the other one; both on one turntable at times.
TEST(WarmStarts, a_part_that_vibrates) {
  Random random(702);
  Counts counts;
  for (int sequence = 0; sequence < with_effort(60); ++sequence) {
    const Shape a(random_soup(random, 10, 0.5)), b(box({0.5, 0.5, 0.5}));
    ContactSolver solver(a, b);
    const Pose rest = {random_pose(random, 0.0).rotation, random.uniform(1.0, 3.0) * random.on_sphere()};
    const double reach = std::pow(10.0, random.uniform(-3, -0.3));
    const Vector3 spin = sequence % 3 == 0 ? Vector3(0, 0, 2) : Vector3(0, 0, 0);
    for (int k = 0; k < 50; ++k) {
      const Pose start = nudged(random, rest, reach, reach * random.on_sphere());
      const auto motion =
          RigidMotion::with_velocity(start, reach * random.on_sphere(), spin, -start.translation);
      const auto table = RigidMotion::with_velocity({}, Vector3::Zero(), spin);
      const FirstContactResult warm = solver.first_contact(motion, table);
      const FirstContactResult cold = first_contact({a, motion}, {b, table});
      counts.take(cold, warm);
      expect_same(cold, warm, std::to_string(sequence) + "/" + std::to_string(k));
      if (HasFatalFailure()) return;
    }
  }
  counts.print("vibrating");
  EXPECT_GT(counts.remembered, counts.queries / 50);
}

// Nothing to remember: motions at random, at all scales, bodies that pass each other within the tolerance.
TEST(WarmStarts, unrelated_motions) {
  Random random(703);
  Counts counts;
  for (int sequence = 0; sequence < with_effort(100); ++sequence) {
    const double scale = std::pow(10.0, random.uniform(-6, 6));
    const Shape a(random_soup(random, random.integer(1, 6), scale)),
        b(random_soup(random, random.integer(1, 6), scale));
    FirstContactOptions options;
    options.at_start = sequence % 2 == 0 ? AtStart::Report : AtStart::Skip;
    ContactSolver solver(a, b, options);
    for (int k = 0; k < 20; ++k) {
      const auto motion_a = random_motion(random, 2.0 * scale), motion_b = random_motion(random, 2.0 * scale);
      const FirstContactResult warm = solver.first_contact(*motion_a, *motion_b);
      const FirstContactResult cold = first_contact({a, OwnedMotion::borrowed(*motion_a)},
                                                    {b, OwnedMotion::borrowed(*motion_b)}, options);
      counts.take(cold, warm);
      expect_same(cold, warm, std::to_string(sequence));
      if (HasFatalFailure()) return;
    }
  }
  counts.print("unrelated");
}

// What is said to be proven is: at no time of the motion are the bodies as near as that, by sampling, up to
// the very clearance that the oracle finds.
TEST(WarmStarts, what_is_remembered_holds) {
  Random random(704);
  int proven = 0;
  double tightest = 0.0;
  for (int i = 0; i < with_effort(400); ++i) {
    const double scale = std::pow(10.0, random.uniform(-3, 3));
    const Vector3 far = i % 2 == 0 ? Vector3::Zero() : Vector3(1e5 * scale * random.on_sphere());
    const TriangleMesh a = random_soup(random, 5, scale), b = random_soup(random, 5, scale);
    const Shape shape_a(a), shape_b(b);
    const Pose rest = {random_pose(random, 0.0).rotation, far + 2.5 * scale * random.on_sphere()};
    const auto still = RigidMotion::fixed({Matrix3::Identity(), far});
    const double step = std::pow(10.0, random.uniform(-3, -1)) * scale;
    KnownClearance clearance;
    QueryStats stats;
    const RigidMotion first(rest, nudged(random, rest, 1e-2, step * random.on_sphere()));
    clearance.learn({&shape_a.data(), &first}, {&shape_b.data(), &still}, 0.0, stats);
    const Pose start = nudged(random, first.pose(1.0), 1e-2, step * random.on_sphere());
    const RigidMotion second(start, nudged(random, start, 1e-2, step * random.on_sphere()));
    double nearest = 1e300;
    for (int k = 0; k <= 20; ++k) {
      nearest = std::min(nearest, oracle::mesh_distance(a, second.pose(k / 20.0), b, still.pose(k / 20.0)));
    }
    // The largest distance that is said to be kept, by bisection; a no forgets, so ask copies.
    double low = 0.0, high = 10.0 * scale;
    for (int halving = 0; halving < 40; ++halving) {
      const double middle = 0.5 * (low + high);
      KnownClearance copy = clearance;
      (copy.proves_apart({&shape_a.data(), &second}, {&shape_b.data(), &still}, middle) ? low : high) =
          middle;
    }
    if (low == 0.0) continue;
    ++proven;
    ASSERT_LE(low, nearest) << i;
    tightest = std::max(tightest, low / nearest);
  }
  std::printf("%d motions proven free, up to %.3f of the distance\n", proven, tightest);
  EXPECT_GT(proven, 40);
  EXPECT_GT(tightest, 0.5);
}

TEST(WarmStarts, closest_approach_within_the_tolerance) {
  Random random(705);
  int apart = 0, touching = 0;
  for (int sequence = 0; sequence < with_effort(40); ++sequence) {
    const Shape a(random_soup(random, 8, 0.5)), b(random_soup(random, 8, 0.5));
    const double tolerance = resolved_tolerance(a, b);
    ContactSolver solver(a, b);
    const double step = std::pow(10.0, random.uniform(-3, 0));
    Pose pose = {random_pose(random, 0.0).rotation, random.uniform(0.8, 2.5) * random.on_sphere()};
    for (int k = 0; k < 20; ++k) {
      const Pose next = nudged(random, pose, step, step * random.on_sphere());
      const RigidMotion motion(pose, next), still;
      const ClosestApproachResult warm = solver.closest_approach(motion, still);
      const ClosestApproachResult cold = closest_approach({a, motion}, {b, still});
      ASSERT_EQ(warm.status, cold.status) << sequence << " " << k;
      EXPECT_NEAR(warm.distance, cold.distance, tolerance * 1.001) << sequence << " " << k;
      EXPECT_LE(warm.lower_distance, cold.distance) << sequence << " " << k;
      EXPECT_LE(warm.distance - warm.lower_distance, tolerance * 1.001) << sequence << " " << k;
      ++(warm.status == Status::Separated ? apart : touching);
      solver.first_contact(motion, still);  // the two questions share a memory and do not disturb each other
      pose = next;
    }
  }
  EXPECT_GT(apart, 100);
  EXPECT_GT(touching, 20);
}

}  // namespace
}  // namespace toccata
