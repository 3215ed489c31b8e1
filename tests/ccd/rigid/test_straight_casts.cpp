// Rays into Minkowski differences: the direction they are entered along against all planes through three
// points of the difference in long double, and casts of balls, capsules and hulls against truth in time.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <vector>

#include "ccd/search/straight_cast.hpp"
#include "effort.hpp"
#include "elementary/hull_index.hpp"
#include "oracle/moving_bodies.hpp"
#include "oracle/solid_oracle.hpp"
#include "toccata/bound/convex_hull_of.hpp"
#include "toccata/ccd/rigid/first_contact.hpp"
#include "toccata/ccd/rigid/shape_cast.hpp"

namespace toccata {
namespace {

using oracle::LongSolid;
using oracle::LongVector;
using search::StraightCast;

std::vector<LongVector> difference_of(const ConvexSet& a, const Pose& a_to_b, const ConvexSet& b) {
  std::vector<LongVector> points;
  for (std::int32_t i = 0; i < corner_count(a); ++i) {
    const LongVector x = a_to_b.rotation.cast<long double>() * corner_of(a, i).cast<long double>() +
                         a_to_b.translation.cast<long double>();
    for (std::int32_t k = 0; k < corner_count(b); ++k)
      points.push_back(x - corner_of(b, k).cast<long double>());
  }
  return points;
}

// Until when t v is beyond the points along the direction; infinite if always.
long double end_along(const std::vector<LongVector>& points, const LongVector& n, const LongVector& v) {
  long double height = -1e30L;
  for (const LongVector& p : points) height = std::max(height, n.dot(p));
  const long double rate = n.dot(v);
  if (height >= 0.0L) return 0.0L;
  return rate >= 0.0L ? 1e30L : height / rate;
}

// When t v enters the hull of the points: no plane of three of them keeps it out for longer.
long double entry(const std::vector<LongVector>& points, const LongVector& v) {
  long double last = 0.0L;
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const LongVector beside = (points[i] - points[j]).cross(v);  // of those that the ray passes
      for (std::size_t k = 0; k < j; ++k) {
        const LongVector n = (points[i] - points[j]).cross(points[i] - points[k]);
        if (n.norm() < 1e-15L) continue;
        last = std::max({last, end_along(points, n, v), end_along(points, -n, v)});
      }
      if (beside.norm() < 1e-15L) continue;
      last = std::max({last, end_along(points, beside, v), end_along(points, -beside, v)});
    }
  }
  return last;
}

TEST(StraightCasts, portals_find_the_last_plane) {
  Random random(201);
  int entered = 0;
  for (int trial = 0; trial < with_effort(150); ++trial) {
    SCOPED_TRACE(trial);
    std::vector<Vector3> points_a, points_b;
    for (int i = random.integer(3, 5); i >= 0; --i) points_a.push_back(random.on_sphere());
    for (int i = random.integer(0, 4); i >= 0; --i) points_b.push_back(random.on_sphere());
    ConvexSet a = set_of_points(points_a), b = set_of_points(points_b);
    if (trial % 5 == 0) b = set_of_core(Core::Box, {0.4, 0.3, 0.5});
    const double scale = trial % 7 == 0 ? 1e-6 : trial % 7 == 1 ? 1e6 : 1.0;
    for (Vector3& p : points_a) p *= scale;
    for (Vector3& p : points_b) p *= scale;
    a.reach = b.reach = -1.0;
    b.half *= scale;
    Pose a_to_b = oracle::random_pose(random, 0.0);
    a_to_b.translation = 4.0 * scale * random.on_sphere();
    const Vector3 v = 1.2 * a_to_b.translation + scale * random.in_box(1.2);
    const StraightCast cast = search::polytope_cast(a, a_to_b, b, v, 10.0);
    const auto points = difference_of(a, a_to_b, b);
    std::vector<LongVector> scaled;
    for (const LongVector& p : points) scaled.push_back(p / scale);
    const LongVector way = v.cast<long double>() / scale;
    const long double truth = entry(scaled, way);
    if (truth == 0.0L) continue;
    ASSERT_NEAR(cast.normal.norm(), 1.0, 1e-12);
    const long double found = end_along(scaled, cast.normal.cast<long double>(), way);
    if (truth > 1e6L) {
      EXPECT_GT(found, 1e5L) << "passes";
    } else {
      EXPECT_NEAR(static_cast<double>(found), static_cast<double>(truth), 1e-9);
      ++entered;
    }
  }
  EXPECT_GT(entered, 40);
}

