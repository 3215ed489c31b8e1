// Signed distances of points against all triangles in long double (needles: in integers), and signs against
// the winding number.
#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "effort.hpp"
#include "oracle/long_distance.hpp"
#include "oracle/moving_bodies.hpp"
#include "proximity/point_distance/triangle_columns.hpp"
#include "scenes/torus_knot.hpp"
#include "toccata/base/random.hpp"
#include "toccata/elementary/triangle.hpp"
#include "toccata/geometry/display_mesh.hpp"
#include "toccata/proximity/signed_distance.hpp"

namespace toccata {
namespace {

using oracle::is_inside;
using oracle::random_pose;
using oracle::Real;
using oracle::true_distance;

void append(TriangleMesh& to, const TriangleMesh& mesh, double scale, bool turned) {
  const auto first = static_cast<std::int32_t>(to.vertices.size());
  for (const Vector3& v : mesh.vertices) to.vertices.push_back(scale * v);
  for (Face f : mesh.faces) {
    if (turned) std::swap(f[1], f[2]);
    to.faces.push_back({f[0] + first, f[1] + first, f[2] + first});
  }
}

TriangleMesh scaled(const TriangleMesh& mesh, double scale) {
  TriangleMesh result;
  append(result, mesh, scale, false);
  return result;
}

// A thin shell: two boxes in each other, their faces run as `turned` says.
TriangleMesh shell(double inner, bool turn_outer, bool turn_inner) {
  const TriangleMesh box = display_mesh(Box{Vector3(1.0, 1.0, 1.0)});
  TriangleMesh mesh;
  append(mesh, box, 1.0, turn_outer);
  append(mesh, box, inner, turn_inner);
  return mesh;
}

// Points everywhere, near the surface, on it, and on the bisectors of its features.
Vector3 random_point(Random& random, const PlacedShape& shape, int kind) {
  const TriangleMesh& mesh = shape.shape.mesh();
  const double size = shape.shape.size();
  const auto face = std::min(mesh.faces.size() - 1,
                             static_cast<std::size_t>(random.uniform(0.0, double(mesh.faces.size()))));
  const Triangle t = transformed(shape.pose, triangle_of(mesh, face));
  const double u = random.uniform(0.0, 1.0), v = random.uniform(0.0, 1.0 - u);
  const Vector3 on = t[0] + u * (t[1] - t[0]) + v * (t[2] - t[0]);
  switch (kind % 5) {
    case 0:
      return shape.pose.translation + 2.0 * size * random.in_box(1.0);
    case 1:
      return on + size * std::pow(10.0, random.uniform(-9.0, -1.0)) * random.on_sphere();
    case 2:
      return t[0];
    case 3:
      return t[0] + size * std::pow(10.0, random.uniform(-6.0, 0.0)) * random.on_sphere();
    default:
      return 0.5 * (t[0] + t[1]) + 1e-3 * size * random.in_box(1.0);
  }
}

struct Tally {
  int wrong_brackets = 0;
  int wide_brackets = 0;
  int wrong_sides = 0;
  int wrong_points = 0;
  int wrong_normals = 0;
};

void check(const Vector3& point, const PlacedShape& shape, const SignedDistance& found, Tally& tally) {
  const double scale = shape.shape.size() + point.norm() + shape.pose.translation.norm();
  const Real truth = true_distance(point, shape);
  const bool inside = found.side == Containment::Inside;
  const Real value = inside ? -truth : truth;
  // The oracle rounds in long double.
  const Real slack = 1e-17L * Real(scale);
  if (Real(found.lower) > value + slack || Real(found.upper) < value - slack) ++tally.wrong_brackets;
  if (!(found.upper - found.lower <= 4e-12 * scale) || found.distance < found.lower ||
      found.distance > found.upper)
    ++tally.wide_brackets;
  if (truth > 1e-12L * Real(scale) && inside != is_inside(point, shape)) ++tally.wrong_sides;
  const Triangle t =
      transformed(shape.pose, triangle_of(shape.shape.mesh(), static_cast<std::size_t>(found.feature.part)));
  if (std::abs((found.point - point).norm() - std::abs(found.distance)) > 1e-15 * scale ||
      true_distance(found.point, t) > 1e-14L * Real(scale))
    ++tally.wrong_points;
  // The pseudonormal tells the sides apart.
  const double outwards = found.normal.dot(point - found.point);
  if (truth > 1e-9L * Real(scale) &&
      (std::abs(found.normal.norm() - 1.0) > 1e-12 || (outwards < 0.0) != inside))
    ++tally.wrong_normals;
}

void check_many(const PlacedShape& shape, std::uint64_t seed, int count) {
  Random random(seed);
  std::vector<Vector3> points;
  for (int i = 0; i < count; ++i) points.push_back(random_point(random, shape, i));
  const SignedDistances found = signed_distances(points, shape);
  ASSERT_EQ(found.points.size(), points.size());
  EXPECT_FALSE(found.stopped);
  Tally tally;
  for (std::size_t i = 0; i < points.size(); ++i) {
    ASSERT_NE(found.points[i].side, Containment::Undefined);
    check(points[i], shape, found.points[i], tally);
    const SignedDistance alone = signed_distance(points[i], shape);
    EXPECT_EQ(alone.distance, found.points[i].distance);
    EXPECT_EQ(alone.side, found.points[i].side);
    EXPECT_EQ(alone.feature, found.points[i].feature);
    EXPECT_EQ(alone.lower, found.points[i].lower);
  }
  EXPECT_EQ(tally.wrong_brackets, 0);
  EXPECT_EQ(tally.wide_brackets, 0);
  EXPECT_EQ(tally.wrong_sides, 0);
  EXPECT_EQ(tally.wrong_points, 0);
  EXPECT_EQ(tally.wrong_normals, 0);
}

TEST(SignedDistance, is_that_of_all_triangles) {
  Random random(1);
  const TriangleMesh mesh = scenes::torus_knot({.along = 60, .around = 12});
  check_many({mesh}, 2, with_effort(400));
  check_many({mesh, random_pose(random, 10.0)}, 3, with_effort(400));
}

TEST(SignedDistance, has_the_right_sign_however_faces_run_and_shells_nest) {
  for (const bool turn_outer : {false, true}) {
    for (const bool turn_inner : {false, true}) {
      check_many({shell(0.5, turn_outer, turn_inner)}, 4, with_effort(150));
      check_many({shell(1.0 - 1e-6, turn_outer, turn_inner)}, 5, with_effort(150));
    }
  }
}

TEST(SignedDistance, holds_at_every_scale_and_far_from_the_origin) {
  Random random(6);
  const TriangleMesh box = display_mesh(Box{Vector3(1.0, 2.0, 3.0)});
  for (const double scale : {1e-20, 1e-6, 1.0, 1e6, 1e20}) {
    check_many({scaled(box, scale)}, 7, with_effort(100));
    check_many({scaled(box, scale), random_pose(random, 1e3 * scale)}, 8, with_effort(100));
  }
}

TEST(SignedDistance, of_an_open_mesh_is_unsigned) {
  TriangleMesh mesh = display_mesh(Box{Vector3(1.0, 1.0, 1.0)});
  mesh.faces.pop_back();
  const SignedDistance found = signed_distance({0, 0, 0}, mesh);
  EXPECT_EQ(found.side, Containment::Undefined);
  EXPECT_DOUBLE_EQ(found.distance, static_cast<double>(true_distance(Vector3(0, 0, 0), {mesh})));
  EXPECT_GT(found.distance, 0.0);
}

TEST(SignedDistance, takes_needles_segments_and_points) {
  Random random(9);
  for (int trial = 0; trial < with_effort(200); ++trial) {
    TriangleMesh mesh;
    for (int i = 0; i < 20; ++i) {
      const Vector3 a = random.in_box(1.0), b = random.in_box(1.0);
      const double width = i % 4 == 0 ? 0.0 : std::pow(10.0, random.uniform(-12.0, 0.0));
      const Vector3 c = i % 7 == 0 ? a : Vector3(a + 0.3 * (b - a) + width * random.in_box(1.0));
      mesh.vertices.insert(mesh.vertices.end(), {a, i % 11 == 0 ? a : b, c});
      mesh.faces.push_back({3 * i, 3 * i + 1, 3 * i + 2});
    }
    const PlacedShape shape(mesh, random_pose(random, 1.0));
    for (int i = 0; i < 5; ++i) {
      const Vector3 point = random_point(random, shape, i);
      const SignedDistance found = signed_distance(point, shape);
      const Real truth = true_distance(point, shape);
      EXPECT_LE(Real(found.lower), truth + 1e-17L);
      EXPECT_GE(Real(found.upper), truth - 1e-17L);
    }
  }
}

TEST(SignedDistance, of_needles_is_told_by_integers) {
  // The textbook in long double has 5.730397e-9 and 4.067400e-8: it does not know on which side of an edge of
  // such a triangle the foot is, nor which way its normal points.
  const Triangle wide = {Vector3(1.2284142410480072, 0.022486567442049854, -0.32037410977349201),
                         Vector3(0.35060903755116068, 0.60295461421653584, -0.50987033347351374),
                         Vector3(0.96507270194302885, 0.19662697098198861, -0.37722296377086578)};
  const Triangle narrow = {Vector3(-0.097221686178726036, 0.57081863836203672, -1.6575725712048839),
                           Vector3(0.74970916480998251, -0.21221422118784902, -0.35961280579311916),
                           Vector3(0.15685829014581615, 0.33590852733262266, -1.2681847451692545)};
  const Vector3 above_wide(0.77735362554423326, 0.32076033914387764, -0.41774683038067223);
  const Vector3 above_narrow(0.69833697650725191, -0.1647179018159218, -0.43834309204396776);
  EXPECT_NEAR(static_cast<double>(true_distance(above_wide, wide)), 5.7303394614549879e-09, 1e-24);
  EXPECT_NEAR(static_cast<double>(true_distance(above_narrow, narrow)), 4.0674032348153233e-08, 1e-23);
  for (const auto& [triangle, point] : {std::pair{wide, above_wide}, std::pair{narrow, above_narrow}}) {
    const SignedDistance found =
        signed_distance(point, TriangleMesh{{triangle.begin(), triangle.end()}, {{0, 1, 2}}});
    EXPECT_LE(Real(found.lower), true_distance(point, triangle));
    EXPECT_GE(Real(found.upper), true_distance(point, triangle));
  }
  // Squares of such lengths vanish.
  const SignedDistance tiny =
      signed_distance({3e-162, 0, 0}, TriangleMesh{std::vector<Vector3>(3, Vector3::Zero()), {{0, 1, 2}}});
  EXPECT_LE(tiny.lower, 3e-162);
  EXPECT_GE(tiny.upper, 3e-162);
}

TEST(SignedDistance, rounds_to_zero_beside_the_surface_without_a_change_of_side) {
  // A step of the last digit below and above a slanted face: its distance may round to zero, its side not.
  Random random(5);
  TriangleMesh mesh = display_mesh(Box{Vector3::Ones()});
  const Pose turn = random_pose(random, 0.0);
  for (Vector3& v : mesh.vertices) v = turn.apply(v);
  const Shape shape(mesh);
  std::vector<Vector3> points;
  for (int i = 0; i < with_effort(600); ++i) {
    const Triangle t = triangle_of(mesh, static_cast<std::size_t>(random.integer(0, 11)));
    const double u = random.uniform(0.0, 0.5), v = random.uniform(0.0, 0.5);
    points.push_back(t[0] + u * (t[1] - t[0]) + v * (t[2] - t[0]));
    if (i % 5 == 0) points.back() = t[0];
  }
  const SignedDistances batch = signed_distances(points, shape);
  int vanished = 0, on = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const SignedDistance &one = signed_distance(points[i], shape), &of_many = batch.points[i];
    const Containment side = point_containment(points[i], shape);
    EXPECT_EQ(one.side, side);
    EXPECT_EQ(of_many.side, side);
    EXPECT_EQ(one.distance, of_many.distance);
    EXPECT_EQ(one.upper, of_many.upper);
    if (side == Containment::Crossing) {
      EXPECT_EQ(one.distance, 0.0);
    }
    on += side == Containment::Crossing;
    vanished += one.distance == 0.0 && side != Containment::Crossing;
  }
  EXPECT_GT(vanished, 0);
  EXPECT_GT(on, 0);
}

TEST(SignedDistance, brackets_of_columns_hold) {
  Random random(10);
  for (int trial = 0; trial < with_effort(2000); ++trial) {
    point_distance::TriangleColumns columns;
    const Vector3 point = random.in_box(1.0);
    Triangle triangles[8];
    const double scale = std::pow(10.0, random.uniform(-8.0, 8.0));
    for (Triangle& t : triangles) {
      const double width = std::pow(10.0, random.uniform(-9.0, 0.0));
      t = {random.in_box(1.0), random.in_box(1.0), Vector3::Zero()};
      t[2] = t[0] + random.uniform(0.0, 1.0) * (t[1] - t[0]) + width * random.in_box(1.0);
      for (Vector3& corner : t) corner *= scale;
      columns.add(t[0], t[1], t[2], scale * point);
    }
    double low[8], high[8];
    point_distance::point_triangle_brackets(columns, low, high);
    for (int i = 0; i < 8; ++i) {
      const Real truth = true_distance(scale * point, triangles[i]);
      EXPECT_LE(Real(low[i]), truth);
      EXPECT_GE(Real(high[i]), truth);
    }
  }
}

TEST(SignedDistance, of_convex_kinds_is_the_closed_form) {
  Random random(11);
  for (int i = 0; i < with_effort(300); ++i) {
    const Pose pose = random_pose(random, 1.0);
    const Vector3 local = 2.0 * random.in_box(1.0);
    const Vector3 point = pose.apply(local);
    const SignedDistance ball = signed_distance(point, {Ball{0.7}, pose});
    EXPECT_NEAR(ball.distance, local.norm() - 0.7, 1e-12);
    const Vector3 half(0.5, 0.8, 1.1);
    const Vector3 beyond = local.cwiseAbs() - half;
    const double truth = beyond.cwiseMax(0.0).norm() + std::min(0.0, beyond.maxCoeff());
    const SignedDistance box = signed_distance(point, {Box{2.0 * half}, pose});
    EXPECT_NEAR(box.distance, truth, 1e-12);
    EXPECT_LE(box.lower, truth + 1e-14);
    EXPECT_GE(box.upper, truth - 1e-14);
    EXPECT_EQ(box.side, truth < 0.0 ? Containment::Inside : Containment::Outside);
    const SignedDistance plane = signed_distance(point, {HalfSpace{Vector3::UnitZ(), 0.25}, pose});
    EXPECT_NEAR(plane.distance, local[2] - 0.25, 1e-12);
  }
}

TEST(SignedDistance, stops_at_its_limit_and_says_what_is_wrong) {
  const TriangleMesh box = display_mesh(Box{Vector3(1.0, 1.0, 1.0)});
  SignedDistanceOptions options;
  options.limit = 0.25;
  const SignedDistance far = signed_distance({3, 0, 0}, box, options);
  EXPECT_TRUE(std::isinf(far.distance));
  EXPECT_EQ(far.side, Containment::Outside);
  EXPECT_DOUBLE_EQ(signed_distance({0.75, 0, 0}, box, options).distance, 0.25);
  EXPECT_TRUE(std::isinf(signed_distance({0, 0, 0}, TriangleMesh{}).distance));
  EXPECT_THROW(signed_distance({NAN, 0, 0}, box), std::invalid_argument);
  EXPECT_THROW(signed_distance({1e31, 0, 0}, box), std::invalid_argument);
  const SignedDistance distant = signed_distance({1e29, 0, 0}, box);
  EXPECT_DOUBLE_EQ(distant.distance, 1e29);
}

TEST(SignedDistance, of_many_does_not_depend_on_the_number_of_threads) {
  Random random(12);
  const PlacedShape knot(scenes::torus_knot(), random_pose(random, 1.0));
  std::vector<Vector3> points;
  for (int i = 0; i < with_effort(2000); ++i) points.push_back(random_point(random, knot, i));
  SignedDistanceOptions one, two;
  one.threads = 1;
  two.threads = 2;
  const SignedDistances a = signed_distances(points, knot, one), b = signed_distances(points, knot, two);
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_EQ(a.points[i].distance, b.points[i].distance);
    EXPECT_EQ(a.points[i].feature, b.points[i].feature);
    EXPECT_EQ(a.points[i].normal, b.points[i].normal);
  }
}

