#include "ccd/deformable/connectivity/orphan_set.hpp"

#include <gtest/gtest.h>

#include "oracle/adversarial_meshes.hpp"

namespace toccata::deformable::connectivity {
namespace {

bool share(const auto& a, const auto& b) {
  for (const auto x : a) {
    for (const auto y : b) {
      if (x == y) return true;
    }
  }
  return false;
}

// By the definition, over all pairs.
OrphanSet brute_force(const ElementMesh& mesh, const Topology& topology) {
  OrphanSet orphans;
  const auto never_apart = [&](const auto& first, const auto& second) {
    for (const std::int32_t a : first) {
      for (const std::int32_t b : second) {
        bool adjacent = false;  // by a vertex that is no hub
        for (const auto x : mesh.corners(a)) {
          adjacent = adjacent || (share(std::array{x}, mesh.corners(b)) &&
                                  mesh.around_vertex(x).size() <= static_cast<std::size_t>(largest_fan));
        }
        if (!adjacent) return false;
      }
    }
    return true;
  };
  for (std::int32_t v = 0; v < topology.vertex_count; ++v) {
    for (std::int32_t f = 0; f < static_cast<std::int32_t>(topology.faces.size()); ++f) {
      if (share(std::array{v}, topology.faces[f])) continue;
      if (never_apart(mesh.around_vertex(v), std::array{f})) orphans.vertex_face.push_back({v, f});
    }
  }
  for (std::int32_t a = 0; a < static_cast<std::int32_t>(topology.edges.size()); ++a) {
    for (std::int32_t b = a + 1; b < static_cast<std::int32_t>(topology.edges.size()); ++b) {
      if (share(topology.edges[a], topology.edges[b])) continue;
      if (never_apart(mesh.around_edge(a), mesh.around_edge(b))) orphans.edge_edge.push_back({a, b});
    }
  }
  return orphans;
}

TEST(OrphanSet, equals_its_definition_also_after_changes) {
  std::size_t orphans = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Random random(seed);
    test::MovingMesh mesh = test::random_moving_mesh(random);
    if (seed % 8 == 0)
      mesh = test::wound_star(random.integer(14, 19), 1, 0.0);  // about as large as a fan may be
    mesh.object.vertex_count = static_cast<std::int32_t>(mesh.t0.size());
    const auto before = make_topology({mesh.object});
    ASSERT_TRUE(before.has_value());
    const ElementMesh elements(*before);
    const OrphanSet found = find_orphans(elements, *before, 1);
    const OrphanSet truth = brute_force(elements, *before);
    ASSERT_EQ(found.vertex_face, truth.vertex_face) << mesh.name << ", seed " << seed;
    ASSERT_EQ(found.edge_edge, truth.edge_edge) << mesh.name << ", seed " << seed;
    orphans += found.vertex_face.size() + found.edge_edge.size();

    // Tear, drop, add and turn some faces.
    DeformableObject changed = mesh.object;
    for (int k = random.integer(1, 3); k > 0; --k) {
      const int f = random.integer(0, static_cast<int>(changed.faces.size()) - 1);
      switch (random.integer(0, 3)) {
        case 0:
          changed.faces[f][random.integer(0, 2)] = changed.vertex_count++;
          break;
        case 1:
          if (changed.faces.size() > 1) changed.faces.pop_back();
          break;
        case 2:
          changed.faces.push_back({random.integer(0, changed.vertex_count - 1),
                                   random.integer(0, changed.vertex_count - 1),
                                   random.integer(0, changed.vertex_count - 1)});
          break;
        default:
          std::swap(changed.faces[f][0], changed.faces[f][1]);
      }
    }
    const auto after = repair_topology(*before, {changed});
    ASSERT_TRUE(after.has_value());
    const ElementMesh new_elements(after->topology);
    const OrphanSet repaired =
        repair_orphans(found, elements, new_elements, after->topology, after->change, 1);
    const OrphanSet new_truth = brute_force(new_elements, after->topology);
    ASSERT_EQ(repaired.vertex_face, new_truth.vertex_face) << mesh.name << ", seed " << seed;
    ASSERT_EQ(repaired.edge_edge, new_truth.edge_edge) << mesh.name << ", seed " << seed;
  }
  EXPECT_GT(orphans, 5000u);
}

}  // namespace
}  // namespace toccata::deformable::connectivity
