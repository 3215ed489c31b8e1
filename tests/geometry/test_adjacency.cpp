#include "oracle/test_data.hpp"
#include "toccata/geometry/adjacency.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <queue>
#include <set>

#include "scenes/torus_knot.hpp"
#include "toccata/base/random.hpp"
#include "toccata/io/mesh_io.hpp"

namespace toccata {
namespace {

std::vector<std::int32_t> listed(std::span<const std::int32_t> list) {
  return {list.begin(), list.end()};
}

TriangleMesh random_soup(std::uint64_t seed, int vertices, int faces) {
  Random random(seed);
  TriangleMesh mesh;
  for (int i = 0; i < vertices; ++i) mesh.vertices.push_back(random.in_box(1));
  for (int i = 0; i < faces; ++i) {
    const int a = random.integer(0, vertices - 1), b = random.integer(0, vertices - 1);
    mesh.faces.push_back({a, b, random.integer(0, vertices - 1)});
  }
  return mesh;
}

// The same tables from ordered sets.
struct SlowAdjacency {
  explicit SlowAdjacency(const TriangleMesh& mesh) : vertex_faces(mesh.vertices.size()) {
    for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
      for (std::size_t k = 0; k < 3; ++k) {
        const int a = mesh.faces[f][k], b = mesh.faces[f][(k + 1) % 3];
        vertex_faces[a].insert(static_cast<int>(f));
        if (a != b) edge_faces[{std::min(a, b), std::max(a, b)}].insert(static_cast<int>(f));
      }
    }
  }
  std::map<std::pair<int, int>, std::set<int>> edge_faces;  // sorted by (i, j)
  std::vector<std::set<int>> vertex_faces;
};

int slow_component_count(const TriangleMesh& mesh, const IndexLists& faces_of) {
  std::vector<bool> seen(mesh.vertices.size(), false);
  int count = 0;
  for (std::size_t start = 0; start < seen.size(); ++start) {
    if (seen[start]) continue;
    ++count;
    std::queue<std::size_t> todo({start});
    seen[start] = true;
    for (; !todo.empty(); todo.pop()) {
      for (const std::int32_t f : faces_of[todo.front()]) {
        for (const std::int32_t v : mesh.faces[f]) {
          if (!seen[v]) todo.push(v);
          seen[v] = true;
        }
      }
    }
  }
  return count;
}

TEST(Adjacency, agrees_with_ordered_sets_on_soups) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const int size = 2 + static_cast<int>(seed % 40);
    const TriangleMesh mesh = random_soup(seed, size, size * static_cast<int>(seed % 5) / 2);
    const SlowAdjacency slow(mesh);
    for (const EdgeOrder order : {EdgeOrder::ByFirstVertex, EdgeOrder::BySecondVertex}) {
      const MeshEdges edges = mesh_edges(mesh, order);
      ASSERT_EQ(edges.edges.size(), slow.edge_faces.size());
      EXPECT_TRUE(std::is_sorted(edges.edges.begin(), edges.edges.end(), [&](const Edge& a, const Edge& b) {
        return order == EdgeOrder::ByFirstVertex ? a < b : std::pair(a[1], a[0]) < std::pair(b[1], b[0]);
      }));
      const IndexLists around = edge_faces(edges);
      const EdgeCensus census = edge_census(edges);
      std::size_t boundary = 0, non_manifold = 0;
      for (std::size_t e = 0; e < edges.edges.size(); ++e) {
        const auto expected = slow.edge_faces.at({edges.edges[e][0], edges.edges[e][1]});
        EXPECT_EQ(listed(around[e]), std::vector<std::int32_t>(expected.begin(), expected.end()));
        boundary += expected.size() == 1;
        non_manifold += expected.size() > 2;
      }
      EXPECT_EQ(census.boundary.size(), boundary);
      EXPECT_EQ(census.non_manifold.size(), non_manifold);
      for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
        for (std::size_t k = 0; k < 3; ++k) {
          const auto [i, j] = std::minmax(mesh.faces[f][k], mesh.faces[f][(k + 1) % 3]);
          const std::int32_t e = edges.face_edges[f][k];
          if (i == j) {
            EXPECT_EQ(e, -1);
          } else {
            EXPECT_EQ(edges.edges[e], (Edge{i, j}));
          }
        }
      }
      const IndexLists touching = vertex_edges(edges, mesh.vertices.size());
      for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
        std::vector<std::int32_t> expected;
        for (std::size_t e = 0; e < edges.edges.size(); ++e) {
          if (edges.edges[e][0] == static_cast<int>(v) || edges.edges[e][1] == static_cast<int>(v)) {
            expected.push_back(static_cast<std::int32_t>(e));
          }
        }
        EXPECT_EQ(listed(touching[v]), expected);
      }
    }
    const IndexLists faces = vertex_faces(mesh);
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
      EXPECT_EQ(listed(faces[v]),
                std::vector<std::int32_t>(slow.vertex_faces[v].begin(), slow.vertex_faces[v].end()));
    }
    const MeshComponents components = connected_components(mesh);
    EXPECT_EQ(components.count, slow_component_count(mesh, faces));
    for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
      for (const std::int32_t v : mesh.faces[f]) EXPECT_EQ(components.of_vertex[v], components.of_face[f]);
    }
  }
}