TEST(SignedDistance, SidesOfABatchAreThoseOfOneByOne) {
  // A batch tells sides by the way from the last point. Points on the planes, edges and corners of the
  // triangles, hardly above them, and anywhere; shells in each other, faces that run inwards, surfaces
  // through each other, slivers.
  Random random(41);
  std::vector<TriangleMesh> meshes = {Shape(Box{Vector3::Ones()}).display_mesh(),
                                      Shape(Ball{0.7}).display_mesh()};
  TriangleMesh nested = meshes[0];
  for (const double scale : {0.5, 0.25, 1.5}) {
    const auto first = static_cast<std::int32_t>(nested.vertices.size());
    for (const Vector3& v : meshes[0].vertices)
      nested.vertices.push_back(scale * v + (scale > 1.0 ? Vector3(0.5, 0.25, 0.0) : Vector3(0.0, 0.0, 0.0)));
    for (const Face& f : meshes[0].faces) nested.faces.push_back({f[0] + first, f[2] + first, f[1] + first});
  }
  meshes.push_back(nested);
  TriangleMesh thin = meshes[0];
  for (Vector3& v : thin.vertices) v.z() *= 1e-5;
  meshes.push_back(thin);
  int wrong = 0, inside = 0;
  for (const TriangleMesh& mesh : meshes) {
    const Shape shape(mesh);
    std::vector<Vector3> points;
    for (int i = 0; i < with_effort(1500); ++i) {
      Vector3 p = random.in_box(0.9);
      if (i % 3 == 0) p = (8.0 * p).array().round() / 8.0;
      if (i % 3 == 1) {
        const Triangle t = triangle_of(
            mesh, static_cast<std::size_t>(random.integer(0, static_cast<int>(mesh.faces.size()) - 1)));
        const double u = random.integer(0, 2) == 0 ? 0.0 : random.uniform(0.0, 0.5),
                     v = random.uniform(0.0, 0.5);
        p = t[0] + u * (t[1] - t[0]) + v * (t[2] - t[0]) +
            std::pow(10.0, random.uniform(-16.0, -1.0)) * random.on_sphere();
      }
      points.push_back(p);
    }
    const SignedDistances batch = signed_distances(points, shape);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Containment side = point_containment(points[i], shape);
      wrong += batch.points[i].side != side;
      inside += side == Containment::Inside;
    }
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(inside, 100);
}

