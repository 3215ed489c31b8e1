// The four methods behind first_contact answer alike, and none of them late.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "ccd/rigid/screw/screw_equation.hpp"
#include "ccd/rigid/screw/screw_segment.hpp"
#include "effort.hpp"
#include "oracle/moving_bodies.hpp"
#include "oracle/rigid_oracle.hpp"
#include "toccata/base/random.hpp"
#include "toccata/bound/obb.hpp"
#include "toccata/ccd/rigid/closest_approach.hpp"
#include "toccata/ccd/rigid/contact_intervals.hpp"
#include "toccata/ccd/rigid/contact_solver.hpp"
#include "toccata/ccd/rigid/first_contact.hpp"
#include "toccata/elementary/triangle_triangle.hpp"
#include "toccata/io/mesh_io.hpp"
#include "toccata/motion/rigid_motion.hpp"

namespace toccata {

using namespace screw;

namespace {

TriangleMesh random_soup(Random& random, int count, double size) {
  TriangleMesh mesh;
  for (int i = 0; i < count; ++i) {
    const Vector3 middle = random.in_box(0.5);
    for (int k = 0; k < 3; ++k) mesh.vertices.push_back(middle + size * random.in_box(1.0));
    mesh.faces.push_back({3 * i, 3 * i + 1, i % 7 == 3 ? 3 * i : 3 * i + 2});  // some are segments
  }
  return mesh;
}

using oracle::random_pose;

double distance_at(const Shape& a, const Pose& pose_a, const Shape& b, const Pose& pose_b) {
  double distance = INFINITY;
  for (std::size_t i = 0; i < a.mesh().faces.size(); ++i) {
    const Triangle ta = transformed(pose_a, triangle_of(a.mesh(), i));
    for (std::size_t j = 0; j < b.mesh().faces.size(); ++j) {
      distance = std::min(
          distance,
          triangle_triangle_distance(ta, transformed(pose_b, triangle_of(b.mesh(), j)), distance).distance);
    }
  }
  return distance;
}

constexpr std::array<RigidMethod, 3> others = {RigidMethod::Controlled, RigidMethod::Interval,
                                               RigidMethod::Screw};

void expect_agreement(const Shape& a, const Motion& ma, const Shape& b, const Motion& mb,
                      double minimum_distance, int trial) {
  FirstContactOptions options;
  options.tolerance = 1e-5;
  options.minimum_distance = minimum_distance;
  const FirstContactResult reference =
      first_contact({a, OwnedMotion::borrowed(ma)}, {b, OwnedMotion::borrowed(mb)}, options);
  for (const RigidMethod method : others) {
    SCOPED_TRACE(testing::Message() << "trial " << trial << " method " << static_cast<int>(method));
    options.method = method;
    const FirstContactResult result =
        first_contact({a, OwnedMotion::borrowed(ma)}, {b, OwnedMotion::borrowed(mb)}, options);
    // Between the tolerance and touching the methods may differ: a grazing pass within it.
    if (result.status != reference.status) {
      const FirstContactResult& touching = result.status == Status::Separated ? reference : result;
      EXPECT_GT(touching.distance, minimum_distance + 0.0);
      EXPECT_LE(touching.distance, minimum_distance + 1.001e-5);
      continue;
    }
    if (result.status != Status::Contact) continue;
    // Each is at most the tolerance away at its own time, so the later of the two was reached by a closing
    // pair: the distance at either time is within the tolerance of contact.
    EXPECT_LE(distance_at(a, result.pose_a, b, result.pose_b), minimum_distance + 1.001e-5);
    const double earlier = std::min(result.time, reference.time);
    EXPECT_LE(distance_at(a, ma.pose(earlier), b, mb.pose(earlier)), minimum_distance + 1.001e-5);
    EXPECT_NEAR(result.time, reference.time, 2e-3);
    // Not late: free of contact before it.
    for (int k = 1; k <= 4; ++k) {
      const double t = result.time * k / 5.0;
      EXPECT_GT(distance_at(a, ma.pose(t), b, mb.pose(t)), minimum_distance);
    }
  }
}

TEST(Methods, agree_on_linear_motions) {
  Random random(1);
  for (int trial = 0; trial < with_effort(40); ++trial) {
    const Shape a(random_soup(random, 1 + trial % 8, 0.3)), b(random_soup(random, 1 + trial % 5, 0.3));
    const Pose from = {random_pose(random, 0.0).rotation, 2.5 * random.on_sphere()};
    const Pose to = {random_pose(random, 0.0).rotation,
                     Vector3(-0.5 * from.translation + random.in_box(1.0))};
    expect_agreement(a, RigidMotion(from, to), b, RigidMotion::fixed(random_pose(random, 0.1)), 0.0, trial);
    if (HasFailure()) return;
  }
}

TEST(Methods, agree_on_screws_and_moving_pairs) {
  Random random(2);
  for (int trial = 0; trial < with_effort(30); ++trial) {
    const Shape a(random_soup(random, 1 + trial % 8, 0.3)), b(random_soup(random, 1 + trial % 5, 0.3));
    const Pose from = {random_pose(random, 0.0).rotation, 2.5 * random.on_sphere()};
    const Pose to = {random_pose(random, 0.0).rotation,
                     Vector3(-0.5 * from.translation + random.in_box(1.0))};
    const ScrewMotion screw(from, to);
    if (trial % 2 == 0) {
      expect_agreement(a, screw, b, RigidMotion::fixed({}), 0.0, trial);
    } else {
      expect_agreement(a, screw, b, RigidMotion(random_pose(random, 0.1), random_pose(random, 0.2)), 0.0,
                       trial);
    }
    if (HasFailure()) return;
  }
}

TEST(Methods, agree_with_a_minimum_distance_and_on_translations) {
  Random random(3);
  for (int trial = 0; trial < with_effort(15); ++trial) {
    const Shape a(random_soup(random, 1 + trial % 4, 0.3)), b(random_soup(random, 1 + trial % 5, 0.3));
    const Pose from = {random_pose(random, 0.0).rotation, 2.5 * random.on_sphere()};
    const Pose to = {from.rotation, Vector3(-from.translation + random.in_box(1.0))};
    expect_agreement(a, RigidMotion(from, to), b, RigidMotion::fixed({}), trial % 2 == 0 ? 0.0 : 0.05, trial);
    if (HasFailure()) return;
  }
}

TEST(Methods, the_screw_method_rejects_features_before_it_solves) {
  Random random(4);
  QueryStats sum;
  FirstContactOptions options;
  options.method = RigidMethod::Screw;
  for (int trial = 0; trial < 30; ++trial) {
    const Shape a(random_soup(random, 40, 0.2)), b(random_soup(random, 40, 0.2));
    const Pose from = {random_pose(random, 0.0).rotation, 2.5 * random.on_sphere()};
    const Pose to = {random_pose(random, 0.0).rotation, random.in_box(0.5)};
    const QueryStats stats =
        first_contact({a, ScrewMotion(from, to)}, {b, RigidMotion::fixed({})}, options).stats;
    EXPECT_LE(stats.rejected_feature_pairs, stats.feature_pairs);
    sum.feature_pairs += stats.feature_pairs;
    sum.rejected_feature_pairs += stats.rejected_feature_pairs;
  }
  EXPECT_GT(sum.feature_pairs, 1000);
  EXPECT_GT(sum.rejected_feature_pairs, sum.feature_pairs / 3);
  EXPECT_LT(sum.rejected_feature_pairs, sum.feature_pairs);
}

std::unique_ptr<Motion> swinging_motion(Random& random, double reach) {
  // Swings to and fro: velocities that are known, accelerations that are only bounded.
  const Vector3 axis = random.on_sphere(), way = random.in_box(reach);
  const Pose start = random_pose(random, reach);
  const auto pose = [=](double t) {
    const double swing = std::sin(4.0 * t);
    return Pose{Eigen::AngleAxisd(swing, axis).toRotationMatrix() * start.rotation,
                start.translation + swing * way};
  };
  const double travel = 4.0 * way.norm(), scale = start.translation.norm() + way.norm();
  return std::make_unique<CustomMotion>(
      pose,
      [=](double t, double) {
        MotionExpansion e;
        e.center = pose(t).translation;
        e.velocity = 4.0 * std::cos(4.0 * t) * way;
        e.angular_velocity = 4.0 * std::cos(4.0 * t) * axis;
        e.speed_slack = 1e-13 * (travel + scale);
        e.spin_slack = 1e-13;
        e.acceleration = 4.0 * travel;
        e.spin_acceleration = 16.0 + 16.0 * 1.01;
        return e;
      },
      PoseError{1e-14 * scale, 1e-14});
}

std::unique_ptr<Motion> any_motion(Random& random, double reach) {
  return random.integer(0, 6) == 0 ? swinging_motion(random, reach) : oracle::random_motion(random, reach);
}

// Every method, any two motions, scales from 1e-6 to 1e6: no contact that sampling shows is missed or late,
// and at the reported time the bodies are within the tolerance.
TEST(Methods, never_miss_and_are_never_late) {
  Random random(6);
  for (int trial = 0; trial < with_effort(150); ++trial) {
    const double scale = trial % 4 == 0 ? std::pow(10.0, random.uniform(-6, 6)) : 1.0;
    TriangleMesh mesh_a = random_soup(random, 1 + trial % 6, 0.6),
                 mesh_b = random_soup(random, 1 + trial % 5, 0.6);
    for (TriangleMesh* mesh : {&mesh_a, &mesh_b}) {
      for (Vector3& v : mesh->vertices) v *= scale;
    }
    const auto motion_a = any_motion(random, 1.5 * scale), motion_b = any_motion(random, 1.5 * scale);
    const Shape a(mesh_a), b(mesh_b);
    const double upper = oracle::first_contact_upper(
        mesh_a, [&](double t) { return motion_a->pose(t); }, mesh_b,
        [&](double t) { return motion_b->pose(t); }, 60);
    for (const RigidMethod method : others) {
      SCOPED_TRACE(testing::Message() << "trial " << trial << " method " << static_cast<int>(method));
      FirstContactOptions options;
      options.relative_tolerance = 1e-5;
      options.method = method;
      const FirstContactResult r = first_contact({a, OwnedMotion::borrowed(*motion_a)},
                                                 {b, OwnedMotion::borrowed(*motion_b)}, options);
      const bool hit = r.status == Status::Contact || r.status == Status::OverlapAtStart;
      if (upper <= 1.0) {
        ASSERT_TRUE(hit);
        ASSERT_LE(r.time, upper);
      }
      if (!hit) continue;
      ASSERT_LE(oracle::mesh_distance(mesh_a, motion_a->pose(r.time), mesh_b, motion_b->pose(r.time)),
                resolved_tolerance(a, b, options.tolerance, options.relative_tolerance) + 1e-11 * scale);
    }
  }
}

// The two advancements, each on its own trees and bounds: the same ending, times within the tolerance's
// reach.
TEST(Methods, controlled_agrees_with_advancement) {
  Random random(8);
  int contacts = 0;
  for (int trial = 0; trial < with_effort(100); ++trial) {
    const Shape a(random_soup(random, 1 + trial % 40, 0.4)), b(random_soup(random, 1 + trial % 30, 0.4));
    const auto motion_a = any_motion(random, 2.0), motion_b = any_motion(random, 2.0);
    FirstContactOptions options;
    options.tolerance = 1e-6;
    options.minimum_distance = trial % 5 == 0 ? 0.05 : 0.0;
    const FirstContactResult expected =
        first_contact({a, OwnedMotion::borrowed(*motion_a)}, {b, OwnedMotion::borrowed(*motion_b)}, options);
    options.method = RigidMethod::Controlled;
    const FirstContactResult r =
        first_contact({a, OwnedMotion::borrowed(*motion_a)}, {b, OwnedMotion::borrowed(*motion_b)}, options);
    const double reach = options.minimum_distance + *options.tolerance;
    const auto distance = [&](double t) { return distance_at(a, motion_a->pose(t), b, motion_b->pose(t)); };
    if (r.status != expected.status) {
      // Only where they pass between the minimum distance and the tolerance beyond it.
      const double t = std::min(r.time, expected.time);
      ASSERT_LE(distance(t), reach + 1e-11) << trial;
      ASSERT_GE(distance(t), options.minimum_distance - 1e-11) << trial;
      continue;
    }
    if (r.status == Status::Separated) continue;
    ++contacts;
    ASSERT_LE(distance(r.time), reach + 1e-11) << trial;
    // Whichever is earlier: between the two times they are within the tolerance, not closer.
    const double first = std::min(r.time, expected.time), last = std::max(r.time, expected.time);
    for (int k = 0; k < 4; ++k) {
      const double t = first + (last - first) * k / 4.0;
      ASSERT_GE(distance(t), t == 0.0 ? 0.0 : options.minimum_distance - 1e-11) << trial;
    }
  }
  EXPECT_GT(contacts, with_effort(100) / 5);
}

// The public trials with certified truth, every third of them.
TEST(Methods, match_the_certified_truth) {
  const std::string base = std::string(TOCCATA_SHARED_DATA) + "/rigid/gear";
  std::ifstream lines(base + "_trials.txt"), truth(base + "_gt.txt");
  if (!lines || !truth) GTEST_SKIP() << "shared data not present";
  const Shape shape(load_mesh(base + ".obj").value());
  int contacts = 0;
  for (int trial = 0;; ++trial) {
    std::array<Pose, 2> ends;
    for (Pose& pose : ends) {
      for (int i = 0; i < 9; ++i) lines >> pose.rotation(i / 3, i % 3);
      for (int i = 0; i < 3; ++i) lines >> pose.translation[i];
    }
    double time = 0, lower = 0, upper = 0, nearest = 0;
    if (!lines || !(truth >> time >> lower >> upper >> nearest)) break;
    if (trial % 3 != 0) continue;
    for (const RigidMethod method : others) {
      SCOPED_TRACE(testing::Message() << "trial " << trial << " method " << static_cast<int>(method));
      FirstContactOptions options;
      options.method = method;
      const FirstContactResult r =
          first_contact({shape, RigidMotion(ends[0], ends[1])}, {shape, RigidMotion()}, options);
      ASSERT_EQ(r.status == Status::Contact, time >= 0.0);
      if (time < 0.0) continue;
      ++contacts;
      ASSERT_LE(r.time, upper);
      ASSERT_LE(r.distance, resolved_tolerance(shape, shape));
    }
  }
  EXPECT_GT(contacts, 100);
}

// Prepared before, by many threads at once or not at all: the same answers.
TEST(Methods, prepared_shapes_answer_alike) {
  Random random(9);
  const TriangleMesh mesh = random_soup(random, 300, 0.1);
  const RigidMotion motion({Matrix3::Identity(), Vector3(3, 0.1, 0)},
                           {random_pose(random, 0.0).rotation, Vector3(-1, 0, 0)});
  for (const RigidMethod method :
       {RigidMethod::Advancement, RigidMethod::Controlled, RigidMethod::Interval, RigidMethod::Screw}) {
    FirstContactOptions options;
    options.method = method;
    const Shape plain(mesh), prepared(mesh);
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) threads.emplace_back([&] { prepare(prepared, method); });
    for (std::thread& thread : threads) thread.join();
    const FirstContactResult expected = first_contact({plain, motion}, {plain, RigidMotion()}, options);
    const FirstContactResult r = first_contact({prepared, motion}, {prepared, RigidMotion()}, options);
    EXPECT_EQ(expected.status, Status::Contact);
    EXPECT_EQ(r.time, expected.time);
    EXPECT_EQ(r.contact.feature_a.part, expected.contact.feature_a.part);
  }
}

// Bounds about an axis: whatever is inside moves along the screw and must meet only inside the window.
TEST(ScrewSegment, windows_hold_every_meeting) {
  Random random(7);
  int meetings = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    ScrewSegment s;
    s.begin = 0.0;
    s.end = 1.0;
    s.angle = trial % 7 == 0 ? 0.0 : random.uniform(1e-6, trial % 3 == 0 ? 6.0 : 1.5);
    s.slide = random.uniform(-1.0, 1.0);
    const Triangle a = {random.in_box(1.0), random.in_box(1.0), random.in_box(1.0)};
    const double margin = trial % 2 == 0 ? 0.0 : 0.05;
    const TriangleBounds bounds = triangle_bounds(s, a, margin);
    for (int k = 0; k < 40; ++k) {
      // A point of the triangle, within the margin, carried to time share, is a point that is met there.
      double w0 = random.unit(), w1 = random.unit();
      const int kind = random.integer(0, 2);
      const AxisBounds* part = &bounds.all;
      if (kind == 1) {  // on an edge
        w1 = 1.0 - w0;
        part = &bounds.edge[0];
      } else if (kind == 2) {
        w0 = 1.0;
        w1 = 0.0;
        part = &bounds.corner[0];
      } else if (w0 + w1 > 1.0) {
        w0 = 1.0 - w0;
        w1 = 1.0 - w1;
      }
      const Vector3 p = w0 * a[0] + w1 * a[1] + (1.0 - w0 - w1) * a[2] + 0.999 * margin * random.on_sphere();
      const double share = random.unit(), c = std::cos(s.angle * share), d = std::sin(s.angle * share);
      const Vector3 there(c * p.x() - d * p.y(), d * p.x() + c * p.y(), p.z() + share * s.slide);
      const MeetingWindow window = meeting_window(s, *part, axis_bounds(s, there, 1e-13));
      ASSERT_LE(window.begin, share + 1e-12) << trial;
      ASSERT_GE(window.end, share - 1e-12) << trial;
      ++meetings;
      // The same as a box around all of the triangle.
      const Obb box = fit<Obb>(a);
      const AxisBounds around = axis_bounds(s, Pose(), box.center, box.axes, box.half, margin);
      const MeetingWindow wider = meeting_window(s, around, axis_bounds(s, there, 1e-13));
      ASSERT_LE(wider.begin, share + 1e-12) << trial;
      ASSERT_GE(wider.end, share - 1e-12) << trial;
    }
  }
  EXPECT_EQ(meetings, 120000);
}

TEST(ScrewEquation, no_root_is_jumped_over) {
  Random random(5);
  int with_root = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    ScrewEquation e;
    for (double& k : e.k) k = random.uniform(-1.0, 1.0);
    e.angle = random.uniform(-6.0, 6.0);
    e.band = trial % 3 == 0 ? 1e-6 : 1e-12;
    const auto f = [&](double t) {
      return e.k[0] + e.k[5] * t + (e.k[1] + e.k[3] * t) * std::cos(e.angle * t) +
             (e.k[2] + e.k[4] * t) * std::sin(e.angle * t);
    };
    const double root = first_root_lower(e);
    const bool positive = f(0.0) > 0.0;
    for (int i = 0; i <= 200; ++i) {
      const double until = std::min(1.0, root);
      if (until > 1e-9) {
        ASSERT_EQ(f(std::min(until * i / 200.0, until * (1.0 - 1e-9))) > 0.0, positive) << "trial " << trial;
      }
    }
    if (root <= 1.0) {
      ++with_root;
      EXPECT_LE(std::abs(f(root)), 1e-6 + 40.0 * 1e-9 + e.band) << "trial " << trial;
    }
  }
  EXPECT_GT(with_root, 5000);
}

}  // namespace
}  // namespace toccata
