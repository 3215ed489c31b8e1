// One body turns in place, or nearly so, for many turns: what never meets is proven in a time that does not
// grow with the turns, and what meets is found as before.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "ccd/search/turning_profiles.hpp"
#include "oracle/moving_bodies.hpp"
#include "toccata/base/random.hpp"
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

}  // namespace
}  // namespace toccata