TEST(SignedDistance, SameBitsOnAllInstructionSets) {
  scenes::TorusKnotOptions options;
  options.along = 60;
  options.around = 8;
  const TriangleMesh mesh = scenes::torus_knot(options);
  Random random(51);
  std::vector<Vector3> points;
  for (int i = 0; i < with_effort(3000); ++i) points.push_back(random_point(random, Shape(mesh), i));
  std::vector<SignedDistance> first;
  for (std::int64_t targets = hwy::SupportedTargets(); targets != 0; targets &= targets - 1) {
    hwy::SetSupportedTargetsForTest(targets & -targets);
    hwy::GetChosenTarget().DeInit();
    const Shape shape(mesh);
    // By rays at first, then by the sides of triangles.
    for (const bool is_prepared : {false, true}) {
      const std::vector<SignedDistance> found = signed_distances(points, shape).points;
      if (first.empty()) first = found;
      for (std::size_t i = 0; i < points.size(); ++i) {
        EXPECT_EQ(found[i].distance, first[i].distance) << is_prepared;
        EXPECT_EQ(found[i].side, first[i].side) << is_prepared;
        EXPECT_EQ(found[i].feature, first[i].feature);
        EXPECT_EQ(found[i].point, first[i].point);
        EXPECT_EQ(found[i].normal, first[i].normal);
      }
    }
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().DeInit();
}

TEST(SignedDistance, CompoundsAreTheUnionOfTheirParts) {
  // Two boxes that overlap: x in [-1, 1.5], y and z in [-0.5, 0.5].
  const Shape shape(Compound{{{Box{Vector3(2.0, 1.0, 1.0)}, Pose()},
                              {Shape(Box{Vector3(1.0, 1.0, 1.0)}).display_mesh(),
                               Pose(Matrix3::Identity(), Vector3(1.0, 0.0, 0.0))}}});
  const Vector3 pose_shift(0.3, 0.2, 0.1);
  const PlacedShape placed(shape, Pose(Matrix3::Identity(), pose_shift));
  Random random(11);
  for (int i = 0; i < with_effort(400); ++i) {
    const Vector3 p = random.in_box(2.0);
    const Vector3 q = p - Vector3(0.25, 0.0, 0.0);  // about the middle of the union
    const Vector3 beyond = q.cwiseAbs() - Vector3(1.25, 0.5, 0.5);
    const double truth = beyond.maxCoeff() > 0.0 ? beyond.cwiseMax(0.0).norm() : beyond.maxCoeff();
    const SignedDistance d = signed_distance(p + pose_shift, placed);
    EXPECT_LE(d.lower, truth + 1e-12);
    EXPECT_GE(d.upper, truth - 1e-12);
    EXPECT_EQ(d.side, truth > 0.0 ? Containment::Outside : Containment::Inside);
    if (truth > 0.0) {
      EXPECT_NEAR(d.distance, truth, 1e-9);
    }
  }
  TriangleMesh open = Shape(Box{Vector3(1.0, 1.0, 1.0)}).display_mesh();
  open.faces.pop_back();
  EXPECT_THROW(signed_distance(Vector3::Zero(), Shape(Compound{{{open, Pose()}}})), std::invalid_argument);
}

}  // namespace
}  // namespace toccata
