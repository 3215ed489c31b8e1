#include "toccata/hierarchy/hierarchy.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "scenes/torus_knot.hpp"
#include "toccata/base/random.hpp"
#include "toccata/bound/aabb.hpp"
#include "toccata/bound/obb.hpp"
#include "toccata/bound/rectangle_swept_sphere.hpp"
#include "toccata/bound/sphere.hpp"

namespace toccata {
namespace {

void expect_sound(const TriangleMesh& mesh, const Topology& tree, int leaf_size) {
  ASSERT_EQ(tree.order.size(), mesh.faces.size());
  std::vector<std::int32_t> sorted = tree.order;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 0; i < sorted.size(); ++i) ASSERT_EQ(sorted[i], static_cast<std::int32_t>(i));
  std::int32_t leaves = 0;
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    const Topology::Node& node = tree.nodes[i];
    ASSERT_GT(node.count, 0);
    if (node.right < 0) {
      ASSERT_LE(node.count, leaf_size);
      leaves += node.count;
      continue;
    }
    const Topology::Node &left = tree.nodes[i + 1], &right = tree.nodes[node.right];
    ASSERT_EQ(left.first, node.first);
    ASSERT_EQ(left.first + left.count, right.first);
    ASSERT_EQ(left.count + right.count, node.count);
  }
  ASSERT_EQ(leaves, static_cast<std::int32_t>(mesh.faces.size()));
}

TEST(Topology, covers_every_triangle_once) {
  const TriangleMesh knot = scenes::torus_knot();
  for (const int leaf_size : {1, 4, 16}) expect_sound(knot, build_topology(knot, {leaf_size, 0}), leaf_size);
  EXPECT_TRUE(build_topology(TriangleMesh{}).nodes.empty());
}

TEST(Topology, does_not_depend_on_threads) {
  const TriangleMesh knot = scenes::torus_knot();
  const Topology one = build_topology(knot, {1, 1}), many = build_topology(knot, {1, 0}),
                 three = build_topology(knot, {1, 3});
  EXPECT_EQ(one.order, many.order);
  EXPECT_EQ(one.order, three.order);
}

TEST(Topology, takes_coincident_huge_and_tiny_triangles) {
  Random random(1);
  TriangleMesh mesh;
  for (int i = 0; i < 900; ++i) {
    const double scale = i < 300 ? 0.0 : i < 600 ? 1e300 : 1e-300;
    for (int k = 0; k < 3; ++k) mesh.vertices.push_back(scale * random.in_box(1.0));
    mesh.faces.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  expect_sound(mesh, build_topology(mesh), 1);
  for (Vector3& v : mesh.vertices) v = Vector3(1, 2, 3);
  expect_sound(mesh, build_topology(mesh), 1);
}

TEST(Hierarchy, every_node_encloses_its_triangles) {
  const TriangleMesh knot = scenes::torus_knot({.along = 60, .around = 8});
  const Hierarchy<Aabb> boxes(knot);
  const Hierarchy<Sphere> spheres(knot, {2, 0});
  for (const auto& node : boxes.nodes()) {
    for (std::int32_t k = node.first; k < node.first + node.count; ++k) {
      for (const std::int32_t v : knot.faces[boxes.order()[k]]) {
        ASSERT_TRUE((knot.vertices[v].array() >= node.volume.lower.array()).all());
        ASSERT_TRUE((knot.vertices[v].array() <= node.volume.upper.array()).all());
      }
    }
  }
  for (const auto& node : spheres.nodes()) {
    for (std::int32_t k = node.first; k < node.first + node.count; ++k) {
      for (const std::int32_t v : knot.faces[spheres.order()[k]]) {
        ASSERT_LE((knot.vertices[v] - node.volume.center).norm(), node.volume.radius);
      }
    }
  }
  EXPECT_GT(boxes.memory_bytes(), knot.faces.size() * sizeof(Hierarchy<Aabb>::Node));
}

}  // namespace
}  // namespace toccata
