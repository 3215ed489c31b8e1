#include "toccata/elementary/triangle_triangle.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "elementary/nearest_guess.hpp"
#include "oracle/exact_triangles.hpp"
#include "toccata/base/random.hpp"
#include "toccata/elementary/triangle_intersection.hpp"

namespace toccata {
namespace {

double size_of(const Triangle& a, const Triangle& b) {
  double size = 0.0;
  for (const Triangle* t : {&a, &b}) {
    for (const Vector3& p : *t) size = std::max(size, p.cwiseAbs().maxCoeff());
  }
  return size;
}

void expect_right(const Triangle& a, const Triangle& b) {
  const oracle::ExactTriangleDistance truth = oracle::exact_triangle_distance(a, b);
  EXPECT_EQ(triangle_triangle_intersect(a, b), truth.meet);
  EXPECT_EQ(triangle_triangle_intersect(b, a), truth.meet);
  const TriangleTriangleDistance result = triangle_triangle_distance(a, b);
  EXPECT_EQ(result.distance == 0.0, truth.meet);
  const double tolerance = 1e-14 * size_of(a, b);
  // A guess may name other features, whose points are really that far apart.
  const TriangleTriangleDistance guess = elementary::guessed_distance(a, b);
  EXPECT_GE(guess.distance, truth.distance - tolerance);
  EXPECT_NEAR((guess.point_a - guess.point_b).norm(), guess.distance, tolerance);
  EXPECT_NEAR(result.distance, truth.distance, tolerance);
  EXPECT_LE(result.lower_distance, truth.distance * (1.0 + 1e-15));
  // The direction is known to rounding over distance.
  EXPECT_GE(result.lower_distance,
            truth.distance - tolerance * std::max(1.0, size_of(a, b) / truth.distance));
  EXPECT_NEAR((result.point_a - result.point_b).norm(), result.distance, tolerance);
}

// Corners on a coarse grid: touching, coplanar and degenerate triangles are common.
Triangle grid_triangle(Random& random, int half) {
  Triangle t;
  for (Vector3& p : t) {
    for (int k = 0; k < 3; ++k) p[k] = random.integer(-half, half);
  }
  return t;
}

TEST(TriangleTriangle, agrees_with_rationals_on_random_triangles) {
  Random random(1);
  for (int i = 0; i < 300; ++i) {
    Triangle a, b;
    const Vector3 offset = random.in_box(1.0);
    for (Vector3& p : a) p = random.in_box(1.0);
    for (Vector3& p : b) p = random.in_box(1.0) + offset;
    expect_right(a, b);
    if (HasFailure()) FAIL() << "trial " << i;
  }
}

TEST(TriangleTriangle, agrees_with_rationals_on_grid_triangles) {
  Random random(2);
  for (int i = 0; i < 2000; ++i) {
    expect_right(grid_triangle(random, 2), grid_triangle(random, 2));
    if (HasFailure()) FAIL() << "trial " << i;
  }
}

TEST(TriangleTriangle, agrees_with_rationals_on_planar_triangles) {
  Random random(3);
  for (int i = 0; i < 600; ++i) {
    Triangle a = grid_triangle(random, 3), b = grid_triangle(random, 3);
    for (Vector3& p : a) p.z() = p.x() + 2.0 * p.y();
    for (Vector3& p : b) p.z() = p.x() + 2.0 * p.y();
    expect_right(a, b);
    if (HasFailure()) FAIL() << "trial " << i;
  }
}

// A needle seen from a point near its middle, nearly parallel needles, and nearly touching pairs far from the
// origin.
TEST(TriangleTriangle, agrees_with_rationals_on_nearly_degenerate_triangles) {
  Random random(4);
  for (int i = 0; i < 400; ++i) {
    Triangle a, b;
    const double width = std::pow(10.0, random.uniform(-17.0, 0.0));
    const double lift = std::pow(10.0, random.uniform(-17.0, 0.0));
    const Vector3 along = random.on_sphere();
    const Vector3 shift = i % 2 == 0 ? Vector3::Zero() : Vector3(random.in_box(100.0));
    a = {shift, shift + along, shift + 0.5 * along + width * random.on_sphere()};
    b = {shift + 0.3 * along + lift * random.on_sphere(), shift + 0.9 * along + width * random.on_sphere(),
         shift + random.in_box(1.0)};
    expect_right(a, b);
    if (HasFailure()) FAIL() << "trial " << i;
  }
}

// Corners of one triangle put, up to rounding, on the other one: the exact predicate decides.
TEST(TriangleTriangle, boolean_is_exact_where_corners_almost_touch) {
  Random random(5);
  int meeting = 0;
  for (int i = 0; i < 600; ++i) {
    Triangle a, b;
    for (Vector3& p : a) p = random.in_box(1.0);
    for (Vector3& p : b) p = random.in_box(1.0);
    const double v = random.uniform(0.0, 0.5), w = random.uniform(0.0, 0.5);
    b[0] = a[0] + v * (a[1] - a[0]) + w * (a[2] - a[0]);
    if (i % 3 == 0) b[1] = 0.5 * (a[0] + a[1]);
    meeting += triangle_triangle_intersect(a, b) ? 1 : 0;
    EXPECT_EQ(triangle_triangle_intersect(a, b), oracle::exact_triangle_distance(a, b).meet) << "trial " << i;
  }
  EXPECT_GT(meeting, 100);
  EXPECT_LT(meeting, 590);
}

TEST(TriangleTriangle, answers_do_not_depend_on_scale) {
  Random random(6);
  for (const double scale : {0x1p-400, 1e-6, 1e6, 0x1p400}) {
    for (int i = 0; i < 200; ++i) {
      Triangle a = grid_triangle(random, 2), b = grid_triangle(random, 2);
      const bool meet = triangle_triangle_intersect(a, b);
      for (Vector3& p : a) p *= scale;
      for (Vector3& p : b) p *= scale;
      EXPECT_EQ(triangle_triangle_intersect(a, b), meet);
    }
  }
}

TEST(TriangleTriangle, points_lie_on_the_features_they_name) {
  Random random(7);
  for (int i = 0; i < 2000; ++i) {
    Triangle a, b;
    for (Vector3& p : a) p = random.in_box(1.0);
    for (Vector3& p : b) p = random.in_box(1.0) + Vector3(1.5, 0.0, 0.0);
    const TriangleTriangleDistance d = triangle_triangle_distance(a, b);
    if (d.distance == 0.0) continue;
    if (d.feature_a.kind == FeatureKind::Vertex) {
      EXPECT_EQ(d.point_a, a[d.feature_a.index]);
    } else {
      EXPECT_TRUE(d.feature_b.kind == FeatureKind::Vertex || d.feature_a.kind == FeatureKind::Edge);
    }
    if (d.feature_b.kind == FeatureKind::Vertex) {
      EXPECT_EQ(d.point_b, b[d.feature_b.index]);
    }
    if (d.feature_a.kind == FeatureKind::Edge) {
      const Vector3& p = a[d.feature_a.index];
      const Vector3& q = a[(d.feature_a.index + 1) % 3];
      EXPECT_NEAR((d.point_a - p).norm() + (d.point_a - q).norm(), (p - q).norm(), 1e-14);
    }
  }
}

}  // namespace
}  // namespace toccata
