// One body turns in place, or nearly so, for many turns: what never meets is proven in a time that does not
// grow with the turns, and what meets is found as before.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "ccd/search/turning_profiles.hpp"
#include "oracle/moving_bodies.hpp"
#include "toccata/base/random.hpp"
#include "toccata/ccd/rigid/closest_approach.hpp"
#include "toccata/ccd/rigid/first_contact.hpp"
#include "toccata/motion/rigid_motion.hpp"
#include "toccata/proximity/distance.hpp"

namespace toccata {
namespace {

constexpr double turn = 2.0 * std::numbers::pi;
using oracle::box;
constexpr auto at = oracle::shifted;

// Rings of latitude of n quadrilaterals each, every one cut in two.
TriangleMesh globe(double radius, int n) {
  TriangleMesh mesh;
  for (int j = 0; j <= n; ++j) {
    for (int i = 0; i < 2 * n; ++i) {
      const double u = turn * i / (2 * n), v = std::numbers::pi * (j - 0.5 * n) / n;
      mesh.vertices.emplace_back(radius * std::cos(v) * std::cos(u), radius * std::cos(v) * std::sin(u),
                                 radius * std::sin(v));
    }
  }
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < 2 * n; ++i) {
      const int a = 2 * n * j + i, b = 2 * n * j + (i + 1) % (2 * n);
      mesh.faces.push_back({a, b, b + 2 * n});
      mesh.faces.push_back({a, b + 2 * n, a + 2 * n});
    }
  }
  return mesh;
}

std::int64_t work_of(const QueryStats& stats) {
  return stats.node_pairs + stats.piece_pairs + stats.steps;
}

TEST(ManyTurns, concentric_shells_take_the_work_of_a_few_windows) {
  const Shape inner(globe(0.95, 16)), outer(globe(1.0, 16));
  const Vector3 axis = Vector3(1, 2, 3).normalized();
  for (const bool inner_turns : {true, false}) {
    std::int64_t ten = 0;
    for (const double turns : {10.0, 1000.0, 1e8}) {
      const Body moving = {inner_turns ? inner : outer,
                           RigidMotion::with_velocity(Pose(), Vector3::Zero(), turns * turn * axis)};
      const FirstContactResult r = first_contact(moving, {inner_turns ? outer : inner});
      EXPECT_EQ(r.status, Status::Separated);
      if (ten == 0) ten = work_of(r.stats);
      EXPECT_LE(work_of(r.stats), 2 * ten + 200'000);
    }
    EXPECT_LE(ten, 2'000'000);
  }
}

TEST(ManyTurns, a_fast_spin_past_another_body_is_no_work) {
  const Shape cube(box({0.5, 0.5, 0.5}));
  for (const double spin : {1e5, 1e7, 1e9}) {
    const Vector3 w = spin * Vector3(1, 2, 3).normalized();
    const FirstContactResult r =
        first_contact({cube, RigidMotion::with_velocity(at(-3, 1.9, 0), {6, 0, 0}, w)}, {cube});
    EXPECT_EQ(r.status, Status::Separated);
    EXPECT_LE(work_of(r.stats), 100'000) << spin;
  }
}

// The proof is never wrong: a body is never found closer, at any of many angles, than it was proven to stay.
TEST(ManyTurns, profiles_never_claim_too_much) {
  Random random(3);
  int proven = 0;
  for (int i = 0; i < 300; ++i) {
    const Shape a(
        oracle::box(Vector3(random.uniform(0.1, 1), random.uniform(0.1, 1), random.uniform(0.1, 1))));
    const Shape b(globe(random.uniform(0.1, 1.0), 4));
    const RigidMotion turning = RigidMotion::with_velocity(
        oracle::random_pose(random, 2.0), random.in_box(0.02), 20.0 * random.on_sphere(), random.in_box(1.0));
    const RigidMotion standing = RigidMotion::fixed(oracle::random_pose(random, 2.0));
    double least = 1e9;
    for (int k = 0; k <= 60; ++k) {
      least = std::min(least, distance({a, turning.pose(k / 60.0)}, {b, standing.pose(0.0)}).distance);
    }
    for (const double share : {0.5, 0.9, 1.001}) {
      for (const bool exchanged : {false, true}) {
        search::MovingShape first{&a.data(), &turning}, second{&b.data(), &standing};
        if (exchanged) std::swap(first, second);
        QueryStats stats;
        const bool apart =
            search::apart_by_profile({first, second, 0.0, 1.0, share * least, 0.0, 0}, 1'000'000, stats);
        EXPECT_FALSE(apart && share > 1.0) << i;
        proven += apart;
      }
    }
  }
  EXPECT_GT(proven, 100);
}

// Over whole turns, with and without a drift: nothing that was sampled is nearer than what is proven, and
// what was found is as near as the nearest sample.
TEST(ManyTurns, closest_approach_over_whole_turns) {
  Random random(5);
  int proven = 0;
  for (int i = 0; i < 40; ++i) {
    const TriangleMesh soup = oracle::random_soup(random, random.integer(1, 6), 0.6);
    const Shape a(i % 2 == 0 ? soup : box(random.in_box(0.5).cwiseAbs() + Vector3(0.1, 0.1, 0.1)));
    const Shape b(globe(random.uniform(0.1, 0.5), 4));
    const double turns = i % 3 == 0 ? 1.0 : random.uniform(1.0, 30.0);
    const Vector3 drift = i % 4 < 2 ? Vector3(Vector3::Zero()) : random.in_box(0.5);
    const RigidMotion turning = RigidMotion::with_velocity(
        oracle::random_pose(random, 1.5), drift, turns * turn * random.on_sphere(), random.in_box(0.5));
    const Pose standing = oracle::random_pose(random, 1.5);
    const bool exchanged = i % 5 == 0;
    const Body moving{a, turning}, still{b, standing};
    const ClosestApproachResult r =
        exchanged ? closest_approach(still, moving) : closest_approach(moving, still);
    const auto distance_at = [&](double t) { return distance({a, turning.pose(t)}, {b, standing}).distance; };
    EXPECT_NEAR(distance_at(r.time), r.distance, 1e-6) << i;
    double least = 1e9;
    const int samples = static_cast<int>(turns * 60.0);
    for (int k = 0; k <= samples; ++k) least = std::min(least, distance_at(static_cast<double>(k) / samples));
    EXPECT_LE(r.lower_distance, least + 1e-12) << i;
    if (r.status != Status::Separated) continue;
    ++proven;
    EXPECT_LE(r.distance, least + 1e-12) << i;
    EXPECT_LE(r.distance - r.lower_distance, resolved_tolerance(a, b) + 1e-12) << i;
  }
  EXPECT_GT(proven, 15);
}

}  // namespace
}  // namespace toccata
