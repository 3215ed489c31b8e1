// Every box encloses its triangles: the stored floats taken as exact, coordinates solved for in long double.
#include "hierarchy/box_tree.hpp"

#include <gtest/gtest.h>
#include <tbb/task_arena.h>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "base/morton.hpp"
#include "hierarchy/curve_kernels.hpp"
#include "hierarchy/node_heights.hpp"
#include "scenes/torus_knot.hpp"
#include "toccata/base/random.hpp"
#include "toccata/elementary/triangle.hpp"

namespace toccata {
namespace {

using Long3 = Eigen::Matrix<long double, 3, 1>;
using LongMatrix = Eigen::Matrix<long double, 3, 3>;

void collect(const BoxTree& tree, std::int32_t child, std::vector<std::int32_t>& triangles) {
  if (child < 0) {
    triangles.push_back(~child);
    return;
  }
  const BoxNode& node = tree.nodes[static_cast<std::size_t>(child)];
  for (std::int32_t k = 0; k < node.count; ++k) collect(tree, node.child[k], triangles);
}

void expect_encloses(const TriangleMesh& mesh, const Vector3& center) {
  const BoxTree tree = build_box_tree(mesh, center);
  std::vector<std::int32_t> all;
  collect(tree, tree.nodes[0].child[0], all);
  std::vector<int> seen(mesh.faces.size(), 0);
  for (const std::int32_t triangle : all) ++seen[static_cast<std::size_t>(triangle)];
  for (const int count : seen) ASSERT_EQ(count, 1);
  for (const BoxNode& node : tree.nodes) {
    for (std::int32_t slot = 0; slot < node.count; ++slot) {
      LongMatrix axes;
      Long3 place, half;
      for (int i = 0; i < 3; ++i) {
        place[i] = static_cast<long double>(node.origin[i]) + static_cast<long double>(node.center[i][slot]);
        half[i] = node.half[i][slot];
        for (int k = 0; k < 3; ++k) axes(k, i) = node.axis[i][k][slot];
      }
      ASSERT_LE((axes.transpose() * axes - LongMatrix::Identity()).norm(), 1e-6L);
      const LongMatrix inverse = axes.inverse();
      std::vector<std::int32_t> triangles;
      collect(tree, node.child[slot], triangles);
      for (const std::int32_t triangle : triangles) {
        for (const std::int32_t v : mesh.faces[static_cast<std::size_t>(triangle)]) {
          const Long3 p =
              mesh.vertices[static_cast<std::size_t>(v)].cast<long double>() - center.cast<long double>();
          const Long3 x = inverse * (p - place);
          for (int i = 0; i < 3; ++i) ASSERT_LE(std::abs(x[i]), half[i]);
        }
      }
    }
  }
}

TEST(BoxTree, encloses_at_every_scale_and_place) {
  Random random(31);
  for (int round = 0; round < 60; ++round) {
    const double scale = std::pow(10.0, random.uniform(-6, 6));
    const Vector3 offset = round % 3 == 0 ? random.in_box(1e6) : Vector3(Vector3::Zero());
    TriangleMesh mesh;
    const int count = random.integer(1, 300);
    for (int i = 0; i < count; ++i) {
      const int at = static_cast<int>(mesh.vertices.size());
      const Vector3 p = offset + random.in_box(scale);
      const double size = scale * std::pow(10.0, random.uniform(-5, 0));
      const int kind = random.integer(0, 9);
      mesh.vertices.push_back(p);
      mesh.vertices.push_back(kind == 0 ? p : Vector3(p + random.in_box(size)));
      mesh.vertices.push_back(kind <= 1 ? p : Vector3(p + random.in_box(size)));
      mesh.faces.push_back({at, at + 1, at + 2});
    }
    expect_encloses(mesh, offset);
  }
}

TEST(BoxTree, encloses_a_knot_and_coincident_triangles) {
  expect_encloses(scenes::torus_knot(), Vector3(0.01, -0.02, 0.03));
  TriangleMesh same;
  same.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  same.faces.assign(100, {0, 1, 2});
  expect_encloses(same, Vector3::Zero());
}

// No vertex is higher than its box is told to be, and the boxes are told no higher than their corners but for
// rounding.
TEST(BoxTree, heights_of_children) {
  Random random(32);
  for (int round = 0; round < 40; ++round) {
    const double scale = std::pow(10.0, random.uniform(-6, 6));
    const Vector3 offset = round % 2 == 0 ? Vector3(random.in_box(1e3 * scale)) : Vector3(Vector3::Zero());
    TriangleMesh mesh;
    for (int i = 0; i < 300; ++i) mesh.vertices.push_back(offset + random.in_box(scale));
    for (int i = 0; i < 100; ++i) mesh.faces.push_back({3 * i, 3 * i + 1, 3 * i + 2});
    const BoxTree tree = build_box_tree(mesh, offset);
    Vector3 direction = random.on_sphere();
    if (round % 3 == 0) direction = Vector3::Unit(round % 9 / 3);
    for (const BoxNode& node : tree.nodes) {
      double heights[box_width];
      hierarchy::node_heights(direction, node, heights);
      for (int slot = 0; slot < box_width; ++slot) {
        if (slot >= node.count) {
          EXPECT_EQ(heights[slot], -INFINITY);
          continue;
        }
        std::vector<std::int32_t> triangles;
        collect(tree, node.child[slot], triangles);
        for (const std::int32_t t : triangles)
          for (const std::int32_t v : mesh.faces[static_cast<std::size_t>(t)])
            ASSERT_LE(direction.dot(mesh.vertices[static_cast<std::size_t>(v)] - offset), heights[slot]);
        double highest = 0.0;
        for (int i = 0; i < 3; ++i) {
          highest += direction[i] *
                     (static_cast<double>(node.origin[i]) + static_cast<double>(node.center[i][slot]));
          double along = 0.0;
          for (int k = 0; k < 3; ++k) along += direction[k] * static_cast<double>(node.axis[i][k][slot]);
          highest += std::abs(along) * static_cast<double>(node.half[i][slot]);
        }
        ASSERT_GE(heights[slot], highest);
        ASSERT_LE(heights[slot], highest + 1e-5 * static_cast<double>(node.reach));
      }
    }
  }
}

// Two sheets at right angles, in shuffled order: a box that held much of both would be thick.
TEST(BoxTree, cuts_where_boxes_become_flat) {
  TriangleMesh mesh;
  constexpr int side = 24;
  for (int sheet = 0; sheet < 2; ++sheet) {
    for (int i = 0; i < side; ++i) {
      for (int j = 0; j < side; ++j) {
        const auto at = [&](int x, int y) { return sheet == 0 ? Vector3(x, y, 0) : Vector3(side, y, x); };
        const auto first = static_cast<std::int32_t>(mesh.vertices.size());
        for (const Vector3& p : {at(i, j), at(i + 1, j), at(i, j + 1)}) mesh.vertices.push_back(p);
        mesh.faces.push_back({first, first + 1, first + 2});
      }
    }
  }
  Random random(32);
  for (std::size_t i = mesh.faces.size() - 1; i > 0; --i) {
    std::swap(mesh.faces[i], mesh.faces[static_cast<std::size_t>(random.integer(0, static_cast<int>(i)))]);
  }
  const BoxTree tree = build_box_tree(mesh, Vector3::Zero());
  const BoxNode& node = tree.nodes[static_cast<std::size_t>(tree.nodes[0].child[0])];
  for (std::int32_t slot = 0; slot < node.count; ++slot) {
    EXPECT_LT(std::min({node.half[0][slot], node.half[1][slot], node.half[2][slot]}), 1.0F) << slot;
  }
}

// Triangles that share no vertices.
TriangleMesh soup_of(int triangles) {
  TriangleMesh soup;
  Random random(33);
  for (int i = 0; i < triangles; ++i) {
    const Vector3 p = random.in_box(1.0);
    for (int k = 0; k < 3; ++k) soup.vertices.push_back(p + random.in_box(0.05));
    soup.faces.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  }
  return soup;
}

// Large parts are built side by side: the nodes and their order must not tell.
// Of a square the principal axes may lie in its plane as they like: the box would be up to twice as large.
TEST(BoxTree, boxes_lie_along_the_sides_of_a_square) {
  Random random(36);
  for (int round = 0; round < 40; ++round) {
    const int side = random.integer(2, 40);
    const Matrix3 turn = Eigen::AngleAxisd(random.uniform(-3, 3), random.on_sphere()).toRotationMatrix() *
                         random.uniform(0.1, 10);
    TriangleMesh mesh;
    for (int i = 0; i <= side; ++i) {
      for (int j = 0; j <= side; ++j) mesh.vertices.push_back(turn * Vector3(i, j, 0));
    }
    for (int i = 0; i < side; ++i) {
      for (int j = 0; j < side; ++j) {
        const int at = i * (side + 1) + j;
        mesh.faces.push_back({at, at + 1, at + side + 1});
        mesh.faces.push_back({at + side + 2, at + 1, at + side + 1});
      }
    }
    const BoxTree tree = build_box_tree(mesh, Vector3::Zero());
    const BoxNode& whole = tree.nodes[0];
    const double length = turn.col(0).norm() * side;
    // Within 1.4 degrees: 1.05 times; a little more where not all vertices were looked at.
    EXPECT_LE(4.0 * static_cast<double>(whole.half[0][0]) * static_cast<double>(whole.half[1][0]),
              1.1 * length * length)
        << side;
  }
}

TEST(BoxTree, is_the_same_on_any_number_of_threads) {
  for (const TriangleMesh& mesh : {scenes::torus_knot(), soup_of(20000)}) {
    const BoxTree alone = tbb::task_arena(1).execute([&] { return build_box_tree(mesh, Vector3::Zero()); });
    for (const int threads : {2, 3, 8}) {
      const BoxTree tree =
          tbb::task_arena(threads).execute([&] { return build_box_tree(mesh, Vector3::Zero()); });
      ASSERT_EQ(tree.nodes.size(), alone.nodes.size());
      for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
        const auto* bytes = reinterpret_cast<const unsigned char*>(&tree.nodes[i]);
        const auto* expected = reinterpret_cast<const unsigned char*>(&alone.nodes[i]);
        ASSERT_TRUE(std::equal(bytes, bytes + offsetof(BoxNode, count), expected)) << i;
        ASSERT_EQ(tree.nodes[i].count, alone.nodes[i].count);
      }
    }
  }
}

TEST(BoxTree, places_on_the_curve_in_lanes) {
  const TriangleMesh mesh = soup_of(1003);
  const hierarchy::CurveCells cells = {Vector3(0.1, -0.2, 0.3), 200.0};
  for (const std::size_t first : {0U, 1U, 998U}) {
    std::vector<std::uint32_t> codes(mesh.faces.size() - first);
    cells.codes_of(mesh, first, codes.size(), codes.data());
    for (std::size_t i = 0; i < codes.size(); ++i) {
      const Triangle t = triangle_of(mesh, first + i);
      std::uint32_t cell[3];
      for (Eigen::Index k = 0; k < 3; ++k) {
        const double lower = std::min({t[0][k], t[1][k], t[2][k]}) - cells.center[k];
        const double upper = std::max({t[0][k], t[1][k], t[2][k]}) - cells.center[k];
        cell[k] = static_cast<std::uint32_t>(std::clamp((lower + upper) * 200.0 + 512.0, 0.0, 1023.0));
      }
      ASSERT_EQ(codes[i], morton_code(cell[0], cell[1], cell[2])) << i;
    }
  }
}

// Hierarchy and mesh together stay below 200 bytes per triangle.
TEST(BoxTree, is_small) {
  for (const TriangleMesh& mesh : {scenes::torus_knot(), soup_of(5000)}) {
    const auto triangles = static_cast<double>(mesh.faces.size());
    EXPECT_LT(static_cast<double>(build_box_tree(mesh, Vector3::Zero()).memory_bytes()) / triangles, 140.0);
  }
}

}  // namespace
}  // namespace toccata
