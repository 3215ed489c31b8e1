// Rays through the tree that is made for them: what it leaves out is missed, by exact signs, in every case.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <limits>
#include <set>

#include "hierarchy/ray_tree.hpp"
#include "scenes/parts.hpp"
#include "toccata/base/random.hpp"
#include "toccata/proximity/ray_cast.hpp"

namespace toccata {
namespace {

struct Nearest {
  bool hit = false;
  double parameter = 0.0;
  std::int32_t triangle = -1;
};

// Whether a triangle is met is exact; where is rounded, and says nothing of some needles.
bool is_on_ray(const Ray& ray, double parameter, const Triangle& t) {
  Vector3 lower = t[0], upper = t[0];
  for (const Vector3& corner : t) {
    lower = lower.cwiseMin(corner);
    upper = upper.cwiseMax(corner);
  }
  const Vector3 point = ray.origin + parameter * ray.direction;
  const double slack = 1e-9 * (ray.origin.norm() + t[0].norm());
  return ((point - lower).array() >= -slack).all() && ((upper - point).array() >= -slack).all();
}

// Every triangle.
Nearest nearest_of_all(const TriangleMesh& mesh, const Pose& pose, const Ray& ray, double limit) {
  Nearest best;
  for (std::size_t i = 0; i < mesh.faces.size(); ++i) {
    const Triangle t = transformed(pose, triangle_of(mesh, i));
    const RayTriangleResult r = ray_triangle(ray, t);
    if (r.hit == RayHit::Miss || r.parameter > limit || !is_on_ray(ray, r.parameter, t)) continue;
    if (best.hit && r.parameter >= best.parameter) continue;
    best = {true, r.parameter, static_cast<std::int32_t>(i)};
  }
  return best;
}

// Enough rays that the tree is made, unless the mesh is too small or too large for it.
Shape asked_often(const TriangleMesh& mesh, bool has_tree = true) {
  Shape shape(mesh);
  for (std::size_t i = 0; i <= mesh.faces.size() / 16; ++i)
    ray_cast({shape}, {Vector3::Constant(1e3), Vector3::UnitX()});
  EXPECT_EQ(hierarchy::ray_tree_of(shape.data()) != nullptr, has_tree);
  return shape;
}

Pose random_pose(Random& random, double distance) {
  return {Eigen::AngleAxisd(random.uniform(0.0, 3.0), random.on_sphere()).toRotationMatrix(),
          distance * random.on_sphere()};
}

// A point of the mesh: of a triangle, an edge, or a corner.
Vector3 some_point(const TriangleMesh& mesh, Random& random) {
  const auto index = static_cast<std::size_t>(random.unit() * static_cast<double>(mesh.faces.size()));
  const Triangle t = triangle_of(mesh, std::min(index, mesh.faces.size() - 1));
  const double kind = random.unit();
  if (kind < 0.3) return t[0];
  if (kind < 0.6) return 0.5 * (t[0] + t[1]);
  const double u = random.unit(), v = (1.0 - u) * random.unit();
  return t[0] + u * (t[1] - t[0]) + v * (t[2] - t[0]);
}

void hold_against_all(const TriangleMesh& mesh, Random& random, double far, int rays) {
  const Shape shape = asked_often(mesh);
  int hits = 0;
  for (int i = 0; i < rays; ++i) {
    const Pose pose = i % 2 == 0 ? Pose() : random_pose(random, far);
    const Vector3 aim = pose.apply(some_point(mesh, random));
    Vector3 direction = random.on_sphere() * std::exp(random.uniform(-5.0, 5.0));
    // Along the coordinates, and in the planes of some.
    if (i % 5 == 0) direction = Vector3::Unit(i % 3);
    if (i % 5 == 1) direction[i % 3] = 0.0;
    const Ray ray = {aim - random.uniform(0.0, 3.0) * direction, direction};
    const double limit = i % 7 == 0 ? random.uniform(0.0, 3.0) : std::numeric_limits<double>::infinity();
    const RayCastResult found = ray_cast({shape, pose}, ray, {limit});
    const Nearest truth = nearest_of_all(mesh, pose, ray, limit);
    if (found.hit &&
        !is_on_ray(ray, found.parameter,
                   transformed(pose, triangle_of(mesh, static_cast<std::size_t>(found.triangle)))))
      continue;
    ASSERT_EQ(found.hit, truth.hit) << i;
    if (!truth.hit) continue;
    ++hits;
    ASSERT_EQ(found.parameter, truth.parameter) << i;
    ASSERT_EQ(found.triangle, truth.triangle) << i;
  }
  EXPECT_GT(hits, rays / 4);
}

TEST(RayTree, finds_what_looking_at_every_triangle_finds) {
  Random random(91);
  hold_against_all(scenes::blob(16, 24), random, 10.0, 1500);
  hold_against_all(scenes::gear(8, 4, 2), random, 10.0, 1500);
}

TEST(RayTree, of_any_size_and_place) {
  Random random(92);
  for (const double scale : {1e-30, 1e-11, 1e-6, 1.0, 1e6, 1e11, 1e20}) {
    TriangleMesh mesh = scenes::blob(8, 12);
    for (Vector3& v : mesh.vertices) v = scale * (v + Vector3(3, -2, 1));
    const Shape shape = asked_often(mesh, scale > 1e-12 && scale < 1e12);
    for (int i = 0; i < 300; ++i) {
      const Vector3 aim = some_point(mesh, random), direction = random.on_sphere();
      const Ray ray = {aim - 2.0 * scale * direction, direction};
      const RayCastResult found = ray_cast({shape}, ray);
      const Nearest truth = nearest_of_all(mesh, {}, ray, std::numeric_limits<double>::infinity());
      ASSERT_EQ(found.hit, truth.hit) << scale << " " << i;
      if (truth.hit) {
        ASSERT_EQ(found.triangle, truth.triangle) << scale << " " << i;
      }
    }
  }
}

TEST(RayTree, from_where_floats_end) {
  Random random(94);
  const TriangleMesh mesh = scenes::blob(8, 12);
  const Shape shape = asked_often(mesh);
  for (const double distance : {1e10, 1e17, 1e18, 1e19, 1e30, 1e38, 1e60}) {
    for (int i = 0; i < 36; ++i) {
      Vector3 direction = random.on_sphere();
      if (i % 3 == 0) direction = Vector3::Unit(i / 3 % 3);
      const Ray ray = {some_point(mesh, random) - distance * direction, direction};
      const RayCastResult found = ray_cast({shape}, ray);
      bool is_met = false;
      for (std::size_t k = 0; k < mesh.faces.size(); ++k)
        is_met = is_met || ray_triangle(ray, triangle_of(mesh, k)).hit != RayHit::Miss;
      ASSERT_EQ(found.hit, is_met) << distance << " " << i;
    }
  }
}

TEST(RayTree, of_degenerate_triangles) {
  Random random(93);
  TriangleMesh mesh;
  for (int i = 0; i < 200; ++i) {
    const Vector3 p = random.in_box(1.0), q = random.in_box(1.0);
    const auto first = static_cast<std::int32_t>(mesh.vertices.size());
    mesh.vertices.push_back(p);
    mesh.vertices.push_back(i % 3 == 0 ? p : q);                                        // a point or an edge
    mesh.vertices.push_back(i % 3 == 1 ? Vector3(0.5 * (p + q)) : random.in_box(1.0));  // or a needle
    mesh.faces.push_back({first, first + 1, first + 2});
  }
  hold_against_all(mesh, random, 1.0, 600);
}

TEST(RayTree, holds_every_triangle_once) {
  const TriangleMesh mesh = scenes::gear(8, 4, 2);
  const Shape shape(mesh);
  const hierarchy::RayTree tree = hierarchy::build_ray_tree(shape.data());
  std::multiset<std::int32_t> held;
  for (const hierarchy::RayLeaf& leaf : tree.leaves) held.insert(leaf.triangle, leaf.triangle + leaf.count);
  EXPECT_EQ(held.size(), mesh.faces.size());
  EXPECT_EQ(std::set(held.begin(), held.end()).size(), mesh.faces.size());
}

}  // namespace
}  // namespace toccata
