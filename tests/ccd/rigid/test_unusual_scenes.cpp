// Scenes that are not usual: bodies of one point or one segment, duplicates, bodies that move alike, many
// turns, far away, tolerances of zero. Every method answers alike, and no query takes more work than it
// should.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "oracle/moving_bodies.hpp"
#include "toccata/ccd/rigid/closest_approach.hpp"
#include "toccata/ccd/rigid/contact_intervals.hpp"
#include "toccata/ccd/rigid/contact_solver.hpp"
#include "toccata/ccd/rigid/first_contact.hpp"
#include "toccata/motion/rigid_motion.hpp"

namespace toccata {
namespace {

using std::numbers::pi;

using oracle::box;
constexpr auto at = oracle::shifted;

std::int64_t work_of(const QueryStats& stats) {
  return stats.node_pairs + stats.piece_pairs + stats.steps;
}

struct Scene {
  std::string name;
  TriangleMesh a;
  RigidMotion motion_a;
  TriangleMesh b;
  RigidMotion motion_b;
  double time;      // of first contact; 2: apart
  double distance;  // the smallest; 0 where they touch
};

RigidMotion moving(const Pose& pose, const Vector3& v, const Vector3& w,
                   const Vector3& reference = Vector3::Zero()) {
  return RigidMotion::with_velocity(pose, v, w, reference);
}

std::vector<Scene> scenes() {
  const Vector3 none = Vector3::Zero(), far(1e6, 1e6, 1e6);
  const TriangleMesh point{{none, none, none}, {{0, 1, 2}}}, corner{{none}, {{0, 0, 0}}},
      segment{{{-1, 0, 0}, {1, 0, 0}}, {{0, 1, 1}}}, line{{{-1, 0, 0}, {1, 0, 0}, {0, 0, 0}}, {{0, 1, 2}}},
      triangle{{{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}}, {{0, 1, 2}}};
  const TriangleMesh cube = box({1, 1, 1});
  TriangleMesh fivefold = cube;
  for (int i = 0; i < 48; ++i) fivefold.faces.push_back(cube.faces[static_cast<std::size_t>(i % 12)]);
  const auto scaled = [](TriangleMesh mesh, double scale) {
    for (Vector3& v : mesh.vertices) v *= scale;
    return mesh;
  };
  std::vector<Scene> list = {
      {"point on point", point, moving(at(-2, 0, 0), {4, 0, 0}, none), corner, {}, 0.5, 0.0},
      {"point past point", point, moving(at(-2, 1e-3, 0), {4, 0, 0}, none), corner, {}, 2.0, 1e-3},
      {"point through triangle", point, moving(at(0, 0, -2), {0, 0, 4}, {1, 2, 3}), triangle, {}, 0.5, 0.0},
      {"segment on segment", segment, moving(at(0, 0, -2), {0, 0, 4}, {0, 0, 20}), line, {}, 0.5, 0.0},
      {"segment along segment", segment, moving(at(-5, 0, 0), {10, 0, 0}, none), line, {}, 0.3, 0.0},
      {"segment edge-on", segment, moving(at(-5, 0, 0), {10, 0, 0}, none), triangle, {}, 0.35, 0.0},
      {"triangles in one plane",
       triangle,
       moving(at(-5, 0.1, 0), {10, 0, 0}, none),
       triangle,
       {},
       0.305,
       0.0},
      {"triangle on point", triangle, moving(at(0, 0, -5), {0, 0, 10}, none), corner, {}, 0.5, 0.0},
      {"duplicates", fivefold, moving(at(0.1, 0.2, 5), {0, 0, -5}, none), fivefold, {}, 0.6, 0.0},
      {"tiny on large",
       scaled(cube, 1e-6),
       moving(at(0.3, 0.2, 5), {0, 0, -10}, none),
       cube,
       {},
       0.4 - 1e-7,
       0.0},
      {"far poses", cube, moving({Matrix3::Identity(), far + Vector3(0, 0, 5)}, {0, 0, -5}, none), cube,
       RigidMotion::fixed({Matrix3::Identity(), far}), 0.6, 0.0},
      {"far meshes",
       box({1, 1, 1}, far),
       moving(at(0, 0, 5), {0, 0, -5}, none),
       box({1, 1, 1}, far),
       {},
       0.6,
       0.0},
      {"moved alike", cube, moving(at(0, 0, 2.5), {3, 2, 1}, {0, 0, 20}), cube,
       moving({}, {3, 2, 1}, {0, 0, 20}), 2.0, 0.5},
      {"carried alike", cube, moving(at(0, 0, 2.0001), {3, 2, 1}, {5, 6, 7}, {0, 0, -2.0001}), cube,
       moving({}, {3, 2, 1}, {5, 6, 7}), 2.0, 1e-4},
      {"carried alike, nearly", cube, moving(at(0, 0, 2.01), {3, 2, 1}, {5, 6, 7 + 1e-9}, {0, 0, -2.01}),
       cube, moving({}, {3, 2, 1}, {5, 6, 7}), 2.0, 0.01},
      {"still", cube, moving(at(2.5, 0, 0), none, none), cube, {}, 2.0, 0.5},
      {"still and touching", cube, moving(at(2, 0, 0), none, none), cube, {}, 0.0, 0.0},
      {"ten turns beside",
       cube,
       moving(at(4, 0, 0), none, {0, 0, 20 * pi}),
       cube,
       {},
       2.0,
       3.0 - std::sqrt(2.0)},
  };
  for (const double s : {1e-6, 1e-3, 1e3, 1e6}) {
    list.push_back({"scale " + std::to_string(s),
                    scaled(cube, s),
                    moving(at(0, 0, 5 * s), {0, 0, -5 * s}, none),
                    scaled(cube, s),
                    {},
                    0.6,
                    0.0});
  }
  return list;
}

TEST(UnusualScenes, every_method_answers_in_little_work) {
  for (const Scene& scene : scenes()) {
    const Shape a(scene.a), b(scene.b);
    for (const RigidMethod method :
         {RigidMethod::Advancement, RigidMethod::Controlled, RigidMethod::Interval, RigidMethod::Screw}) {
      SCOPED_TRACE(scene.name + ", method " + std::to_string(static_cast<int>(method)));
      FirstContactOptions options;
      options.method = method;
      options.budget = 200000;
      const FirstContactResult r = first_contact({a, scene.motion_a}, {b, scene.motion_b}, options);
      const FirstContactResult swapped = first_contact({b, scene.motion_b}, {a, scene.motion_a}, options);
      const Status expected = scene.time > 1.0    ? Status::Separated
                              : scene.time == 0.0 ? Status::OverlapAtStart
                                                  : Status::Contact;
      EXPECT_EQ(r.status, expected);
      EXPECT_EQ(swapped.status, expected);
      EXPECT_EQ(r.time, swapped.time);
      EXPECT_TRUE(r.contact.point_a.allFinite() && r.contact.normal.allFinite());
      if (scene.time <= 1.0) {
        EXPECT_NEAR(r.time, scene.time, 2e-6);
        EXPECT_LE(r.time, scene.time + 1e-9);
      }
    }
  }
}

TEST(UnusualScenes, clearance_and_intervals_in_little_work) {
  for (const Scene& scene : scenes()) {
    SCOPED_TRACE(scene.name);
    const Shape a(scene.a), b(scene.b);
    ContactIntervalsOptions options;
    options.budget = 200000;
    const ContactIntervalsResult c = contact_intervals({a, scene.motion_a}, {b, scene.motion_b}, options);
    EXPECT_EQ(c.intervals.size(), scene.time > 1.0 ? 0u : c.intervals.size());
    EXPECT_NE(c.status, Status::OutOfBudget);
    const ClosestApproachResult r = closest_approach({a, scene.motion_a}, {b, scene.motion_b});
    EXPECT_LE(work_of(r.stats), 200000);
    EXPECT_NEAR(r.distance, scene.distance,
                1e-9 * std::max(1.0, scene.distance) + 1e-6 * (scene.time <= 1.0));
    EXPECT_LE(r.lower_distance, r.distance);
  }
}

// The edges of a turning cube pass a face forty times, as near as a few tolerances: the far ends of its
// triangles close in fast, and must not count as if they were near.
TEST(UnusualScenes, edges_that_pass_a_face_many_times) {
  const Shape cube(box({1, 1, 1}));
  for (const double gap : {1e-1, 1e-3, 1e-5}) {
    const RigidMotion turns = moving(at(std::sqrt(2.0) + 1.0 + gap, 0, 0), Vector3::Zero(), {0, 0, 20 * pi});
    const FirstContactResult r = first_contact({cube, turns}, {cube, RigidMotion()});
    EXPECT_EQ(r.status, Status::Separated) << gap;
    EXPECT_LE(work_of(r.stats), 100000) << gap;
    const ClosestApproachResult c = closest_approach({cube, turns}, {cube, RigidMotion()});
    EXPECT_NEAR(c.distance, gap, 2e-6) << gap;
    EXPECT_LE(work_of(c.stats), 200000) << gap;
    for (const RigidMethod method : {RigidMethod::Controlled, RigidMethod::Interval, RigidMethod::Screw}) {
      FirstContactOptions options;
      options.method = method;
      options.budget = 3000000;
      EXPECT_EQ(first_contact({cube, turns}, {cube, RigidMotion()}, options).status, Status::Separated)
          << gap << ' ' << static_cast<int>(method);
    }
  }
}

// Cubes that meet face to face, corner on corner or shifted: the normal is about that of the faces.
TEST(UnusualScenes, the_normal_of_faces_that_meet) {
  const Shape cube(box({1, 1, 1}));
  for (const Vector3& shift : {Vector3(0, 0, 0), Vector3(0, 0.3, 0.2)}) {
    for (const double sense : {1.0, -1.0}) {
      const RigidMotion push = moving({Matrix3::Identity(), shift + Vector3(5 * sense, 0, 0)},
                                      {-5 * sense, 0, 0}, Vector3::Zero());
      const FirstContactResult r = first_contact({cube, push}, {cube, RigidMotion()});
      ASSERT_EQ(r.status, Status::Contact);
      EXPECT_NEAR(r.contact.normal.x(), -sense, 0.05) << shift.transpose();
    }
  }
}

const RigidMethod every_method[] = {RigidMethod::Advancement, RigidMethod::Controlled, RigidMethod::Interval,
                                    RigidMethod::Screw};

// Motions that are not finite numbers: nothing is proven, nothing is NaN, and nothing hangs.
TEST(UnusualScenes, motions_that_are_not_finite) {
  const Shape cube(box({1, 1, 1}));
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  Pose bent = at(0, 0, 3);
  bent.rotation(1, 2) = nan;
  for (const RigidMotion& bad :
       {RigidMotion(at(nan, 0, 3), at(0, 0, 0)), RigidMotion(at(0, 0, 3), at(0, nan, 0)),
        RigidMotion(at(0, inf, 3), at(0, 0, 0)), RigidMotion(bent, at(0, 0, 0)), RigidMotion::fixed(bent),
        moving(at(0, 0, 3), {0, 0, inf}, Vector3::Zero())}) {
    for (const RigidMethod method : every_method) {
      FirstContactOptions options;
      options.method = method;
      for (const bool first : {true, false}) {
        const FirstContactResult r = first ? first_contact({cube, bad}, {cube, RigidMotion()}, options)
                                           : first_contact({cube, RigidMotion()}, {cube, bad}, options);
        EXPECT_EQ(r.status, Status::Failed);
        EXPECT_NE(r.failure.find(first ? "first body is not finite" : "second body is not finite"),
                  std::string::npos);
        EXPECT_EQ(r.lower, 0.0);
        EXPECT_TRUE(r.pose_a.translation.allFinite() && r.pose_b.translation.allFinite());
      }
    }
    const ClosestApproachResult c = closest_approach({cube, bad}, {cube, RigidMotion()});
    EXPECT_EQ(c.status, Status::Failed);
    EXPECT_EQ(c.lower_distance, 0.0);
    const ContactIntervalsResult i = contact_intervals({cube, bad}, {cube, RigidMotion()});
    EXPECT_EQ(i.status, Status::Failed);
    EXPECT_EQ(i.proven_until, 0.0);
  }
  // A motion that fails on the way, and with a clean start and end.
  const CustomMotion gap([&](double t) { return at(0, 0, t > 0.3 && t < 0.7 ? nan : 3.0); },
                         CustomMotionBounds{.speed = 1.0, .angular_speed = 0.0, .pose_error = {}});
  for (const RigidMethod method : every_method) {
    FirstContactOptions options;
    options.method = method;
    options.budget = 100000;
    first_contact({cube, gap}, {cube, RigidMotion()}, options);  // it ends
  }
}

// A motion known by its poses and by bounds on its speed and accelerations, loose ones, slides past at a
// small gap, and in contact.
TEST(UnusualScenes, a_custom_motion_with_bounds_on_accelerations) {
  const Shape cube(box({1, 1, 1})), plate(box({10, 10, 1}));
  const RigidMotion rest;
  CustomMotionBounds bounds{.speed = 16.0, .angular_speed = 0.0, .pose_error = {1e-15, 1e-15}};
  bounds.acceleration = 100.0;
  bounds.angular_acceleration = 0.0;
  for (const double gap : {1e-1, 1e-3, 1e-5}) {
    const CustomMotion slide([&](double t) { return at(-8.0 + 16.0 * t, 0, 2.0 + gap); }, bounds);
    for (const RigidMethod method : every_method) {
      FirstContactOptions options;
      options.method = method;
      const FirstContactResult r = first_contact({cube, slide}, {plate, rest}, options);
      EXPECT_EQ(r.status, Status::Separated) << gap;
      EXPECT_LE(work_of(r.stats), 400000) << gap << ' ' << static_cast<int>(method);
    }
    const ClosestApproachResult c = closest_approach({cube, slide}, {plate, rest});
    EXPECT_NEAR(c.distance, gap, 1e-12);
    EXPECT_LE(c.distance - c.lower_distance, 1.8e-6);
    EXPECT_LE(work_of(c.stats), 1000000) << gap;
  }
  const CustomMotion rub([&](double t) { return at(-8.0 + 16.0 * t, 0, 2.0); }, bounds);
  const ContactIntervalsResult i = contact_intervals({cube, rub}, {plate, rest});
  ASSERT_EQ(i.intervals.size(), 1u);
  EXPECT_EQ(i.intervals[0].end_upper, 1.0);
  EXPECT_LE(work_of(i.stats), 300000);
}

TEST(UnusualScenes, nothing_to_touch) {
  const Shape cube(box({1, 1, 1})), nothing{TriangleMesh{}};
  for (const RigidMethod method : every_method) {
    FirstContactOptions options;
    options.method = method;
    EXPECT_EQ(first_contact({nothing, RigidMotion()}, {cube, RigidMotion()}, options).status,
              Status::Separated);
    EXPECT_EQ(first_contact({nothing, RigidMotion()}, {nothing, RigidMotion()}, options).status,
              Status::Separated);
  }
  EXPECT_EQ(closest_approach({nothing, RigidMotion()}, {cube, RigidMotion()}).status, Status::Separated);
  EXPECT_EQ(closest_approach({cube, RigidMotion()}, {nothing, RigidMotion()}).distance,
            std::numeric_limits<double>::infinity());
  EXPECT_TRUE(contact_intervals({cube, RigidMotion()}, {nothing, RigidMotion()}).intervals.empty());
}

// Where rounding is larger than the tolerance no shorter step helps: a trillion units from the origin.
TEST(UnusualScenes, a_trillion_units_away) {
  const Shape cube(box({1, 1, 1}));
  const Pose there = at(1e12, 0, 0);
  const Matrix3 turn = Eigen::AngleAxisd(1.0, Vector3::UnitZ()).toRotationMatrix();
  const RigidMotion rest = RigidMotion::fixed(there);
  const RigidMotion fall(at(1e12, 0, 6), there);
  const ScrewMotion screw(at(1e12, 0, 6), {turn, there.translation});
  for (const Motion* motion : {static_cast<const Motion*>(&fall), static_cast<const Motion*>(&screw)}) {
    for (const RigidMethod method : every_method) {
      FirstContactOptions options;
      options.method = method;
      const FirstContactResult r =
          first_contact({cube, OwnedMotion::borrowed(*motion)}, {cube, rest}, options);
      EXPECT_EQ(r.status, Status::Contact);
      EXPECT_LE(r.time, 4.0 / 6.0);
      EXPECT_NEAR(r.time, 4.0 / 6.0, 0.01);
      EXPECT_LE(work_of(r.stats), 100000) << static_cast<int>(method);
    }
  }
}

// A tolerance of zero ends, and as near as rounding allows.
TEST(UnusualScenes, tolerance_zero) {
  const Shape cube(box({1, 1, 1}));
  const RigidMotion pass = moving(at(-4, 0, 2.25), {8, 0, 0}, Vector3::Zero());
  ClosestApproachOptions options;
  options.tolerance = 0.0;
  const ClosestApproachResult r = closest_approach({cube, pass}, {cube, RigidMotion()}, options);
  EXPECT_EQ(r.status, Status::Separated);
  EXPECT_NEAR(r.distance, 0.25, 1e-12);
  EXPECT_GT(r.lower_distance, 0.25 - 1e-10);
  EXPECT_LE(work_of(r.stats), 300000);
  for (const RigidMethod method : every_method) {
    FirstContactOptions exact;
    exact.tolerance = 0.0;
    exact.method = method;
    exact.budget = 200000;
    const FirstContactResult hit = first_contact({cube, moving(at(0.1, 0.2, 5), {0, 0, -5}, Vector3::Zero())},
                                                 {cube, RigidMotion()}, exact);
    EXPECT_EQ(hit.status, Status::Contact) << static_cast<int>(method);
    EXPECT_NEAR(hit.time, 0.6, 1e-9) << static_cast<int>(method);
    EXPECT_LE(hit.time, 0.6 + 1e-12) << static_cast<int>(method);
  }
}

}  // namespace
}  // namespace toccata
