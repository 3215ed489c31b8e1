// Bodies as solids: one inside the other is an overlap, in every question with time.
#include <gtest/gtest.h>

#include <cmath>

#include "oracle/moving_bodies.hpp"
#include "toccata/ccd/rigid/closest_approach.hpp"
#include "toccata/ccd/rigid/contact_intervals.hpp"
#include "toccata/ccd/rigid/contact_solver.hpp"
#include "toccata/ccd/rigid/first_contact.hpp"
#include "toccata/proximity/containment.hpp"

namespace toccata {
namespace {

using oracle::box;

Pose at(double x, double y, double z) {
  return {Matrix3::Identity(), Vector3(x, y, z)};
}

// A sphere that is closed: the southern row of oracle::sphere is a ring of 1e-16, not a point.
TriangleMesh ball(double radius, int rings) {
  TriangleMesh mesh = oracle::sphere(radius, rings);
  for (int j = 0; j < 2 * rings; ++j) mesh.vertices[mesh.vertices.size() - 1 - j] = Vector3(0, 0, -radius);
  return mesh;
}

const TriangleMesh big = box({2, 2, 2}), small = box({0.5, 0.5, 0.5});

TEST(Solids, one_inside_the_other_at_the_start_is_an_overlap) {
  const Body inner = {small, RigidMotion(at(0.1, 0, 0), at(0.2, 0, 0)), true};
  const Body outer = {big, {}, true};
  const FirstContactResult r = first_contact(inner, outer);
  EXPECT_EQ(r.status, Status::OverlapAtStart);
  EXPECT_EQ(r.inside, Inside::FirstInSecond);
  EXPECT_EQ(r.time, 0.0);
  EXPECT_EQ(r.upper, 0.0);
  EXPECT_EQ(r.distance, 0.0);
  EXPECT_NEAR(r.contact.distance, 1.4, 1e-12);  // of the surfaces: 2 - 0.5 - 0.1
  ASSERT_EQ(r.contacts.size(), 1u);
  EXPECT_EQ(first_contact(outer, inner).inside, Inside::SecondInFirst);
}

TEST(Solids, as_surfaces_they_are_apart) {
  const RigidMotion drift(at(0.1, 0, 0), at(0.2, 0, 0));
  EXPECT_EQ(first_contact({small, drift}, {big}).status, Status::Separated);
  // The small body is full inside, which says nothing about the big one's inside.
  EXPECT_EQ(first_contact({small, drift, true}, {big}).status, Status::Separated);
  EXPECT_EQ(first_contact({small, drift}, {big, {}, true}).status, Status::OverlapAtStart);
}

TEST(Solids, outside_they_behave_as_surfaces) {
  Random random(31);
  for (int i = 0; i < 60; ++i) {
    const Shape a(ball(1.0, 6)), b(box({1, 0.5, 0.2}));
    const RigidMotion motion(oracle::random_pose(random, 4.0), oracle::random_pose(random, 4.0));
    const FirstContactResult surface = first_contact({a, motion}, {b});
    const FirstContactResult solid = first_contact({a, motion, true}, {b, {}, true});
    if (solid.inside != Inside::None) continue;
    EXPECT_EQ(surface.status, solid.status) << i;
    EXPECT_EQ(surface.time, solid.time) << i;
    EXPECT_EQ(surface.upper, solid.upper) << i;
  }
}

TEST(Solids, a_part_inside_counts) {
  TriangleMesh two = small;  // one cube inside, one far outside
  for (const Vector3& v : small.vertices) two.vertices.push_back(v + Vector3(9, 0, 0));
  for (const Face& f : small.faces) two.faces.push_back({f[0] + 8, f[1] + 8, f[2] + 8});
  EXPECT_EQ(first_contact({two, {}, true}, {big, {}, true}).status, Status::OverlapAtStart);
}

TEST(Solids, a_hollow_body_is_empty_in_its_hollow) {
  TriangleMesh shell = big;  // a cube with a cubic hollow: the inner surface faces inwards
  const TriangleMesh hollow = box({1, 1, 1});
  for (const Vector3& v : hollow.vertices) shell.vertices.push_back(v);
  for (const Face& f : hollow.faces) shell.faces.push_back({f[0] + 8, f[2] + 8, f[1] + 8});
  EXPECT_EQ(first_contact({small, {}, true}, {shell, {}, true}).status, Status::Separated);
  const TriangleMesh crumb = box({0.1, 0.1, 0.1});
  EXPECT_EQ(first_contact({crumb, at(1.5, 0, 0), true}, {shell, {}, true}).inside, Inside::FirstInSecond);
}

TEST(Solids, a_mesh_that_is_not_closed_is_refused_with_its_edges) {
  TriangleMesh open = big;
  open.faces.pop_back();
  const FirstContactResult r = first_contact({open, {}, true}, {small});
  EXPECT_EQ(r.status, Status::Failed);
  EXPECT_NE(r.failure.find("first body cannot be solid"), std::string::npos) << r.failure;
  EXPECT_NE(r.failure.find("3 edges are not shared"), std::string::npos) << r.failure;
  EXPECT_EQ(r.lower, 0.0);
  EXPECT_EQ(closest_approach({small}, {open, {}, true}).status, Status::Failed);
  const ContactIntervalsResult i = contact_intervals({small}, {open, {}, true});
  EXPECT_EQ(i.status, Status::Failed);
  EXPECT_NE(i.failure.find("second body"), std::string::npos) << i.failure;
}

// Out of the big cube, away, and back to it: the contact on the way out belongs to the initial overlap.
const PiecewiseMotion out_and_back = {{0.0, at(0, 0, 0)}, {0.5, at(5, 0, 0)}, {1.0, at(0, 0, 0)}};

TEST(Solids, skipping_the_overlap_at_the_start_leaves_it_through_the_surface) {
  const FirstContactOptions skip = {.at_start = AtStart::Skip};
  const FirstContactResult r = first_contact({small, out_and_back, true}, {big, {}, true}, skip);
  ASSERT_EQ(r.status, Status::Contact);
  EXPECT_EQ(r.inside, Inside::None);
  EXPECT_NEAR(r.time, 0.75, 1e-5);  // x = 2.5 on the way back
  EXPECT_LE(r.time, 0.75);
  // Never out: as Report.
  const RigidMotion stay(at(0, 0, 0), at(1, 0, 0));
  EXPECT_EQ(first_contact({small, stay, true}, {big, {}, true}, skip).inside, Inside::FirstInSecond);
  // Touches the surface from inside and goes back in: still the same overlap, to the end.
  const PiecewiseMotion knock = {{0.0, at(0, 0, 0)}, {0.5, at(1.6, 0, 0)}, {1.0, at(0, 0, 0)}};
  EXPECT_EQ(first_contact({small, knock, true}, {big, {}, true}, skip).status, Status::OverlapAtStart);
}

TEST(Solids, closest_approach_and_intervals_know_the_inside) {
  const Body inner = {small, out_and_back, true}, outer = {big, {}, true};
  const ClosestApproachResult c = closest_approach(inner, outer);
  EXPECT_EQ(c.status, Status::OverlapAtStart);
  EXPECT_EQ(c.inside, Inside::FirstInSecond);
  EXPECT_EQ(c.distance, 0.0);
  EXPECT_EQ(c.time, 0.0);
  const ContactIntervalsResult i = contact_intervals(inner, outer);
  EXPECT_EQ(i.status, Status::OverlapAtStart);
  ASSERT_EQ(i.intervals.size(), 2u);
  EXPECT_EQ(i.intervals[0].begin_lower, 0.0);
  EXPECT_NEAR(i.intervals[0].end_lower, 0.25, 1e-5);
  EXPECT_NEAR(i.intervals[1].begin_lower, 0.75, 1e-5);
  EXPECT_EQ(i.intervals[1].end_upper, 1.0);
  EXPECT_EQ(contact_intervals({small, RigidMotion(), true}, outer).intervals.size(), 1u);
}

// Against dense sampling: a ball through a box, overlap by the distance of centres.
TEST(Solids, intervals_agree_with_sampling) {
  Random random(77);
  const Shape globe(ball(0.3, 8)), cube(box({1, 1, 1}));
  for (int round = 0; round < 40; ++round) {
    const RigidMotion motion(oracle::random_pose(random, 2.5), oracle::random_pose(random, 2.5));
    const ContactIntervalsResult r = contact_intervals({globe, motion, true}, {cube, {}, true});
    for (int i = 0; i <= 200; ++i) {
      const double t = i / 200.0;
      const Vector3 center = motion.pose(t).translation;
      const bool deep = center.cwiseAbs().maxCoeff() < 1.0;  // the centre is inside: they overlap
      const bool far = (center.cwiseAbs() - Vector3::Ones()).cwiseMax(0.0).norm() > 0.31;
      bool covered = false;
      for (const ContactInterval& x : r.intervals) covered |= x.begin_lower <= t && t <= x.end_upper;
      if (deep) {
        EXPECT_TRUE(covered) << round << " " << t;
      }
      if (far) {
        EXPECT_FALSE(covered) << round << " " << t;
      }
    }
  }
}

// Vertices repeated along a seam, as many files have them, do not open a mesh; a slit does.
TEST(Solids, a_mesh_is_closed_by_places_not_by_numbers) {
  TriangleMesh soup;
  for (const Face& f : big.faces) {
    for (const std::int32_t v : f) soup.vertices.push_back(big.vertices[v]);
    const auto n = static_cast<std::int32_t>(soup.vertices.size());
    soup.faces.push_back({n - 3, n - 2, n - 1});
  }
  EXPECT_TRUE(Shape(soup).is_closed());
  EXPECT_EQ(first_contact({small, {}, true}, {soup, {}, true}).inside, Inside::FirstInSecond);
  soup.vertices[0].x() += 1e-12;
  ASSERT_TRUE(Shape(soup).open_edges());
  EXPECT_NE(Shape(soup).open_edges()->find("vertex 0"), std::string::npos) << *Shape(soup).open_edges();
}

TEST(Bodies, bad_options_fail_with_a_reason) {
  const Body a = {small, at(9, 0, 0)}, b = {big};
  const double nan = std::nan("");
  const auto failure = [&](const FirstContactOptions& options) {
    const FirstContactResult r = first_contact(a, b, options);
    EXPECT_EQ(r.status, Status::Failed);
    EXPECT_EQ(r.lower, 0.0);
    return r.failure;
  };
  EXPECT_NE(failure({.tolerance = -1e-6}).find("tolerance is -1e-06"), std::string::npos);
  EXPECT_NE(failure({.tolerance = nan}).find("tolerance"), std::string::npos);
  EXPECT_NE(failure({.relative_tolerance = -1.0}).find("relative_tolerance"), std::string::npos);
  EXPECT_NE(failure({.minimum_distance = -1.0}).find("minimum_distance"), std::string::npos);
  EXPECT_NE(failure({.minimum_distance = nan}).find("minimum_distance"), std::string::npos);
  EXPECT_NE(failure({.budget = -1}).find("budget"), std::string::npos);
  EXPECT_EQ(closest_approach(a, b, {.tolerance = -1.0}).status, Status::Failed);
  EXPECT_EQ(contact_intervals(a, b, {.time_resolution = nan}).status, Status::Failed);
  EXPECT_EQ(first_contact({small, std::shared_ptr<const Motion>()}, b).status, Status::Failed);
}

TEST(Bodies, shapes_and_motions_are_checked_when_they_are_built) {
  TriangleMesh wrong = small;
  wrong.faces[3][1] = 99;
  EXPECT_THROW(Shape{wrong}, std::invalid_argument);
  ASSERT_FALSE(Shape::build(wrong));
  EXPECT_NE(Shape::build(wrong).error().message.find("vertex 99"), std::string::npos);
  wrong = small;
  wrong.vertices[2].y() = std::nan("");
  EXPECT_THROW(Shape{wrong}, std::invalid_argument);

  const std::vector<TimedPose> seconds = {{0.0, at(0, 0, 0)}, {5.0, at(9, 0, 0)}};
  EXPECT_THROW(PiecewiseMotion{seconds}, std::invalid_argument);
  EXPECT_NE(PiecewiseMotion::build(seconds).error().message.find("from 0 to 1"), std::string::npos);
  EXPECT_THROW(PiecewiseMotion(std::vector<TimedPose>{}), std::invalid_argument);
  EXPECT_THROW(PiecewiseMotion({{0.0, at(0, 0, 0)}, {0.5, at(1, 0, 0)}, {0.5, at(2, 0, 0)}, {1.0, {}}}),
               std::invalid_argument);
}

TEST(Bodies, copies_share_and_outlive) {
  FirstContactResult r;
  {
    const Body body = {small, RigidMotion(at(5, 0, 0), at(-5, 0, 0))};
    const std::vector<BodyPair> pairs(3, {body, {big}});
    r = first_contacts(pairs)[2];
  }
  EXPECT_EQ(r.status, Status::Contact);
  EXPECT_NEAR(r.time, 0.25, 1e-5);
}

// Two balls side by side, one bigger.
TriangleMesh two_balls(double distance) {
  TriangleMesh mesh = ball(0.3, 5);
  const TriangleMesh other = ball(0.2, 5);
  const auto shift = static_cast<std::int32_t>(mesh.vertices.size());
  for (const Vector3& v : other.vertices) mesh.vertices.push_back(v + Vector3(distance, 0, 0));
  for (const Face& f : other.faces) mesh.faces.push_back({f[0] + shift, f[1] + shift, f[2] + shift});
  return mesh;
}

TEST(Solids, inside_is_what_containment_says) {
  Random random(32);
  int inside = 0, outside = 0;
  for (int i = 0; i < 400; ++i) {
    const Shape a(i % 2 == 0 ? ball(0.4, 5) : two_balls(random.uniform(0.6, 3.0)));
    const Shape b(i % 3 == 0 ? ball(1.5, 6) : box({1.5, 0.9, 1.2}));
    const double far = i % 5 == 0 ? 1e6 : 0.0;
    Pose pose_a = oracle::random_pose(random, 1.5), pose_b = oracle::random_pose(random, 0.2);
    pose_a.translation.x() += far;
    pose_b.translation.x() += far;
    const FirstContactResult r = first_contact({a, pose_a, true}, {b, pose_b, true});
    if (r.status == Status::OverlapAtStart && r.inside == Inside::None) continue;  // the surfaces meet
    const Containment where = containment({a, pose_a}, {b, pose_b});
    const bool reaches = where == Containment::Inside || where == Containment::Mixed;
    EXPECT_EQ(r.inside == Inside::FirstInSecond, reaches) << i;
    EXPECT_EQ(first_contact({b, pose_b, true}, {a, pose_a, true}).inside == Inside::SecondInFirst, reaches)
        << i;
    reaches ? ++inside : ++outside;
  }
  EXPECT_GT(inside, 40);
  EXPECT_GT(outside, 40);
}

TEST(Solids, a_solver_answers_as_the_single_call) {
  Random random(33);
  int inside = 0;
  for (int i = 0; i < 40; ++i) {
    const Body a = {Shape(two_balls(random.uniform(0.6, 3.0))), {}, true};
    const Body b = {Shape(box({1.5, 0.9, 1.2})), {}, i % 2 == 0};
    ContactSolver solver(a, b);
    for (int k = 0; k < 20; ++k) {
      const Pose from = oracle::random_pose(random, k % 4 == 0 ? 1.5 : 4.0);
      const Pose to = {from.rotation, from.translation + 0.05 * random.on_sphere()};
      const RigidMotion motion(from, to);
      const FirstContactResult warm = solver.first_contact(motion, RigidMotion());
      const FirstContactResult cold = first_contact({a.shape, motion, a.solid}, b);
      EXPECT_EQ(warm.status, cold.status) << i << " " << k;
      EXPECT_EQ(warm.inside, cold.inside) << i << " " << k;
      EXPECT_EQ(warm.time, cold.time) << i << " " << k;
      EXPECT_EQ(solver.closest_approach(motion, RigidMotion()).inside, cold.inside) << i << " " << k;
      inside += warm.inside != Inside::None;
    }
  }
  EXPECT_GT(inside, 10);
  TriangleMesh open = big;
  open.faces.pop_back();
  ContactSolver refuses(Body{small, {}, true}, Body{open, {}, true});
  EXPECT_EQ(refuses.first_contact(RigidMotion(), RigidMotion()).status, Status::Failed);
  EXPECT_EQ(refuses.closest_approach(RigidMotion(), RigidMotion()).status, Status::Failed);
}

// A point above and one below a ring of `sides` corners.
TriangleMesh double_cone(int sides) {
  TriangleMesh mesh;
  mesh.vertices = {{0, 0, 1}, {0, 0, -1}};
  for (int i = 0; i < sides; ++i) {
    mesh.vertices.emplace_back(std::cos(6.28 * i / sides), std::sin(6.28 * i / sides), 0);
    const std::int32_t corner = 2 + i, next = 2 + (i + 1) % sides;
    mesh.faces.push_back({corner, next, 0});
    mesh.faces.push_back({next, corner, 1});
  }
  return mesh;
}

TEST(Solids, many_edges_at_one_vertex) {
  for (const int sides : {3, 63, 64, 65, 1000}) {
    TriangleMesh mesh = double_cone(sides);
    EXPECT_TRUE(Shape(mesh).is_closed()) << sides;
    mesh.faces.push_back(mesh.faces.back());
    EXPECT_FALSE(Shape(mesh).is_closed()) << sides;
    mesh.faces.resize(mesh.faces.size() - 2);
    EXPECT_FALSE(Shape(mesh).is_closed()) << sides;
    mesh.faces.push_back({mesh.faces[1][1], mesh.faces[1][0], 1});
    EXPECT_FALSE(Shape(mesh).is_closed()) << sides;
  }
}

}  // namespace
}  // namespace toccata