// Hulls of few and many corners, which are scanned or climbed: no corner of the difference is above the face
// that is entered, and the ray passes through it.
TEST(StraightCasts, portals_of_hulls_are_faces) {
  Random random(204);
  int entered = 0;
  for (int trial = 0; trial < with_effort(60); ++trial) {
    SCOPED_TRACE(trial);
    const double scale = trial % 7 == 0 ? 1e-6 : trial % 7 == 1 ? 1e6 : 1.0;
    const auto hull = [&](int count) {
      std::vector<Vector3> points;
      for (int i = 0; i < count; ++i) points.push_back(scale * random.on_sphere());
      return convex_hull_of(points).value();
    };
    const ConvexHull hull_a = hull(random.integer(9, 70)), hull_b = hull(random.integer(9, 140));
    const HullIndex index_a(hull_a.vertices, hull_a.neighbours, hull_a.first_neighbour);
    const HullIndex index_b(hull_b.vertices, hull_b.neighbours, hull_b.first_neighbour);
    const ConvexSet a = set_of_points(hull_a.vertices, 0.0, &index_a),
                    b = set_of_points(hull_b.vertices, 0.0, &index_b);
    Pose a_to_b = oracle::random_pose(random, 0.0);
    a_to_b.translation = 4.0 * scale * random.on_sphere();
    const Vector3 velocity = 1.2 * a_to_b.translation + scale * random.in_box(1.2);
    const StraightCast cast = search::polytope_cast(a, a_to_b, b, velocity, 10.0);
    const auto points = difference_of(a, a_to_b, b);
    const LongVector v = velocity.cast<long double>();
    ASSERT_NEAR(cast.normal.norm(), 1.0, 1e-12);
    if (!cast.corners.are_known) {
      EXPECT_GT(end_along(points, cast.normal.cast<long double>(), v), 10.0L) << "passes";
      continue;
    }
    ++entered;
    LongVector w[3];
    for (std::size_t i = 0; i < 3; ++i) {
      const auto at = static_cast<std::size_t>(cast.corners.vertex_a[i]) * b.points.size() +
                      static_cast<std::size_t>(cast.corners.vertex_b[i]);
      w[i] = points[at];
    }
    const LongVector n = (w[1] - w[0]).cross(w[2] - w[0]).normalized();
    ASSERT_LT(n.dot(v), 0.0L);
    for (const LongVector& p : points) ASSERT_LE(n.dot(p - w[0]), 1e-12L * scale);
    const LongVector through = (n.dot(w[0]) / n.dot(v)) * v;
    for (std::size_t i = 0; i < 3; ++i) {
      const LongVector side = w[(i + 1) % 3] - w[i];
      EXPECT_GE(n.dot(side.cross(through - w[i])), -1e-12L * scale * scale);
    }
  }
  EXPECT_GT(entered, 30);
}

// When balls and capsules come as near as `distance`, by steps in long double that no contact is within.
TEST(StraightCasts, balls_and_capsules) {
  Random random(202);
  int hits = 0;
  for (int trial = 0; trial < with_effort(300); ++trial) {
    SCOPED_TRACE(trial);
    const double scale = trial % 11 == 0 ? 1e-5 : trial % 11 == 1 ? 1e5 : 1.0;
    const auto round = [&](bool is_ball) {
      const double radius = scale * random.uniform(0.05, 0.6), height = scale * random.uniform(0.1, 2.0);
      return is_ball ? Geometry(Ball{radius}) : Geometry(Capsule{radius, height});
    };
    const Geometry a = round(trial % 3 == 0), b = round(trial % 4 == 0);
    Pose pose_a = oracle::random_pose(random, 0.0), pose_b = oracle::random_pose(random, 0.0);
    pose_a.translation = 4.0 * scale * random.on_sphere();
    Vector3 velocity = -1.2 * pose_a.translation + scale * random.in_box(0.8);
    if (trial % 5 == 1) pose_a.rotation = pose_b.rotation;                           // parallel
    if (trial % 5 == 2) velocity = 4.5 * scale * pose_a.rotation.col(2);             // along its own axis
    if (trial % 5 == 2) pose_a.translation = -3.0 * scale * pose_a.rotation.col(2);  // and end-on
    const FirstContactResult r =
        shape_cast({Shape::build(a).value(), pose_a}, velocity, {Shape::build(b).value(), pose_b});
    const oracle::LongMotion moving{a, pose_a, Vector3::Zero(), velocity};
    const auto truth = oracle::first_contact_truth(moving, LongSolid(b, pose_b), 1e-8L * scale);
    if (!truth.hit) {
      // Near misses within the tolerance are contacts.
      if (r.status != Status::Separated) {
        EXPECT_LT(truth.least_gap, 2e-6L * scale);
      }
      continue;
    }
    ++hits;
    ASSERT_NE(r.status, Status::Separated) << "missed";
    const auto gap = oracle::solid_gap(moving.at(r.time), LongSolid(b, pose_b));
    EXPECT_GE(static_cast<double>(gap.upper), -1e-15 * scale) << "late";
    EXPECT_LE(static_cast<double>(gap.lower), r.distance + 1e-12 * scale);
    if (r.status == Status::Contact && r.upper < 1.0) {
      EXPECT_LE(oracle::solid_gap(moving.at(r.upper), LongSolid(b, pose_b)).lower, 0.0L);
    }
  }
  EXPECT_GT(hits, 100);
}

