#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "oracle/moving_bodies.hpp"
#include "scenes/torus_knot.hpp"
#include "toccata/base/random.hpp"
#include "toccata/bound/aabb.hpp"
#include "toccata/bound/k_dop.hpp"
#include "toccata/bound/line_swept_sphere.hpp"
#include "toccata/bound/obb.hpp"
#include "toccata/bound/rectangle_swept_sphere.hpp"
#include "toccata/bound/sphere.hpp"
#include "toccata/elementary/triangle_intersection.hpp"
#include "toccata/elementary/triangle_triangle.hpp"
#include "toccata/proximity/containment.hpp"
#include "toccata/proximity/distance.hpp"
#include "toccata/proximity/hierarchy_query.hpp"
#include "toccata/proximity/intersects.hpp"
#include "toccata/proximity/ray_cast.hpp"

namespace toccata {
namespace {

TriangleMesh random_soup(Random& random, int count, double size) {
  TriangleMesh mesh;
  for (int i = 0; i < count; ++i) {
    const Vector3 middle = random.in_box(1.0);
    for (int k = 0; k < 3; ++k) mesh.vertices.push_back(middle + size * random.in_box(1.0));
    mesh.faces.push_back({3 * i, 3 * i + 1, i % 17 == 0 ? 3 * i : 3 * i + 2});  // some are segments
  }
  return mesh;
}

using oracle::random_pose;

struct BruteForce {
  double distance = INFINITY;
  std::vector<TrianglePair> pairs;
};

BruteForce brute_force(const PlacedShape& a, const PlacedShape& b) {
  BruteForce result;
  for (std::size_t i = 0; i < a.shape.mesh().faces.size(); ++i) {
    const Triangle ta = transformed(a.pose, triangle_of(a.shape.mesh(), i));
    for (std::size_t j = 0; j < b.shape.mesh().faces.size(); ++j) {
      const Triangle tb = transformed(b.pose, triangle_of(b.shape.mesh(), j));
      result.distance = std::min(result.distance, triangle_triangle_distance(ta, tb).distance);
      if (triangle_triangle_intersect(ta, tb)) {
        result.pairs.push_back({static_cast<std::int32_t>(i), static_cast<std::int32_t>(j)});
      }
    }
  }
  return result;
}

TEST(Distance, agrees_with_brute_force) {
  Random random(1);
  for (int trial = 0; trial < 150; ++trial) {
    const double scale = trial % 3 == 0 ? 1e-6 : trial % 3 == 1 ? 1.0 : 1e6;
    TriangleMesh soup_a = random_soup(random, 1 + trial % 60, 0.2),
                 soup_b = random_soup(random, 1 + trial % 37, 0.2);
    for (Vector3& v : soup_a.vertices) v *= scale;
    for (Vector3& v : soup_b.vertices) v *= scale;
    const Shape a(soup_a), b(soup_b);
    Pose pose_a = random_pose(random, 2.5 * scale);
    Pose pose_b = random_pose(random, 0.5 * scale);
    if (trial % 5 == 0) {
      pose_a.translation += Vector3::Constant(1e6 * scale);
      pose_b.translation += Vector3::Constant(1e6 * scale);
    }
    const BruteForce truth = brute_force({a, pose_a}, {b, pose_b});
    const DistanceResult result = distance({a, pose_a}, {b, pose_b});
    EXPECT_EQ(result.distance, truth.distance) << "trial " << trial;
    EXPECT_LE(result.lower_distance, truth.distance);
    EXPECT_GE(result.lower_distance, truth.distance - 1e-8 * scale);
    EXPECT_NEAR((result.contact.point_a - result.contact.point_b).norm(), result.distance,
                1e-15 * scale + 1e-15 * result.contact.point_a.norm());
    if (result.distance > 0.0) {
      EXPECT_NEAR(result.contact.normal.norm(), 1.0, 1e-14);
    }
    const IntersectsResult all = intersects({a, pose_a}, {b, pose_b}, {true});
    EXPECT_EQ(all.pairs, truth.pairs) << "trial " << trial;
    EXPECT_EQ(intersects({a, pose_a}, {b, pose_b}).intersects, !truth.pairs.empty());
    // The same bodies the other way round.
    EXPECT_EQ(distance({b, pose_b}, {a, pose_a}).distance, truth.distance);
    EXPECT_EQ(intersects({b, pose_b}, {a, pose_a}).intersects, !truth.pairs.empty());
  }
}

TEST(Distance, within_is_sharp) {
  Random random(2);
  for (int trial = 0; trial < 100; ++trial) {
    const Shape a(random_soup(random, 50, 0.1)), b(random_soup(random, 50, 0.1));
    const Pose pose = random_pose(random, 4.0);
    const double truth = brute_force({a, pose}, {b}).distance;
    EXPECT_TRUE(within({a, pose}, {b}, truth).within);
    EXPECT_TRUE(within({a, pose}, {b}, 2.0 * truth + 0.1).within);
    if (truth > 0.0) {
      EXPECT_FALSE(within({a, pose}, {b}, std::nextafter(truth, 0.0)).within);
      EXPECT_FALSE(within({a, pose}, {b}, 0.5 * truth).within);
    }
    EXPECT_FALSE(within({a, pose}, {b}, -1.0).within);
  }
}

TEST(Distance, errors_stay_within_what_was_asked) {
  Random random(3);
  const Shape knot(scenes::torus_knot());
  for (int trial = 0; trial < 20; ++trial) {
    const Pose pose = random_pose(random, 4.0);
    const double truth = distance({knot, pose}, {knot}).distance;
    const DistanceResult relative = distance({knot, pose}, {knot}, {0.1, 0.0});
    EXPECT_GE(relative.distance, truth);
    EXPECT_LE(relative.distance * 0.9, truth * (1.0 + 1e-12));
    EXPECT_LE(relative.lower_distance, truth * (1.0 + 1e-15));
    const DistanceResult absolute = distance({knot, pose}, {knot}, {0.0, 0.05});
    EXPECT_LE(absolute.distance - 0.05, truth + 1e-12);
    EXPECT_GE(absolute.distance, truth);
    const DistanceResult limited = distance({knot, pose}, {knot}, {0.0, 0.0, 0.5 * truth});
    EXPECT_TRUE(std::isinf(limited.distance) || truth == 0.0);
    EXPECT_LE(limited.lower_distance, truth);
    EXPECT_GE(limited.lower_distance, 0.5 * truth * (1.0 - 1e-12));
  }
}

TEST(Distance, takes_meshes_without_triangles) {
  Random random(4);
  const Shape some(random_soup(random, 5, 0.1)), none(TriangleMesh{});
  EXPECT_TRUE(std::isinf(distance({some}, {none}).distance));
  EXPECT_FALSE(intersects({none}, {some}).intersects);
  EXPECT_FALSE(within({none}, {none}, 1e300).within);
  EXPECT_FALSE(ray_cast({none}, {Vector3::Zero(), Vector3::UnitX()}).hit);
  EXPECT_EQ(containment({some}, {none}), Containment::Undefined);
}

template <typename V>
class EveryVolume : public testing::Test {};
using All = testing::Types<Sphere, Aabb, KDop14, KDop18, KDop26, Obb, LineSweptSphere, RectangleSweptSphere>;
TYPED_TEST_SUITE(EveryVolume, All);

TYPED_TEST(EveryVolume, gives_the_same_answers) {
  Random random(5);
  const TriangleMesh mesh = scenes::torus_knot({.along = 48, .around = 6});
  const Shape knot(mesh);
  const Hierarchy<TypeParam> tree(mesh, {2, 0});
  int touching = 0;
  for (int trial = 0; trial < 40; ++trial) {
    const Pose pose_a = random_pose(random, 2.0), pose_b = random_pose(random, 1.0);
    const DistanceResult fast = distance({knot, pose_a}, {knot, pose_b});
    const PlacedHierarchy<TypeParam> a = {mesh, tree, pose_a}, b = {mesh, tree, pose_b};
    EXPECT_EQ(hierarchy_distance(a, b).distance, fast.distance);
    EXPECT_EQ(hierarchy_intersects(a, b).intersects, fast.distance == 0.0);
    touching += fast.distance == 0.0 ? 1 : 0;
  }
  EXPECT_GT(touching, 5);
  EXPECT_LT(touching, 38);
}

TEST(RayCast, agrees_with_trying_every_triangle) {
  Random random(6);
  int hits = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const Shape soup(random_soup(random, 1 + trial % 200, 0.2));
    const PlacedShape placed = {soup, random_pose(random, trial % 2 == 0 ? 1.0 : 1e5)};
    Ray ray = {placed.pose.apply(random.in_box(3.0)), Vector3::Zero()};
    const Vector3 target = placed.pose.apply(soup.mesh().vertices[static_cast<std::size_t>(
        random.integer(0, static_cast<int>(soup.mesh().vertices.size()) - 1))]);
    ray.direction = random.uniform(0.01, 3.0) *
                    (trial % 3 == 0 ? Vector3(random.on_sphere()) : Vector3(target - ray.origin));
    RayTriangleResult best;
    std::int32_t triangle = -1;
    for (std::size_t i = 0; i < soup.mesh().faces.size(); ++i) {
      const RayTriangleResult r = ray_triangle(ray, transformed(placed.pose, triangle_of(soup.mesh(), i)));
      if (r.hit == RayHit::Miss) continue;
      if (triangle < 0 || r.parameter < best.parameter) best = r, triangle = static_cast<std::int32_t>(i);
    }
    const RayCastResult result = ray_cast(placed, ray);
    ASSERT_EQ(result.hit, triangle >= 0) << "trial " << trial;
    if (!result.hit) continue;
    ++hits;
    EXPECT_EQ(result.parameter, best.parameter);
    EXPECT_EQ(result.triangle, triangle);
    EXPECT_FALSE(ray_cast(placed, ray, {0.5 * best.parameter}).hit && best.parameter > 0.0);
  }
  EXPECT_GT(hits, 50);
}

TriangleMesh box(double half) {
  TriangleMesh mesh;
  for (int i = 0; i < 8; ++i)
    mesh.vertices.push_back(half * Vector3((i & 1) ? 1 : -1, (i & 2) ? 1 : -1, (i & 4) ? 1 : -1));
  mesh.faces = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  return mesh;
}

TEST(Containment, tells_inside_outside_mixed_and_crossing) {
  const Shape large(box(2.0)), small(box(0.5));
  const Pose away = {Matrix3::Identity(), Vector3(10, 0, 0)},
             across = {Matrix3::Identity(), Vector3(2, 0, 0)};
  EXPECT_TRUE(large.is_closed());
  EXPECT_EQ(containment({small}, {large}), Containment::Inside);
  EXPECT_EQ(containment({large}, {small}), Containment::Outside);
  EXPECT_EQ(containment({small, away}, {large}), Containment::Outside);
  EXPECT_EQ(containment({small, across}, {large}), Containment::Crossing);
  TriangleMesh two = box(0.5);
  for (const Vector3& v : box(0.5).vertices) two.vertices.push_back(v + Vector3(10, 0, 0));
  for (const Face& f : box(0.5).faces) two.faces.push_back({f[0] + 8, f[1] + 8, f[2] + 8});
  EXPECT_EQ(containment({Shape(two)}, {large}), Containment::Mixed);
  TriangleMesh open = box(2.0);
  open.faces.pop_back();
  EXPECT_EQ(containment({small}, {Shape(open)}), Containment::Undefined);
  EXPECT_EQ(point_containment(Vector3(2, 0, 0), {large}), Containment::Crossing);
  EXPECT_EQ(point_containment(Vector3(2, 2, 2), {large}), Containment::Crossing);
  EXPECT_EQ(point_containment(Vector3(0, 0, 0), {large}), Containment::Inside);
  EXPECT_EQ(point_containment(Vector3(2.0000001, 0, 0), {large}), Containment::Outside);
}

// Two boxes that overlap by one from 0.5 to 1.5 along x, and a third apart from them.
TEST(Containment, of_parts_that_cover_together) {
  Compound parts;
  parts.parts.push_back({Box{{3, 2, 2}}, {Matrix3::Identity(), {0, 0, 0}}});
  parts.parts.push_back({Box{{3, 2, 2}}, {Matrix3::Identity(), {2, 0, 0}}});
  parts.parts.push_back({Box{{1, 1, 1}}, {Matrix3::Identity(), {9, 0, 0}}});
  const Shape outer = std::move(Shape::build(parts)).value();
  const Vector3 seam(1.0, 0.0, 0.0);
  const auto held = [&](const Geometry& inner, const Vector3& at) {
    return containment({std::move(Shape::build(inner)).value(), {Matrix3::Identity(), at}}, {outer});
  };
  for (const double length : {1.0, 3.0, 4.5}) {
    EXPECT_EQ(held(Box{{length, 0.5, 0.5}}, seam), Containment::Inside) << length;
    EXPECT_EQ(held(Capsule{0.25, length}, {0, 0, 0}),
              length < 1.5 ? Containment::Inside : Containment::Crossing);
    EXPECT_EQ(held(Ellipsoid{{0.5 * length, 0.5, 0.5}}, seam), Containment::Inside) << length;
  }
  EXPECT_EQ(held(box(0.4), seam), Containment::Inside);  // as triangles
  EXPECT_EQ(held(Box{{5.5, 0.5, 0.5}}, seam), Containment::Crossing);
  EXPECT_EQ(held(Box{{1, 0.5, 2.5}}, seam), Containment::Crossing);
  EXPECT_EQ(held(Box{{16, 0.5, 0.5}}, {4, 0, 0}), Containment::Crossing);
  EXPECT_EQ(held(Ball{0.5}, {5, 0, 0}), Containment::Outside);
  // The second part holds it, the first one only a bit of it.
  EXPECT_EQ(held(Ball{0.4}, {1.3, 0, 0}), Containment::Inside);
}

TEST(Shape, is_small) {
  const Shape knot(scenes::torus_knot());
  EXPECT_LE(static_cast<double>(knot.memory_bytes()) / static_cast<double>(knot.mesh().faces.size()), 200.0);
}

}  // namespace
}  // namespace toccata