TEST(Adjacency, closed_knot) {
  const TriangleMesh knot = scenes::torus_knot();
  const MeshEdges edges = mesh_edges(knot);
  const EdgeCensus census = edge_census(edges);
  EXPECT_TRUE(census.is_closed() && census.is_manifold());
  // Euler: V - E + F = 0 on a torus.
  EXPECT_EQ(knot.vertices.size() + knot.faces.size(), edges.edges.size());
  EXPECT_EQ(connected_components(knot).count, 1);
}

TEST(Adjacency, empty_and_faceless_meshes) {
  EXPECT_TRUE(mesh_edges({}).edges.empty());
  EXPECT_EQ(vertex_faces({}).size(), 0u);
  const TriangleMesh points{{{0, 0, 0}, {1, 0, 0}}, {}};
  EXPECT_EQ(connected_components(points).count, 2);
  EXPECT_EQ(vertex_faces(points)[1].size(), 0u);
}

// In the public frames, edge ids count from the number of vertices in the order (j, i). In every listed
// edge-edge pair the ids must then be edges, which would fail for a wrong number of unique edges.
TEST(Adjacency, edge_numbers_of_the_public_frames) {
  const std::string folder = test_data("frames/cloth-funnel");
  const TriangleMesh mesh = *load_mesh(folder + "/frames/227.ply");
  const TriangleMesh end = *load_mesh(folder + "/frames/228.ply");
  const MeshEdges edges = mesh_edges(mesh, EdgeOrder::BySecondVertex);
  std::ifstream boxes(folder + "/boxes/227ee.json"), queries(folder + "/queries/227ee.csv");
  // The first pair of ids must give the coordinates of the first query.
  char c;
  long a = 0, b = 0;
  boxes >> c >> c >> a >> c >> b;
  const auto n = static_cast<long>(mesh.vertices.size());
  const Edge ea = edges.edges.at(a - n), eb = edges.edges.at(b - n);
  for (const Vector3& expected : {mesh.vertices[ea[0]], mesh.vertices[ea[1]], mesh.vertices[eb[0]],
                                  mesh.vertices[eb[1]], end.vertices[ea[0]]}) {
    for (int axis = 0; axis < 3; ++axis) {
      double numerator = 0, denominator = 1;
      queries >> numerator >> c >> denominator;
      if (axis < 2) queries >> c;
      EXPECT_EQ(numerator / denominator, expected[axis]);
    }
  }
}

}  // namespace
}  // namespace toccata