// Hulls whose faces, edges and corners meet head-on: what a portal finds no triangle of must not matter.
TEST(StraightCasts, hulls_that_meet_squarely) {
  const auto grid = [](int x, int y, int z, const Vector3& size) {
    std::vector<Vector3> points;
    for (int i = 0; i <= x; ++i) {
      for (int k = 0; k <= y; ++k) {
        for (int l = 0; l <= z; ++l)
          points.push_back(
              {size.x() * i / std::max(x, 1), size.y() * k / std::max(y, 1), size.z() * l / std::max(z, 1)});
      }
    }
    return convex_hull_of(points).value();
  };
  const std::vector<Geometry> kinds = {grid(2, 2, 2, {1, 1, 1}), grid(1, 0, 0, {1, 0, 0}),
                                       grid(1, 1, 0, {1, 1, 0}), grid(0, 0, 0, {0, 0, 0}),
                                       Box{{1, 1, 1}},           grid(3, 1, 1, {1, 0.01, 0.01})};
  Random random(203);
  for (const Geometry& a : kinds) {
    for (const Geometry& b : kinds) {
      for (const Vector3& way : {Vector3(4, 0, 0), Vector3(0, 4, 0), Vector3(4, 4, 0), Vector3(4, 4, 4),
                                 Vector3(0, 0, -4), Vector3(0, 0, 0)}) {
        const Pose start(Matrix3::Identity(),
                         -0.5 * way + (random.integer(0, 1) == 0 ? 0.0 : 0.25) * Vector3::Ones());
        const Shape shape_a = Shape::build(a).value(), shape_b = Shape::build(b).value();
        if (resolved_tolerance(shape_a, shape_b) < 1e-9) continue;  // two points
        const FirstContactResult r = shape_cast({shape_a, start}, way, {shape_b});
        const auto truth =
            oracle::first_contact_truth({a, start, Vector3::Zero(), way}, LongSolid(b, Pose()));
        if (truth.hit) {
          ASSERT_NE(r.status, Status::Separated);
          // Truth is when they are 1e-8 apart.
          EXPECT_LE(r.time, static_cast<double>(truth.time) + 1e-8);
        } else if (r.status != Status::Separated) {
          EXPECT_LT(truth.least_gap, 2e-6L);
        }
      }
    }
  }
}

// Both move alike: nothing comes nearer, for ever.
TEST(StraightCasts, the_same_motion) {
  Random random(204);
  for (int trial = 0; trial < 40; ++trial) {
    std::vector<Vector3> points;
    for (int i = 0; i < 12; ++i) points.push_back(random.on_sphere());
    const Shape hull = Shape::build(convex_hull_of(points).value()).value();
    const Shape capsule = Shape(Capsule{0.3, 1.0});
    const Vector3 v = 100.0 * random.on_sphere();
    const Pose there = {Matrix3::Identity(), 3.0 * random.on_sphere()};
    const auto moving = [&](const Shape& shape, const Pose& pose) {
      return Body{shape, RigidMotion::with_velocity(pose, v, Vector3::Zero())};
    };
    EXPECT_EQ(first_contact(moving(hull, Pose()), moving(hull, there)).status, Status::Separated);
    EXPECT_EQ(first_contact(moving(capsule, Pose()), moving(capsule, there)).status, Status::Separated);
    EXPECT_EQ(first_contact(moving(hull, Pose()), moving(capsule, there)).status, Status::Separated);
  }
}

}  // namespace
}  // namespace toccata
