// Topology and clusters are the same on any number of threads, and the lists of neighbours hold what two
// clusters have in common, looked for vertex by vertex.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <set>
#include <span>
#include <thread>

#include "ccd/deformable/clusters/cluster_boxes.hpp"
#include "ccd/deformable/clusters/cluster_mesh.hpp"
#include "toccata/base/random.hpp"

namespace toccata::deformable::clusters {
namespace {

// Two wavy sheets with holes, wires and free points; faces in random order, each from a random corner on.
DeformableObject random_object(Random& random, int side, Step& step) {
  DeformableObject object;
  for (int sheet = 0; sheet < 2; ++sheet) {
    const std::int32_t base = object.vertex_count;
    for (int j = 0; j <= side; ++j) {
      for (int i = 0; i <= side; ++i) {
        MovingVertex m;
        const Vector3 at(i, j, 10.0 * sheet + 3.0 * std::sin(0.2 * i) * std::cos(0.3 * j));
        for (int k = 0; k < 3; ++k) m.t0[k] = m.t1[k] = at[k];
        step.vertices.push_back(m);
      }
    }
    const auto at = [&](int i, int j) { return base + j * (side + 1) + i; };
    for (int j = 0; j < side; ++j) {
      for (int i = 0; i < side; ++i) {
        if (random.integer(0, 40) == 0) continue;
        object.faces.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
        object.faces.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
      }
    }
    object.vertex_count = static_cast<std::int32_t>(step.vertices.size());
  }
  for (std::size_t f = object.faces.size() - 1; f > 0; --f) {
    std::swap(object.faces[f],
              object.faces[static_cast<std::size_t>(random.integer(0, static_cast<int>(f)))]);
    std::rotate(object.faces[f].begin(), object.faces[f].begin() + random.integer(0, 2),
                object.faces[f].end());
  }
  for (int w = 0; w < 50; ++w) {
    object.wires.push_back(
        {random.integer(0, object.vertex_count - 1), random.integer(0, object.vertex_count - 1)});
  }
  // A hub: a vertex of more clusters than are listed.
  for (int i = 0; i < 1200; ++i)
    object.faces.push_back({0, random.integer(1, side), random.integer(1, side) + side + 1});
  step.lower.setConstant(-5.0);
  step.upper.setConstant(side + 20.0);
  return object;
}

TEST(ParallelBuild, topology_and_clusters_do_not_depend_on_the_threads) {
  for (const int side : {3, 30, 100}) {
    Random random(static_cast<std::uint64_t>(side));
    Step step;
    const DeformableObject object = random_object(random, side, step);
    const auto topology = make_topology({object}, 1);
    ASSERT_TRUE(topology.has_value());
    const ClusterMesh mesh = build_clusters(*topology, step, {}, 1);
    for (const int threads : {2, 3, 0}) {
      const auto other = make_topology({object}, threads);
      ASSERT_TRUE(other.has_value());
      EXPECT_EQ(other->edges, topology->edges);
      EXPECT_EQ(other->face_edges, topology->face_edges);
      EXPECT_EQ(other->wires, topology->wires);
      EXPECT_EQ(other->points, topology->points);
      EXPECT_EQ(other->vertex_component, topology->vertex_component);
      const ClusterMesh again = build_clusters(*other, step, {}, threads);
      EXPECT_EQ(again.vertices, mesh.vertices);
      EXPECT_EQ(again.vertex_edges, mesh.vertex_edges);
      EXPECT_EQ(again.vertex_faces, mesh.vertex_faces);
      EXPECT_EQ(again.faces, mesh.faces);
      EXPECT_EQ(again.edges, mesh.edges);
      EXPECT_EQ(again.owned, mesh.owned);
      EXPECT_EQ(again.face_corners, mesh.face_corners);
      EXPECT_EQ(again.edge_ends, mesh.edge_ends);
      EXPECT_EQ(again.disjoint_edges, mesh.disjoint_edges);
      EXPECT_EQ(again.neighbour_begin, mesh.neighbour_begin);
      EXPECT_EQ(again.feature_shorts[0], mesh.feature_shorts[0]);
      ASSERT_EQ(again.clusters.size(), mesh.clusters.size());
      for (std::size_t c = 0; c < mesh.clusters.size(); ++c) {
        const Cluster &a = again.clusters[c], &b = mesh.clusters[c];
        EXPECT_EQ(a.vertex_begin, b.vertex_begin);
        EXPECT_EQ(a.face_begin, b.face_begin);
        EXPECT_EQ(a.edge_begin, b.edge_begin);
        EXPECT_EQ(a.slot_begin, b.slot_begin);
        EXPECT_EQ(a.disjoint_begin, b.disjoint_begin);
        EXPECT_EQ(a.box_begin[0], b.box_begin[0]);
        EXPECT_EQ(a.kind, b.kind);
        EXPECT_EQ(a.crowded, b.crowded);
      }
    }
  }
}

TEST(ParallelBuild, edges_are_the_sides_of_faces_and_wires_once_each) {
  Random random(5);
  Step step;
  const DeformableObject object = random_object(random, 40, step);
  const auto topology = make_topology({object}, 2);
  ASSERT_TRUE(topology.has_value());
  std::set<std::pair<std::int32_t, std::int32_t>> truth;  // by the greater vertex
  const auto side = [](const Face& f, std::size_t k) {
    return std::minmax(f[k], f[(k + 1) % 3], std::greater<>());
  };
  for (const Face& f : topology->faces) {
    for (std::size_t k = 0; k < 3; ++k) {
      if (f[k] != f[(k + 1) % 3]) truth.insert(side(f, k));
    }
  }
  for (const Edge& w : object.wires) {
    if (w[0] != w[1]) truth.insert(std::minmax(w[0], w[1], std::greater<>()));
  }
  std::vector<Edge> expected;
  for (const auto& [greater, lesser] : truth) expected.push_back({lesser, greater});
  EXPECT_EQ(topology->edges, expected);
  for (std::size_t f = 0; f < topology->faces.size(); ++f) {
    for (std::size_t k = 0; k < 3; ++k) {
      const auto [greater, lesser] = side(topology->faces[f], k);
      const std::int32_t e = topology->face_edges[f][k];
      ASSERT_EQ(e < 0, greater == lesser);
      if (e >= 0) {
        EXPECT_EQ(topology->edges[static_cast<std::size_t>(e)], (Edge{lesser, greater}));
      }
    }
  }
}

// The numbers of a cluster's features, but for those of padding slots.
std::vector<std::int16_t> features_of(const ClusterMesh& mesh, const ClusterBoxes& boxes, std::size_t c) {
  const Cluster& cluster = mesh.clusters[c];
  auto from = boxes.features.begin() + cluster.box_begin[boxes.swept ? 1 : 0];
  std::vector<std::int16_t> numbers;
  const auto take = [&](int count, int slots, int planes) {
    for (int first = 0; first < slots; first += feature_lanes) {
      for (int plane = 0; plane < planes; ++plane, from += feature_lanes) {
        numbers.insert(numbers.end(), from, from + std::clamp(count - first, 0, feature_lanes));
      }
    }
  };
  take(cluster.face_count, cluster.face_slots(), boxes.swept ? 6 : 12);
  take(cluster.edge_count, cluster.edge_slots(), boxes.swept ? 6 : 12);
  take(cluster.owned_count, cluster.owned_slots(), 6);
  numbers.insert(numbers.end(), from, from + 2 * spread_axis_count * cluster.vertex_count);
  return numbers;
}

// Many threads ask for the features of clusters in orders of their own.
TEST(ParallelBuild, features_are_fitted_once_whoever_asks_first) {
  Random random(11);
  Step step;
  const DeformableObject object = random_object(random, 60, step);
  const auto topology = make_topology({object}, 2);
  ASSERT_TRUE(topology.has_value());
  const ClusterMesh mesh = build_clusters(*topology, step, {}, 2);
  const std::size_t n = mesh.clusters.size();
  ClusterBoxes alone, together;
  for (ClusterBoxes* boxes : {&alone, &together}) {
    refit(*topology, mesh, step, {}, 1, *boxes);
    std::fill(boxes->features.begin(), boxes->features.end(), std::int16_t{7});
  }
  for (std::size_t c = 0; c < n; ++c) {
    const auto id = static_cast<std::int32_t>(c);
    fit_once(mesh, std::span(&id, 1), alone);
  }
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (std::size_t i = 0; i < n; ++i) {
        std::int32_t wanted[7];
        for (std::size_t k = 0; k < 7; ++k)
          wanted[k] = static_cast<std::int32_t>((i * (2 * t + 1) + k * k) % n);
        fit_once(mesh, wanted, together);
        for (const std::int32_t c : wanted) ASSERT_EQ(together.fitted[static_cast<std::size_t>(c)], Fitted);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::vector<std::int32_t> all(n);
  std::iota(all.begin(), all.end(), 0);
  for (std::size_t c = 0; c < n; c += most_fitted) {
    fit_once(mesh, std::span<const std::int32_t>(all).subspan(c, std::min(most_fitted, n - c)), together);
  }
  for (std::size_t c = 0; c < n; ++c) {
    EXPECT_EQ(features_of(mesh, alone, c), features_of(mesh, together, c));
    EXPECT_TRUE(std::equal(alone.frames[c].lower, alone.frames[c].lower + 8, together.frames[c].lower));
  }
}

TEST(ParallelBuild, neighbours_hold_what_clusters_share) {
  Random random(7);
  Step step;
  const DeformableObject object = random_object(random, 40, step);
  const auto topology = make_topology({object}, 2);
  ASSERT_TRUE(topology.has_value());
  const ClusterMesh mesh = build_clusters(*topology, step, {}, 2);
  const std::size_t n = mesh.clusters.size();
  std::vector<std::size_t> uses(static_cast<std::size_t>(topology->vertex_count), 0);
  for (const std::int32_t v : mesh.vertices) ++uses[static_cast<std::size_t>(v)];
  const auto vertex = [&](std::size_t c, std::size_t i) {
    return mesh.vertices[static_cast<std::size_t>(mesh.clusters[c].vertex_begin) + i];
  };
  std::size_t listed = 0, crowded = 0;
  for (std::size_t c = 0; c < n; ++c) {
    crowded += mesh.clusters[c].crowded;
    std::vector<std::set<std::int32_t>> truth(n), found(n);
    for (std::size_t d = c + 1; d < n; ++d) {
      for (std::size_t i = 0; i < mesh.clusters[c].vertex_count; ++i) {
        for (std::size_t j = 0; j < mesh.clusters[d].vertex_count; ++j) {
          const std::int32_t v = vertex(c, i);
          if (v == vertex(d, j) && uses[static_cast<std::size_t>(v)] <= most_sharing) truth[d].insert(v);
        }
      }
    }
    for (std::int32_t k = mesh.neighbour_begin[c]; k < mesh.neighbour_begin[c + 1]; ++k) {
      const Neighbour* const of = mesh.neighbours.data() + k;
      for (std::int32_t s = of[0].shared_begin; s < of[1].shared_begin; ++s) {
        const SharedVertex both = mesh.shared[static_cast<std::size_t>(s)];
        const auto d = static_cast<std::size_t>(of->cluster);
        EXPECT_EQ(vertex(c, both.lesser), vertex(d, both.greater));
        found[d].insert(vertex(c, both.lesser));
        ++listed;
      }
    }
    EXPECT_EQ(found, truth);
  }
  EXPECT_GT(listed, 500u);
  EXPECT_GT(crowded, 16u);
}

}  // namespace
}  // namespace toccata::deformable::clusters
