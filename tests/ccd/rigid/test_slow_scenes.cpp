// Scenes that once took seconds or minutes: each is answered in little work, or ends by a limit that is
// stated, with what is proven by then.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <vector>

#include "oracle/moving_bodies.hpp"
#include "toccata/ccd/rigid/closest_approach.hpp"
#include "toccata/ccd/rigid/contact_intervals.hpp"
#include "toccata/ccd/rigid/contact_solver.hpp"
#include "toccata/ccd/rigid/first_contact.hpp"
#include "toccata/motion/rigid_motion.hpp"
#include "toccata/proximity/distance.hpp"

namespace toccata {
namespace {

using oracle::box;
using std::numbers::pi;
constexpr auto at = oracle::shifted;

std::int64_t work_of(const QueryStats& stats) {
  return stats.node_pairs + stats.piece_pairs + stats.steps;
}

// A corner of the turning cube comes round many times before the cube is there: the profiles of both tell
// until nearly then, whatever the spin. Judged at the reported time, and by samples of the turns before it.
TEST(SlowScenes, fast_spin_that_hits) {
  const Shape cube(box({0.5, 0.5, 0.5}));
  const Vector3 axis = Vector3(1, 2, 3).normalized();
  for (const double spin : {1e6, 1e7, 1e8, 1e9}) {
    const RigidMotion motion = RigidMotion::with_velocity(at(-3, 0.4, 0), {6, 0, 0}, spin * axis);
    const FirstContactResult r = first_contact({cube, motion}, {cube});
    ASSERT_EQ(r.status, Status::Contact);
    EXPECT_LE(work_of(r.stats), 600'000) << spin;
    // A pose at this spin is off by its rounding: 1e9 radians to 1e-16.
    EXPECT_LE(r.distance, resolved_tolerance(cube, cube) + 1e-15 * spin);
    for (int k = 1; k <= 400; ++k) {
      const double t = r.time - k * 0.0173 * 2.0 * pi / spin;
      EXPECT_GT(distance({cube, motion.pose(t)}, {cube}).distance, 0.0) << spin << ' ' << k;
    }
  }
}

TEST(SlowScenes, thousand_turns_past_a_post) {
  const Shape bar(box({2, 0.05, 0.05})), post(box({0.1, 0.1, 1}));
  for (const double gap : {1e-1, 1e-2, 1e-3}) {
    const Body standing = {post, at(std::hypot(2.0, 0.05) + 0.1 + gap, 0, 0)};
    for (const double way : {0.0, 8.0}) {
      const Body turning = {
          bar, RigidMotion::with_velocity(at(0, -0.5 * way, 0), {0, way, 0}, {0, 0, 2000.0 * pi})};
      const FirstContactResult first = first_contact(turning, standing);
      EXPECT_EQ(first.status, Status::Separated);
      EXPECT_LE(work_of(first.stats), 400'000);
      const ClosestApproachResult closest = closest_approach(turning, standing);
      EXPECT_EQ(closest.status, Status::Separated);
      EXPECT_LE(work_of(closest.stats), 1'000'000);
      EXPECT_LE(closest.lower_distance, gap + 1e-9);
      EXPECT_GE(closest.distance, gap - 1e-9);
      EXPECT_NEAR(closest.distance, gap, way == 0.0 ? 1e-6 : 1e-4);
    }
  }
}

// A thousand turns and more past a cube: the closest approach is that of the profiles, which a drift of
// less than the tolerance per turn lets be reached. Judged by the sphere that a corner of the cube runs on.
TEST(SlowScenes, closest_approach_of_a_fast_spin) {
  const Shape cube(box({0.5, 0.5, 0.5}));
  const Vector3 axis = Vector3(1, 2, 3).normalized();
  for (const double spin : {1e3, 1e6, 1e8}) {
    const RigidMotion motion = RigidMotion::with_velocity(at(-3, 1.9, 0), {6, 0, 0}, spin * axis);
    const ClosestApproachResult r = closest_approach({cube, motion}, {cube});
    ASSERT_EQ(r.status, Status::Separated);
    EXPECT_LE(work_of(r.stats), 200'000) << spin;
    EXPECT_LE(r.distance - r.lower_distance, 2e-6 + 1e-14 * spin);
    EXPECT_NEAR(distance({cube, motion.pose(r.time)}, {cube}).distance, r.distance, 1e-6);
    EXPECT_NEAR(r.distance, 0.53841016, 2e-6);  // by samples of 10,000 turns, each followed to its minimum
    for (int k = 0; k < 3000; ++k) {
      const double t = 0.4 + 0.2 * k / 3000.0 + std::fmod(0.618 * k, 1.0) * 2.0 * pi / spin;
      EXPECT_GE(distance({cube, motion.pose(t)}, {cube}).distance, r.lower_distance) << spin << ' ' << k;
    }
  }
}

// Twenty faces cut in four again and again, every corner on the sphere.
TriangleMesh icosphere(double radius, int levels) {
  const double p = std::numbers::phi;
  TriangleMesh mesh;
  mesh.vertices = {{-1, p, 0},  {1, p, 0},  {-1, -p, 0}, {1, -p, 0}, {0, -1, p},  {0, 1, p},
                   {0, -1, -p}, {0, 1, -p}, {p, 0, -1},  {p, 0, 1},  {-p, 0, -1}, {-p, 0, 1}};
  mesh.faces = {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
                {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
  for (int level = 0; level < levels; ++level) {
    std::vector<Face> finer;
    const auto middle = [&](int i, int j) {
      mesh.vertices.push_back(0.5 * (mesh.vertices[i] + mesh.vertices[j]));
      return static_cast<int>(mesh.vertices.size()) - 1;
    };
    for (const Face& f : mesh.faces) {
      const int a = middle(f[0], f[1]), b = middle(f[1], f[2]), c = middle(f[2], f[0]);
      finer.insert(finer.end(), {Face{f[0], a, c}, Face{f[1], b, a}, Face{f[2], c, b}, Face{a, b, c}});
    }
    mesh.faces = finer;
  }
  for (Vector3& x : mesh.vertices) x *= radius / x.norm();
  return mesh;
}

// No corner of the inner shell is nearer to a face of the outer one than that face's plane is to the sphere.
TEST(SlowScenes, closest_approach_of_concentric_shells) {
  const TriangleMesh around = icosphere(1.0, 3);
  const Shape inner(icosphere(0.985, 3)), outer(around);
  double plane = 1.0;
  for (const Face& f : around.faces) {
    const Vector3 x = around.vertices[f[0]];
    const Vector3 n = (around.vertices[f[1]] - x).cross(around.vertices[f[2]] - x).normalized();
    plane = std::min(plane, std::abs(n.dot(x)));
  }
  const Vector3 axis = Vector3(1, 2, 3).normalized();
  for (const double turns : {1.0, 10.0}) {
    const RigidMotion motion = RigidMotion::with_velocity({}, {0, 0, 0}, turns * 2.0 * pi * axis);
    const ClosestApproachResult r = closest_approach({inner, motion}, {outer});
    ASSERT_EQ(r.status, Status::Separated);
    EXPECT_LE(work_of(r.stats), 1'500'000);
    EXPECT_GE(r.distance, plane - 0.985 - 1e-12);
    EXPECT_LE(r.distance, plane - 0.985 + 1e-5);
    EXPECT_LE(r.distance - r.lower_distance, 1e-6);
  }
}

// A wheel with teeth like waves, open at both ends.
TriangleMesh wheel(int teeth, double radius, double height) {
  TriangleMesh mesh;
  const int n = 8 * teeth, layers = 2;
  for (int l = 0; l <= layers; ++l) {
    for (int i = 0; i < n; ++i) {
      const double r = radius + height * std::cos(2.0 * pi * i / 8), a = 2.0 * pi * i / n;
      mesh.vertices.emplace_back(r * std::cos(a), r * std::sin(a), 0.5 * l - 0.5);
    }
  }
  for (int l = 0; l < layers; ++l) {
    for (int i = 0; i < n; ++i) {
      const int a = l * n + i, b = l * n + (i + 1) % n;
      mesh.faces.push_back({a, b, b + n});
      mesh.faces.push_back({a, b + n, a + n});
    }
  }
  return mesh;
}

// Two turns of two wheels, a tooth of one always in a gap of the other, with a clearance.
TEST(SlowScenes, meshing_gears) {
  const Shape gear(wheel(20, 1.0, 0.04));
  const Pose beside{Eigen::AngleAxisd(pi + pi / 20.0, Vector3::UnitZ()).toRotationMatrix(), {2.02, 0, 0}};
  const Body a{gear, RigidMotion::with_velocity({}, {0, 0, 0}, {0, 0, 4.0 * pi})};
  const Body b{gear, RigidMotion::with_velocity(beside, {0, 0, 0}, {0, 0, -4.0 * pi})};
  const FirstContactResult first = first_contact(a, b);
  EXPECT_EQ(first.status, Status::Separated);
  EXPECT_LE(work_of(first.stats), 500'000);
  const ClosestApproachResult closest = closest_approach(a, b);
  EXPECT_EQ(closest.status, Status::Separated);
  EXPECT_LE(work_of(closest.stats), 1'500'000);
  double least = 1.0;
  for (int k = 0; k <= 1000; ++k) {
    const double t = k / 1000.0;
    least = std::min(least, distance({gear, a.motion->pose(t)}, {gear, b.motion->pose(t)}).distance);
  }
  EXPECT_LE(closest.lower_distance, least);
  EXPECT_LE(closest.distance, least + 1e-9);
  EXPECT_GT(closest.lower_distance, closest.distance - 2e-6);
}

// A strip that winds like a thread.
TriangleMesh helix(double turns, double start) {
  TriangleMesh mesh;
  const int per_turn = 64, n = static_cast<int>(per_turn * turns);
  for (int i = 0; i <= n; ++i) {
    const double a = 2.0 * pi * i / per_turn, z = 0.2 * i / per_turn + start;
    for (const double r : {0.5, 1.0}) mesh.vertices.emplace_back(r * std::cos(a), r * std::sin(a), z);
  }
  for (int i = 0; i < n; ++i) {
    mesh.faces.push_back({2 * i, 2 * i + 1, 2 * i + 2});
    mesh.faces.push_back({2 * i + 1, 2 * i + 3, 2 * i + 2});
  }
  return mesh;
}

// Hundreds of thousands of places come as near as the nearest: the default budget ends with what is proven.
TEST(SlowScenes, a_strip_in_its_thread) {
  const Shape strip(helix(5, 0.0)), thread(helix(7, 0.1 - 0.2));
  const RigidMotion screw = RigidMotion::with_velocity({}, {0, 0, 0.2}, {0, 0, 2.0 * pi});
  const FirstContactResult first = first_contact({strip, screw}, {thread});
  EXPECT_EQ(first.status, Status::Separated);
  EXPECT_LE(work_of(first.stats), 500'000);
  const ClosestApproachResult closest = closest_approach({strip, screw}, {thread});
  EXPECT_EQ(closest.status, Status::OutOfBudget);
  EXPECT_LE(work_of(closest.stats), approach_limit + 100'000);
  EXPECT_GT(closest.lower_distance, 0.5 * closest.distance);
  double least = 1.0;
  for (int k = 0; k <= 200; ++k) {
    least = std::min(least, distance({strip, screw.pose(k / 200.0)}, {thread}).distance);
  }
  EXPECT_LE(closest.lower_distance, least);
  EXPECT_LE(closest.distance, least + 1e-6);
}

// Of these motions only speeds are known. The answer is right, and says how exactly it is known.
TEST(SlowScenes, closest_approach_by_speeds_alone) {
  const Shape cube(box({0.5, 0.5, 0.5}));
  struct Case {
    CustomMotion::PoseFunction pose;
    double speed, angular_speed, distance;
  };
  const std::vector<Case> cases = {
      {[](double t) { return at(0, t - 0.5, 1.5); }, 1.0, 0.0, 0.5},
      {[](double t) { return at(2.0 * std::cos(2.0 * pi * t), 2.0 * std::sin(2.0 * pi * t), 0); }, 4.0 * pi,
       0.0, 2.0 - std::sqrt(2.0)},
      {[](double t) {
         return Pose{Eigen::AngleAxisd(t, Vector3::UnitZ()).toRotationMatrix(),
                     {1.5 + 0.1 * std::sin(t), 0, 0}};
       },
       1.0, 1.0, -1.0}};
  for (const Case& c : cases) {
    CustomMotionBounds bounds;
    bounds.speed = c.speed;
    bounds.angular_speed = c.angular_speed;
    const CustomMotion motion(c.pose, bounds);
    const ClosestApproachResult r = closest_approach({cube, motion}, {cube});
    EXPECT_TRUE(r.status == Status::OutOfBudget || r.status == Status::Separated);
    EXPECT_LE(work_of(r.stats), speed_bound_limit + 100'000);
    EXPECT_GT(r.lower_distance, 0.98 * r.distance);
    EXPECT_LE(r.lower_distance, r.distance);
    double least = 1e9;
    for (int k = 0; k <= 2000; ++k) {
      least = std::min(least, distance({cube, c.pose(k / 2000.0)}, {cube}).distance);
    }
    EXPECT_LE(r.lower_distance, least);
    EXPECT_LE(r.distance, least + 1e-6);
    if (c.distance >= 0.0) {
      EXPECT_NEAR(r.distance, c.distance, 1e-5);
    }
    // Coarse tolerances are proven in full.
    const ClosestApproachResult coarse = closest_approach({cube, motion}, {cube}, {.tolerance = 0.01});
    EXPECT_EQ(coarse.status, Status::Separated);
    EXPECT_LE(coarse.distance - coarse.lower_distance, 0.01 + 1e-12);
    // A bound on accelerations proves the default tolerance.
    bounds.acceleration = 8.0 * pi * pi;
    bounds.angular_acceleration = 1.0;
    const ClosestApproachResult fine = closest_approach({cube, CustomMotion(c.pose, bounds)}, {cube});
    EXPECT_EQ(fine.status, Status::Separated);
    EXPECT_NEAR(fine.distance, r.distance, 1e-5);
  }
}

// Right, or refused with a reason: at every scale.
TEST(SlowScenes, every_scale) {
  int refused = 0, right = 0;
  for (int exponent = -320; exponent <= 300; exponent += 10) {
    const double s = std::pow(10.0, exponent);
    const Shape cube(box(Vector3(0.5, 0.5, 0.5) * s));
    for (const Vector3& spin : {Vector3(0, 0, 0), Vector3(0.1, 0.2, 3)}) {
      const Body hitting = {cube,
                            RigidMotion::with_velocity(at(0.1 * s, 0.2 * s, 3 * s), {0, 0, -3 * s}, spin)};
      const Body passing = {cube,
                            RigidMotion::with_velocity(at(0.1 * s, 1.8 * s, 3 * s), {0, 0, -3 * s}, spin)};
      const FirstContactResult hit = first_contact(hitting, {cube}), free = first_contact(passing, {cube});
      const ClosestApproachResult closest = closest_approach(passing, {cube});
      const ContactIntervalsResult intervals = contact_intervals(hitting, {cube});
      ContactSolver solver(cube, cube);
      const FirstContactResult solved = solver.first_contact(*hitting.motion, RigidMotion());
      EXPECT_EQ(solved.status, hit.status);
      if (hit.status == Status::Failed) {
        ++refused;
        EXPECT_GT(std::abs(exponent), 28);
        EXPECT_FALSE(hit.failure.empty());
        EXPECT_EQ(free.status, Status::Failed);
        EXPECT_EQ(closest.status, Status::Failed);
        EXPECT_EQ(intervals.status, Status::Failed);
        continue;
      }
      ++right;
      ASSERT_EQ(hit.status, Status::Contact) << exponent;
      EXPECT_NEAR(hit.time, spin.isZero() ? 2.0 / 3.0 : 0.646784, 1e-5);
      EXPECT_LE(hit.distance, 2e-6 * s);
      EXPECT_EQ(free.status, Status::Separated);
      EXPECT_EQ(closest.status, Status::Separated);
      EXPECT_NEAR(closest.distance / s, spin.isZero() ? 0.8 : 0.550048, 1e-5) << exponent;
      ASSERT_EQ(intervals.intervals.size(), 1u);
      EXPECT_NEAR(intervals.intervals[0].begin_lower, hit.time, 1e-5);
    }
  }
  EXPECT_GT(refused, 40);
  EXPECT_GT(right, 15);
}

// A body far away is as bad as a large one.
TEST(SlowScenes, too_far_away) {
  const Shape cube(box({0.5, 0.5, 0.5}));
  const FirstContactResult r = first_contact({cube, at(1e40, 0, 0)}, {cube});
  EXPECT_EQ(r.status, Status::Failed);
  EXPECT_NE(r.failure.find("farther than 1e+30"), std::string::npos) << r.failure;
}

}  // namespace
}  // namespace toccata
