// Depths of solids against closed forms, and against points of the surfaces measured one by one in long
// double.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "effort.hpp"
#include "oracle/long_distance.hpp"
#include "oracle/moving_bodies.hpp"
#include "scenes/torus_knot.hpp"
#include "toccata/base/random.hpp"
#include "toccata/bound/convex_hull_of.hpp"
#include "toccata/geometry/display_mesh.hpp"
#include "toccata/proximity/containment.hpp"
#include "toccata/proximity/intersects.hpp"
#include "toccata/proximity/penetration.hpp"
#include "toccata/proximity/signed_distance.hpp"

namespace toccata {
namespace {

using oracle::is_inside;
using oracle::random_pose;
using oracle::Real;
using oracle::true_distance;

TriangleMesh box_mesh(double side) {
  return display_mesh(Box{Vector3(side, side, side)});
}

// A bumpy ball with two ears, closed.
TriangleMesh bumpy() {
  TriangleMesh mesh = display_mesh(Ball{1.0});
  for (Vector3& v : mesh.vertices) {
    double r = 0.6 + 0.1 * std::sin(5.0 * v.x() + 1.0) * std::sin(6.0 * v.y());
    for (const double side : {-0.35, 0.35})
      r += 0.5 * std::exp(-20.0 * (v - Vector3(side, 0.1, 1.0).normalized()).squaredNorm());
    v *= r;
  }
  return mesh;
}

Pose at(double x, double y, double z) {
  return {Matrix3::Identity(), {x, y, z}};
}

Vector3 point_on(Random& random, const PlacedShape& shape) {
  const TriangleMesh& mesh = shape.shape.mesh();
  const int face = random.integer(0, static_cast<int>(mesh.faces.size()) - 1);
  const Triangle t = transformed(shape.pose, triangle_of(mesh, static_cast<std::size_t>(face)));
  double u = random.unit(), v = random.unit();
  if (u + v > 1.0) u = 1.0 - u, v = 1.0 - v;
  return t[0] + u * (t[1] - t[0]) + v * (t[2] - t[0]);
}

// inner, outer: meshes.
void check_deepest(Random& random, const PlacedShape& inner, const PlacedShape& outer,
                   const DeepestPoint& deepest, double tolerance) {
  EXPECT_GE(deepest.upper, deepest.lower);
  EXPECT_LE(deepest.upper - deepest.lower, tolerance * 1.001);
  const double size = inner.shape.size() + outer.shape.size() + outer.pose.translation.norm() + 1e-300;
  for (int i = 0; i < 40; ++i) {
    const Vector3 p = point_on(random, inner);
    if (!is_inside(p, outer)) continue;
    EXPECT_LE(true_distance(p, outer), Real(deepest.upper) + 1e-15L * Real(size));
  }
  if (!(deepest.lower > 0.0)) return;
  EXPECT_LE(true_distance(deepest.point, inner), 1e-14L * Real(size));
  EXPECT_TRUE(is_inside(deepest.point, outer));
  EXPECT_GE(true_distance(deepest.point, outer), Real(deepest.lower));
  EXPECT_LE(true_distance(deepest.nearest, outer), 1e-14L * Real(size));
  const Vector3 way = deepest.nearest - deepest.point;
  EXPECT_LE((way - way.norm() * deepest.direction).norm(), 1e-12 * size);
}

// What parts them does.
void check_way_out(const PlacedShape& a, const PlacedShape& b, const PenetrationResult& result) {
  EXPECT_GE(result.upper_depth, result.lower_depth);
  PlacedShape moved = b;
  moved.pose.translation += result.upper_depth * result.contact.normal;
  EXPECT_FALSE(intersects(a, moved).intersects);
  EXPECT_NE(containment(a, moved), Containment::Inside);
  EXPECT_NE(containment(moved, a), Containment::Inside);
}

TEST(SolidPenetration, BoxesInClosedForm) {
  const PlacedShape a(box_mesh(2.0)), b(box_mesh(2.0), at(1.5, 0.3, 0.2));
  const PenetrationResult result = penetration(a, b, {.solid = true, .absolute_error = 1e-6});
  ASSERT_EQ(result.status, Status::OverlapAtStart);
  for (const DeepestPoint* deepest : {&result.a_in_b, &result.b_in_a}) {
    EXPECT_LE(deepest->lower, 0.5);
    EXPECT_GE(deepest->upper, 0.5);
    EXPECT_LE(deepest->upper - deepest->lower, 1e-6);
  }
  EXPECT_NEAR(result.a_in_b.point.x(), 1.0, 1e-5);
  EXPECT_NEAR(result.a_in_b.direction.x(), -1.0, 1e-5);
  EXPECT_NEAR(result.lower_depth, 0.5, 1e-6);
  EXPECT_NEAR(result.upper_depth, 0.5, 1e-3);
  EXPECT_NEAR(result.contact.normal.x(), 1.0, 1e-3);
  check_way_out(a, b, result);
}

TEST(SolidPenetration, OneInsideTheOther) {
  const PlacedShape big(box_mesh(2.0)), small(box_mesh(0.5), at(0.3, 0.0, 0.0));
  const PenetrationResult surfaces = penetration(small, big);
  EXPECT_EQ(surfaces.status, Status::Separated);
  const PenetrationResult result = penetration(small, big, {.solid = true, .absolute_error = 1e-6});
  ASSERT_EQ(result.status, Status::OverlapAtStart);
  // Of the small one's surface the middle of its left side, x = 0.05, is farthest from all sides of the big.
  EXPECT_LE(result.a_in_b.lower, 0.95);
  EXPECT_GE(result.a_in_b.upper, 0.95);
  EXPECT_EQ(result.b_in_a.upper, 0.0);
  // 1 + 0.25 - 0.3 to the right.
  EXPECT_NEAR(result.upper_depth, 0.95, 1e-3);
  check_way_out(small, big, result);
}

TEST(SolidPenetration, NestedShellsAndFacesThatRunInwards) {
  TriangleMesh shell = box_mesh(2.0);
  const TriangleMesh inner = box_mesh(1.6);
  for (const Vector3& v : inner.vertices) shell.vertices.push_back(v);
  for (const Face& f : inner.faces) shell.faces.push_back({f[0] + 8, f[1] + 8, f[2] + 8});
  // The cube in the hollow touches nothing; a larger one is 0.05 deep in the wall.
  EXPECT_EQ(penetration(PlacedShape(box_mesh(1.5)), PlacedShape(shell), {.solid = true}).status,
            Status::Separated);
  const PenetrationResult wall =
      penetration(PlacedShape(box_mesh(1.7)), PlacedShape(shell), {.solid = true, .absolute_error = 1e-5});
  EXPECT_LE(wall.a_in_b.lower, 0.05 * std::sqrt(3.0) + 1e-12);
  EXPECT_GE(wall.a_in_b.upper, 0.05);
  EXPECT_LE(wall.a_in_b.upper - wall.a_in_b.lower, 1e-5);
  TriangleMesh turned = box_mesh(2.0);
  for (Face& f : turned.faces) std::swap(f[1], f[2]);
  const PenetrationResult inwards =
      penetration(PlacedShape(turned), PlacedShape(box_mesh(2.0), at(1.5, 0.3, 0.2)),
                  {.solid = true, .absolute_error = 1e-6});
  EXPECT_NEAR(inwards.lower_depth, 0.5, 1e-6);
}

TEST(SolidPenetration, TouchingAndApart) {
  const PlacedShape a(box_mesh(2.0)), touching(box_mesh(2.0), at(2.0, 0.5, 0.5)),
      far(box_mesh(2.0), at(2.5, 0, 0));
  const PenetrationResult touch = penetration(a, touching, {.solid = true});
  EXPECT_EQ(touch.status, Status::OverlapAtStart);
  EXPECT_EQ(touch.lower_depth, 0.0);
  EXPECT_LE(touch.a_in_b.upper, 2e-3);
  const PenetrationResult apart = penetration(a, far, {.solid = true});
  EXPECT_EQ(apart.status, Status::Separated);
  EXPECT_EQ(apart.a_in_b.upper, 0.0);
}

TEST(SolidPenetration, RandomMeshesAgainstPoints) {
  scenes::TorusKnotOptions knot;
  knot.along = 48;
  knot.around = 6;
  const Shape shapes[2] = {scenes::torus_knot(knot), bumpy()};
  Random random(5);
  int overlaps = 0;
  for (int i = 0; i < with_effort(16); ++i) {
    const PlacedShape a(shapes[i % 2], random_pose(random, 0.5)),
        b(shapes[i / 2 % 2], random_pose(random, 0.5));
    const double tolerance = 2e-3;
    const PenetrationResult result = penetration(a, b, {.solid = true, .absolute_error = tolerance});
    const PenetrationResult swapped = penetration(b, a, {.solid = true, .absolute_error = tolerance});
    ASSERT_NE(result.status, Status::Failed) << result.failure;
    EXPECT_EQ(result.status, swapped.status);
    EXPECT_EQ(result.a_in_b.lower, swapped.b_in_a.lower);
    EXPECT_EQ(result.b_in_a.upper, swapped.a_in_b.upper);
    EXPECT_EQ(result.lower_depth, swapped.lower_depth);
    EXPECT_FALSE(result.stopped);
    check_deepest(random, a, b, result.a_in_b, tolerance);
    check_deepest(random, b, a, result.b_in_a, tolerance);
    if (result.status != Status::OverlapAtStart) continue;
    ++overlaps;
    check_way_out(a, b, result);
  }
  EXPECT_GT(overlaps, 5);
}

TEST(SolidPenetration, ScalesAndPlacesFarAway) {
  for (const double scale : {1e-6, 1e6}) {
    const PlacedShape a(box_mesh(2.0 * scale)),
        b(box_mesh(2.0 * scale), at(1.5 * scale, 0.3 * scale, 0.2 * scale));
    const PenetrationResult result = penetration(a, b, {.solid = true});
    EXPECT_NEAR(result.lower_depth / scale, 0.5, 2e-3);
    EXPECT_LE(result.lower_depth, 0.5 * scale * (1.0 + 1e-12));
    check_way_out(a, b, result);
  }
}

// The surfaces of round kinds are known to a few thousandths of their size.
TEST(SolidPenetration, RoundKindsInAMesh) {
  const PlacedShape box(box_mesh(2.0)), ball(Ball{0.5}, at(0.9, 0.1, 0.2));
  const PenetrationResult result = penetration(ball, box, {.solid = true, .absolute_error = 1e-4});
  ASSERT_EQ(result.status, Status::OverlapAtStart);
  EXPECT_LE(result.a_in_b.lower, 0.6);
  EXPECT_GE(result.a_in_b.upper, 0.6);
  EXPECT_LE(result.a_in_b.upper - result.a_in_b.lower, 1e-2 * 0.5 + 1e-4);
  EXPECT_LE(result.b_in_a.lower, 0.4);
  EXPECT_GE(result.b_in_a.upper, 0.4);
  EXPECT_LE(result.b_in_a.upper - result.b_in_a.lower, 2e-4);
  check_way_out(ball, box, result);
}

TEST(SolidPenetration, EveryKindInAMesh) {
  Random random(9);
  const Shape mesh = bumpy();
  Shape hull = Ball{0.4};
  {
    const std::vector<Vector3> corners = {
        {0.5, 0, 0}, {-0.4, 0.1, 0}, {0, 0.5, 0.2}, {0.1, -0.3, 0.5}, {0, 0, -0.4}};
    hull = Shape(*convex_hull_of(corners));
  }
  const std::vector<Shape> kinds = {
      Ball{0.4},          Capsule{0.2, 0.6}, Box{{0.4, 0.6, 0.8}},       Box{{0.4, 0.6, 0.8}, 0.1},
      Cylinder{0.3, 0.7}, Cone{0.4, 0.8},    Ellipsoid{{0.3, 0.4, 0.6}}, hull};
  for (const Shape& kind : kinds) {
    const PlacedShape a(kind, random_pose(random, 0.6)), b(mesh, random_pose(random, 0.2));
    const PenetrationResult result = penetration(a, b, {.solid = true});
    if (result.status == Status::Separated) continue;
    ASSERT_EQ(result.status, Status::OverlapAtStart) << result.failure;
    // Points of the kind's surface: from far outside straight to it.
    for (int i = 0; i < 20; ++i) {
      const Vector3 p = signed_distance(a.pose.translation + 3.0 * random.on_sphere(), a).point;
      if (is_inside(p, b)) {
        EXPECT_LE(true_distance(p, b), Real(result.a_in_b.upper) + 1e-12L);
      }
      const Vector3 q = point_on(random, b);
      const SignedDistance depth = signed_distance(q, a);
      if (depth.side == Containment::Inside) {
        EXPECT_LE(-depth.upper, result.b_in_a.upper);
      }
    }
    EXPECT_LE(result.a_in_b.upper - result.a_in_b.lower, 1.2e-2 * kind.size());
    if (result.a_in_b.lower > 0.0) {
      EXPECT_GE(true_distance(result.a_in_b.point, b), Real(result.a_in_b.lower));
    }
    check_way_out(a, b, result);
  }
  // A half space: as deep as the lowest vertex.
  const PlacedShape ground(HalfSpace{Vector3::UnitZ(), 0.0}), b(mesh, at(0.0, 0.0, 0.2));
  const PenetrationResult sunk = penetration(b, ground, {.solid = true});
  double lowest = 0.0;
  for (const Vector3& v : mesh.mesh().vertices) lowest = std::min(lowest, v.z() + 0.2);
  EXPECT_NEAR(sunk.a_in_b.lower, -lowest, 2e-3);
  EXPECT_NEAR(sunk.upper_depth, -lowest, 1e-9);
  EXPECT_GT(sunk.b_in_a.lower, 0.0);
}

TEST(SolidPenetration, CompoundsOfPartsThatDoNotTouch) {
  // Two cubes side by side, one of them a mesh: the deeper one counts.
  const Shape pair(
      Compound{{{Box{Vector3::Ones()}, at(-2.0, 0.0, 0.0)}, {box_mesh(1.0), at(2.0, 0.0, 0.0)}}});
  const PlacedShape a(pair), b(box_mesh(4.0), at(0.3, 0.0, 0.0));
  const PenetrationResult result = penetration(a, b, {.solid = true, .absolute_error = 1e-6});
  ASSERT_EQ(result.status, Status::OverlapAtStart);
  // b is from -1.7 to 2.3: the right cube is inside from 1.5 to 2.3, the left one from -1.7 to -1.5.
  EXPECT_LE(result.a_in_b.lower, 0.8);
  EXPECT_GE(result.a_in_b.upper, 0.8);
  EXPECT_LE(result.a_in_b.upper - result.a_in_b.lower, 1.1e-6);
  EXPECT_EQ(result.a_in_b.feature.part, 1);
  EXPECT_LE(result.b_in_a.lower, 0.2 + 1e-12);
  EXPECT_GE(result.b_in_a.upper, 0.2 - 1e-12);
  check_way_out(a, b, result);
  const PenetrationResult turned = penetration(b, a, {.solid = true, .absolute_error = 1e-6});
  EXPECT_NEAR(turned.b_in_a.lower, result.a_in_b.lower, 1e-6);
  EXPECT_EQ(penetration(a, PlacedShape(box_mesh(2.0)), {.solid = true}).status, Status::Separated);
}

TEST(SolidPenetration, CompoundsOfPartsThatOverlap) {
  // A bar of two overlapping boxes, x from -1 to 1.5: its middle is deeper in the union than in either.
  const Shape bar(
      Compound{{{Box{Vector3(2.0, 1.0, 1.0)}, at(0.0, 0.0, 0.0)}, {box_mesh(1.0), at(1.0, 0.0, 0.0)}}});
  Random random(23);
  for (int trial = 0; trial < 10; ++trial) {
    const PlacedShape a(bumpy(), random_pose(random, 0.5)), b(bar, random_pose(random, 0.3));
    const PenetrationResult result = penetration(a, b, {.solid = true});
    ASSERT_EQ(result.status, Status::OverlapAtStart);
    double deepest = 0.0;
    for (int i = 0; i < 300; ++i) {
      const Vector3 q = b.pose.rotation.transpose() * (point_on(random, a) - b.pose.translation);
      const Vector3 beyond = (q - Vector3(0.25, 0.0, 0.0)).cwiseAbs() - Vector3(1.25, 0.5, 0.5);
      deepest = std::max(deepest, -beyond.maxCoeff());
    }
    EXPECT_LE(deepest, result.a_in_b.upper + 1e-12);
    const Vector3 q = b.pose.rotation.transpose() * (result.a_in_b.point - b.pose.translation);
    const Vector3 beyond = (q - Vector3(0.25, 0.0, 0.0)).cwiseAbs() - Vector3(1.25, 0.5, 0.5);
    EXPECT_GE(-beyond.maxCoeff(), result.a_in_b.lower - 1e-12);
    check_way_out(a, b, result);
  }
  // On a half space the bracket closes, as without parts.
  const PlacedShape floor{Shape(HalfSpace{})};
  const PenetrationResult below = penetration(floor, PlacedShape(bar, at(0.0, 0.0, 0.2)), {.solid = true});
  ASSERT_EQ(below.status, Status::OverlapAtStart);
  EXPECT_NEAR(below.upper_depth, 0.3, 1e-9);
  EXPECT_GE(below.b_in_a.upper, 0.3 - 1e-9);
}

TEST(SolidPenetration, TwoHalfSpaces) {
  const PlacedShape below(HalfSpace{Vector3::UnitZ(), 0.0});
  const auto with = [&](const Vector3& normal, double offset) {
    return penetration(below, PlacedShape(HalfSpace{normal, offset}), {.solid = true});
  };
  // A slab, from below 0 to above -1.
  const PenetrationResult slab = with(-Vector3::UnitZ(), 1.0);
  for (const DeepestPoint& deepest : {slab.a_in_b, slab.b_in_a}) {
    EXPECT_LE(deepest.lower, 1.0);
    EXPECT_GE(deepest.upper, 1.0);
    EXPECT_NEAR(deepest.lower, deepest.upper, 1e-12);
  }
  EXPECT_EQ(with(-Vector3::UnitZ(), -1.0).status, Status::Separated);
  // The same side: the lower surface is in the higher half space.
  const PenetrationResult nested = with(Vector3::UnitZ(), 2.0);
  EXPECT_NEAR(nested.a_in_b.lower, 2.0, 1e-12);
  EXPECT_NEAR(nested.a_in_b.upper, 2.0, 1e-12);
  EXPECT_EQ(nested.b_in_a.upper, 0.0);
  EXPECT_TRUE(std::isinf(nested.lower_depth));
  // A wedge has no deepest point.
  const PenetrationResult wedge = with(Vector3::UnitX(), 3.0);
  EXPECT_TRUE(std::isinf(wedge.a_in_b.upper) && std::isinf(wedge.b_in_a.upper));
  EXPECT_NEAR(wedge.a_in_b.lower, 3.0, 1e-12);
}

TEST(SolidPenetration, RefusesAndStops) {
  TriangleMesh open = box_mesh(2.0);
  open.faces.pop_back();
  const PenetrationResult refused =
      penetration(PlacedShape(open), PlacedShape(box_mesh(1.0)), {.solid = true});
  EXPECT_EQ(refused.status, Status::Failed);
  EXPECT_NE(refused.failure.find("first mesh is not closed"), std::string::npos);
  EXPECT_EQ(penetration(PlacedShape(TriangleMesh()), PlacedShape(box_mesh(1.0)), {.solid = true}).status,
            Status::Failed);
  EXPECT_EQ(penetration(PlacedShape(box_mesh(1.0)), PlacedShape(box_mesh(1.0)),
                        {.solid = true, .absolute_error = -1.0})
                .status,
            Status::Failed);
  // Too large, too small and too far are said; as surfaces there is no smallest size.
  const auto asked = [](double size, double far, bool solid) {
    const PlacedShape a(box_mesh(size)), b(box_mesh(size), at(0.5 * size + far, 0.1 * size, 0.0));
    return penetration(a, b, {.solid = solid});
  };
  for (const bool solid : {false, true}) {
    EXPECT_EQ(asked(1e29, 0.0, solid).status, Status::OverlapAtStart);
    for (const double size : {1e31, 1e39, 1e150, 1e300})
      EXPECT_EQ(asked(size, 0.0, solid).status, Status::Failed) << size;
    EXPECT_NE(asked(1.0, 1e31, solid).failure.find("second shape stands farther"), std::string::npos);
  }
  EXPECT_EQ(asked(1e-59, 0.0, true).status, Status::OverlapAtStart);
  EXPECT_EQ(asked(1e-61, 0.0, true).status, Status::Failed);
  EXPECT_EQ(asked(1e-150, 0.0, true).status, Status::Failed);
  EXPECT_EQ(asked(1e-150, 0.0, false).status, Status::OverlapAtStart);
  EXPECT_EQ(penetration(PlacedShape(Ball{1e40}), PlacedShape(Ball{1e40}), {.solid = true}).status,
            Status::Failed);
  EXPECT_EQ(penetration(PlacedShape(Ball{1e40}), PlacedShape(Ball{1e40})).status, Status::OverlapAtStart);
  // Stopped at once, the interval is wide and holds.
  const StopToken token = StopToken::create();
  token.request_stop();
  PenetrationOptions options{.solid = true};
  options.stop.token = token;
  const PenetrationResult stopped =
      penetration(PlacedShape(box_mesh(2.0)), PlacedShape(box_mesh(2.0), at(1.5, 0.3, 0.2)), options);
  EXPECT_TRUE(stopped.stopped);
  EXPECT_LE(stopped.a_in_b.lower, 0.5);
  EXPECT_GE(stopped.a_in_b.upper, 0.5);
  // Without a way out none is said.
  const PenetrationResult depth =
      penetration(PlacedShape(box_mesh(2.0)), PlacedShape(box_mesh(2.0), at(1.5, 0.3, 0.2)),
                  {.solid = true, .with_way_out = false});
  EXPECT_TRUE(std::isinf(depth.upper_depth));
}

}  // namespace
}  // namespace toccata
