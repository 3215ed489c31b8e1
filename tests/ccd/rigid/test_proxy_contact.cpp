// Medial meshes as shapes against closed forms of their primitives, and times of contact of proxies against
// those of the meshes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "effort.hpp"
#include "oracle/moving_bodies.hpp"
#include "scenes/torus_knot.hpp"
#include "toccata/ccd/rigid/proxy_contact.hpp"
#include "toccata/elementary/ball_hull.hpp"
#include "toccata/proximity/distance.hpp"
#include "toccata/proximity/intersects.hpp"
#include "toccata/proximity/ray_cast.hpp"

namespace toccata {
namespace {

MedialMesh random_medial(Random& random, int balls) {
  MedialMesh mesh;
  for (int i = 0; i < balls; ++i) {
    mesh.centers.push_back(0.8 * random.on_sphere());
    mesh.radii.push_back(i % 4 == 0 ? 0.1 : random.uniform(0.0, 0.3));
  }
  for (int i = 0; i + 1 < balls; i += 2) mesh.cones.push_back({i, i + 1});
  for (int i = 0; i + 2 < balls; i += 3) mesh.slabs.push_back({i, i + 1, i + 2});
  return mesh;
}

BallHull placed_hull(const MedialMesh& mesh, const MedialPrimitive& primitive, const Pose& pose) {
  BallHull hull;
  hull.count = 0;
  for (const std::int32_t ball : primitive) {
    if (ball < 0) continue;
    hull.center[static_cast<std::size_t>(hull.count)] =
        pose.apply(mesh.centers[static_cast<std::size_t>(ball)]);
    hull.radius[static_cast<std::size_t>(hull.count++)] = mesh.radii[static_cast<std::size_t>(ball)];
  }
  return hull;
}

double closed_distance(const MedialMesh& a, const Pose& pose_a, const MedialMesh& b, const Pose& pose_b) {
  double least = 1e300;
  for (const MedialPrimitive& p : medial_primitives(a)) {
    for (const MedialPrimitive& q : medial_primitives(b))
      least = std::min(least, nearest_balls(placed_hull(a, p, pose_a), placed_hull(b, q, pose_b)).distance);
  }
  return least;
}

TEST(MedialShape, DistancesAreThoseOfTheNearestBalls) {
  Random random(11);
  for (int trial = 0; trial < with_effort(200); ++trial) {
    const MedialMesh a = random_medial(random, 1 + trial % 8), b = random_medial(random, 1 + trial % 5);
    const Pose pose_a = oracle::random_pose(random, 2.0), pose_b = oracle::random_pose(random, 2.0);
    const double truth = closed_distance(a, pose_a, b, pose_b);
    const DistanceResult found = distance(PlacedShape(a, pose_a), PlacedShape(b, pose_b));
    EXPECT_NEAR(found.distance, std::max(truth, 0.0), 1e-9) << trial;
    EXPECT_LE(found.lower_distance, std::max(truth, 0.0) + 1e-12) << trial;
    EXPECT_EQ(intersects(PlacedShape(a, pose_a), PlacedShape(b, pose_b)).intersects, truth <= 0.0) << trial;
  }
}

TEST(MedialShape, FirstContactIsNeverLateAndClose) {
  Random random(12);
  int hits = 0, free = 0;
  for (int trial = 0; trial < with_effort(150); ++trial) {
    const MedialMesh a = random_medial(random, 2 + trial % 8), b = random_medial(random, 1 + trial % 5);
    const OwnedMotion motion_a(
        RigidMotion(oracle::random_pose(random, 2.5), oracle::random_pose(random, 2.5)));
    const OwnedMotion motion_b(
        RigidMotion(oracle::random_pose(random, 2.5), oracle::random_pose(random, 2.5)));
    const FirstContactResult found = first_contact(Body{a, motion_a}, Body{b, motion_b});
    double first = 2.0;
    for (int i = 0; i <= 200 && first > 1.0; ++i) {
      const double t = i / 200.0;
      if (closed_distance(a, motion_a->pose(t), b, motion_b->pose(t)) < -1e-9) first = t;
    }
    ASSERT_NE(found.status, Status::Failed) << found.failure;
    if (found.status == Status::Separated) {
      ++free;
      EXPECT_GT(first, 1.0) << trial;
    } else {
      ++hits;
      EXPECT_LE(found.time, first) << trial;
      EXPECT_LE(closed_distance(a, found.pose_a, b, found.pose_b), 2e-5) << trial;
    }
  }
  EXPECT_GT(hits, 15);
  EXPECT_GT(free, 10);
}

TEST(MedialShape, MeetsEveryOtherKind) {
  MedialMesh cone;
  cone.centers = {{0, 0, 0}, {3, 0, 0}};
  cone.radii = {1.0, 0.5};
  cone.cones = {{0, 1}};
  const Shape shape(cone);
  EXPECT_TRUE(shape.is_solid());
  EXPECT_EQ(shape.piece_count(), 1);
  const Pose up = oracle::shifted(0, 0, 4);
  EXPECT_NEAR(distance(shape, PlacedShape(Ball{1.0}, up)).distance, 2.0, 1e-9);
  EXPECT_NEAR(distance(shape, PlacedShape(oracle::box({1, 1, 1}), up)).distance, 2.0, 1e-9);
  EXPECT_NEAR(distance(shape, HalfSpace{{0, 0, 1}, -3.0}).distance, 2.0, 1e-9);
  EXPECT_NEAR(distance(shape, PlacedShape(Box{{2, 2, 2}}, up)).distance, 2.0, 1e-9);
  const RayCastResult hit = ray_cast(shape, {{-5, 0, 0}, {1, 0, 0}});
  EXPECT_TRUE(hit.hit);
  EXPECT_NEAR(hit.parameter, 4.0, 1e-6);
  EXPECT_FALSE(shape.display_mesh().faces.empty());
}

TEST(ProxyContact, OuterTruthInner) {
  Random random(21);
  const TriangleMesh knot = scenes::torus_knot({.along = 60, .around = 8});
  const Shape mesh(knot);
  int hits = 0, free = 0, proven_free = 0, narrowed = 0;
  for (const double error : {0.15, 0.05}) {
    const Expected<MedialProxy> made = medial_proxy(mesh, {.error = error});
    ASSERT_TRUE(made) << made.error().message;
    const ProxyShape proxy(mesh, *made);
    for (int trial = 0; trial < with_effort(60); ++trial) {
      const Pose start = oracle::shifted(random.uniform(-1, 1), random.uniform(-4, 4), 5.0);
      Pose end = oracle::random_pose(random, 1.5);
      end.translation = random.uniform(0.0, 4.5) * random.on_sphere();
      const OwnedMotion motion(RigidMotion(start, end));
      const FirstContactResult truth = first_contact(Body{mesh, motion}, Body{mesh});
      const ProxyContactResult found = first_contact(ProxyBody{proxy, motion}, ProxyBody{proxy});
      const ProxyContactResult fine =
          first_contact(ProxyBody{proxy, motion}, ProxyBody{proxy}, {.refine = true});
      EXPECT_NEAR(found.shape_error, 2.0 * made->error, 1e-15);
      if (truth.status == Status::Separated) {
        ++free;
        EXPECT_NE(fine.contact.status, Status::Contact) << trial;
        proven_free += found.contact.status == Status::Separated ? 1 : 0;
        continue;
      }
      ++hits;
      ASSERT_EQ(found.contact.status, Status::Contact) << trial;
      EXPECT_LE(found.contact.lower, truth.upper) << trial;
      EXPECT_LE(found.outer_time, truth.time + 1e-6) << trial;
      EXPECT_GE(found.contact.upper, truth.lower) << trial;
      narrowed += found.inner_time < 1.0 ? 1 : 0;
      EXPECT_TRUE(fine.refined);
      EXPECT_NEAR(fine.contact.time, truth.time, 1e-5) << trial;
    }
  }
  EXPECT_GT(hits, 20);
  EXPECT_GT(free, 3);
  EXPECT_GT(narrowed, hits / 2);
  RecordProperty("proven_free", proven_free);
}

}  // namespace
}  // namespace toccata
