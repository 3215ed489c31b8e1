#include "toccata/hierarchy/region_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "oracle/adversarial_meshes.hpp"

namespace toccata {
namespace {

RegionTree tree_of(const test::MovingMesh& mesh) {
  std::vector<std::int32_t> all(mesh.object.faces.size());
  std::iota(all.begin(), all.end(), 0);
  return build_region_tree(mesh.t0, mesh.object.faces, all, {.smallest_contour = 1});
}

using DirectedEdges = std::map<std::array<std::int32_t, 2>, int>;

// The boundary of a set of triangles as a chain, by counting.
DirectedEdges boundary(const RegionTree& tree, const std::vector<Face>& faces, const RegionNode& node) {
  DirectedEdges edges;
  for (std::int32_t rank = node.begin; rank < node.end; ++rank) {
    Face f = faces[tree.order[rank]];
    if (tree.flipped[rank]) std::swap(f[0], f[1]);
    for (int k = 0; k < 3; ++k) {
      const std::int32_t a = f[k], b = f[(k + 1) % 3];
      a < b ? ++edges[{a, b}] : --edges[{b, a}];
    }
  }
  DirectedEdges chain;
  for (const auto& [edge, count] : edges) {
    if (count > 0) chain[edge] = count;
    if (count < 0) chain[{edge[1], edge[0]}] = -count;
  }
  return chain;
}

DirectedEdges contour_edges(std::span<const std::int32_t> contour) {
  DirectedEdges edges;
  std::size_t first = 0;
  for (std::size_t i = 0; i < contour.size(); ++i) {
    const bool last = contour[i] < 0;
    const std::int32_t next = contour[last ? first : i + 1];
    ++edges[{last ? ~contour[i] : contour[i], next < 0 ? ~next : next}];
    if (last) first = i + 1;
  }
  return edges;
}

TEST(RegionTree, is_a_tree_over_all_elements_with_true_contours) {
  std::size_t contours = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    Random random(seed);
    const test::MovingMesh mesh = test::random_moving_mesh(random);
    const RegionTree tree = tree_of(mesh);
    const std::size_t count = mesh.object.faces.size();
    ASSERT_EQ(tree.nodes.size(), 2 * count - 1);
    std::vector<std::int32_t> order = tree.order;
    std::sort(order.begin(), order.end());
    for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(order[i], static_cast<std::int32_t>(i));
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
      const RegionNode& node = tree.nodes[i];
      if (!node.is_leaf()) {
        ASSERT_EQ(tree.nodes[i + 1].begin, node.begin);
        ASSERT_EQ(tree.nodes[i + 1].end, tree.nodes[node.right].begin);
        ASSERT_EQ(tree.nodes[node.right].end, node.end);
      }
      if (!node.has_contour()) continue;
      ++contours;
      ASSERT_EQ(contour_edges(tree.contour(node)), boundary(tree, mesh.object.faces, node))
          << "seed " << seed;
    }
  }
  EXPECT_GT(contours, 3000u);
}

TEST(RegionTree, regions_of_a_grid_are_connected_compact_and_balanced) {
  const test::MovingMesh mesh = test::grid_mesh(64, 64);
  const RegionTree tree = tree_of(mesh);
  std::vector<int> depth(tree.nodes.size(), 0);
  int deepest = 0;
  double large = 0, length = 0;
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    const RegionNode& node = tree.nodes[i];
    EXPECT_TRUE(node.has_contour());
    deepest = std::max(deepest, depth[i]);
    if (!node.is_leaf()) depth[i + 1] = depth[node.right] = depth[i] + 1;
    if (node.size() >= 64 && node.size() <= 256) {
      large += 1;
      length += (node.contour_end - node.contour_begin) / std::sqrt(node.size() * 0.5);
    }
  }
  EXPECT_LE(deepest, 24);                // log2(8192) = 13
  EXPECT_LT(length / large, 4.0 * 1.6);  // a square has 4
}

TEST(RegionTree, turns_triangles_until_neighbours_agree) {
  test::MovingMesh mesh = test::grid_mesh(10, 10);
  Random random(3);
  for (Face& f : mesh.object.faces) {
    if (random.integer(0, 1)) std::swap(f[1], f[2]);
  }
  const RegionTree tree = tree_of(mesh);
  EXPECT_EQ(tree.nodes[0].contour_end - tree.nodes[0].contour_begin, 40);
}

TEST(RegionTree, components_are_numbered_by_their_first_element) {
  const std::vector<Face> faces = {{0, 1, 2}, {5, 6, 7}, {2, 3, 4}, {8, 8, 8}};
  const ElementComponents components = element_components(faces, 9);
  EXPECT_EQ(components.count, 3);
  EXPECT_EQ(components.of_element, (std::vector<std::int32_t>{0, 1, 0, 2}));
}

}  // namespace
}  // namespace toccata
