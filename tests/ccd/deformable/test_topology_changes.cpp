// Meshes that tear, break, grow and shrink: after every change a scene answers like a new one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "ccd/deformable/connectivity/region_forest.hpp"
#include "ccd/deformable/topology.hpp"
#include "effort.hpp"
#include "hierarchy/region_chain.hpp"
#include "oracle/adversarial_meshes.hpp"

namespace toccata {
namespace {

// A scene that can be edited: positions kept by object.
struct Part {
  DeformableObject object;
  std::vector<Vector3> t0, t1;
};

struct EditedScene {
  std::vector<Part> parts;

  std::vector<DeformableObject> objects() const {
    std::vector<DeformableObject> all;
    for (const Part& p : parts) all.push_back(p.object);
    return all;
  }
  std::vector<Vector3> positions(bool end) const {
    std::vector<Vector3> all;
    for (const Part& p : parts) {
      const auto& x = end ? p.t1 : p.t0;
      all.insert(all.end(), x.begin(), x.end());
    }
    return all;
  }
};

Part make_part(const test::MovingMesh& mesh) {
  Part part{mesh.object, mesh.t0, mesh.t1};
  part.object.vertex_count = static_cast<std::int32_t>(mesh.t0.size());
  return part;
}

std::int32_t add_vertex(Part& part, Random& random, std::int32_t like) {
  part.t0.push_back(part.t0[like] + 0.01 * random.in_box(1.0));
  part.t1.push_back(part.t1[like] + 0.2 * random.in_box(1.0));
  return part.object.vertex_count++;
}

// One random edit; says which.
const char* edit(EditedScene& scene, Random& random) {
  Part& part = scene.parts[random.integer(0, static_cast<int>(scene.parts.size()) - 1)];
  auto& faces = part.object.faces;
  auto& wires = part.object.wires;
  const std::int32_t vertices = part.object.vertex_count;
  const auto any_vertex = [&] { return random.integer(0, vertices - 1); };
  const auto any_face = [&] { return random.integer(0, static_cast<int>(faces.size()) - 1); };
  if (faces.empty()) {
    faces.push_back({any_vertex(), any_vertex(), any_vertex()});
    return "first face";
  }
  const int f = any_face(), k = random.integer(0, 2);
  switch (random.integer(0, 13)) {
    case 0: {
      faces[f][k] = add_vertex(part, random, faces[f][k]);
      return "tear a corner";
    }
    case 1: {
      const Face old = faces[f];
      const std::int32_t v = add_vertex(part, random, old[0]);
      faces[f] = {old[0], old[1], v};
      faces.push_back({old[1], old[2], v});
      faces.push_back({old[2], old[0], v});
      return "split a face";
    }
    case 2:
      faces.erase(faces.begin() + f);
      return "erase a face";
    case 3:
      faces[f] = faces.back();
      faces.pop_back();
      return "swap and pop a face";
    case 4:
      faces.push_back({any_vertex(), any_vertex(), any_vertex()});
      return "add a face";
    case 5:
      wires.push_back({any_vertex(), any_vertex()});
      return "add a wire";
    case 6:
      if (!wires.empty()) wires.erase(wires.begin() + random.integer(0, static_cast<int>(wires.size()) - 1));
      return "remove a wire";
    case 7: {
      const Face old = faces[f];
      wires.push_back({old[0], old[1]});
      faces.erase(faces.begin() + f);
      return "leave a side as a wire";
    }
    case 8:
      add_vertex(part, random, any_vertex());
      return "add a point";
    case 9: {  // the last vertex goes, with all that has it
      const std::int32_t last = vertices - 1;
      if (last < 4) return "nothing";
      std::erase_if(faces, [&](const Face& x) { return x[0] == last || x[1] == last || x[2] == last; });
      std::erase_if(wires, [&](const Edge& x) { return x[0] == last || x[1] == last; });
      part.t0.pop_back();
      part.t1.pop_back();
      --part.object.vertex_count;
      return "remove the last vertex";
    }
    case 10: {  // everything beyond a plane gets vertices of its own
      const double cut = part.t0[any_vertex()][0];
      std::vector<std::int32_t> copy(part.t0.size(), -1);
      for (Face& x : faces) {
        if ((part.t0[x[0]] + part.t0[x[1]] + part.t0[x[2]])[0] / 3 < cut) continue;
        for (std::int32_t& v : x) {
          if (v >= vertices) continue;
          if (copy[v] < 0) copy[v] = add_vertex(part, random, v);
          v = copy[v];
        }
      }
      return "break";
    }
    case 11:
      std::swap(faces[f][0], faces[f][1]);
      return "turn a face";
    case 12:
      if (scene.parts.size() > 1) scene.parts.erase(scene.parts.begin());
      return "remove an object";
    default:
      if (scene.parts.size() < 4) scene.parts.push_back(make_part(test::random_moving_mesh(random)));
      return "add an object";
  }
}

bool same_contacts(const std::vector<DeformableContact>& a, const std::vector<DeformableContact>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.pair == y.pair && x.impact.status == y.impact.status && x.impact.lower == y.impact.lower &&
           x.impact.upper == y.impact.upper && x.impact.point == y.impact.point;
  });
}

DeformableScene new_scene(const EditedScene& scene, DeformableMethod method) {
  auto built = DeformableScene::build(scene.objects(), {.method = method, .threads = 1});
  EXPECT_TRUE(built.has_value());
  EXPECT_TRUE(built->update(scene.positions(false), scene.positions(true)).has_value());
  return std::move(*built);
}

void expect_equal(const deformable::Topology& found, const deformable::Topology& truth) {
  EXPECT_EQ(found.vertex_count, truth.vertex_count);
  EXPECT_EQ(found.faces, truth.faces);
  EXPECT_EQ(found.edges, truth.edges);
  EXPECT_EQ(found.face_edges, truth.face_edges);
  EXPECT_EQ(found.wires, truth.wires);
  EXPECT_EQ(found.points, truth.points);
  EXPECT_EQ(found.vertex_object, truth.vertex_object);
  EXPECT_EQ(found.vertex_component, truth.vertex_component);
  EXPECT_EQ(found.component_count, truth.component_count);
  EXPECT_EQ(found.object_vertices, truth.object_vertices);
  EXPECT_EQ(found.object_faces, truth.object_faces);
}

TEST(TopologyChanges, repaired_topology_equals_a_new_one) {
  int patches = 0;
  for (int seed = 0; seed < 2 * with_effort(1000); ++seed) {
    Random random(300000 + static_cast<std::uint64_t>(seed));
    EditedScene scene;
    scene.parts = {make_part(test::random_moving_mesh(random)), make_part(test::random_moving_mesh(random))};
    auto topology = deformable::make_topology(scene.objects());
    for (int change = 0; change < 4; ++change) {
      std::string edits;
      for (int n = random.integer(1, 3); n > 0; --n) edits += std::string(edit(scene, random)) + ", ";
      SCOPED_TRACE(edits + "seed " + std::to_string(seed));
      const auto truth = deformable::make_topology(scene.objects());
      auto repaired = deformable::repair_topology(*topology, scene.objects());
      ASSERT_TRUE(truth.has_value() && repaired.has_value());
      expect_equal(repaired->topology, *truth);
      deformable::Topology patched = *topology;
      if (const auto change_in_place = deformable::patch_topology(patched, scene.objects())) {
        ++patches;
        expect_equal(patched, *truth);
        EXPECT_EQ(change_in_place->edge_map, repaired->change.edge_map);
        EXPECT_EQ(change_in_place->vertex_map, repaired->change.vertex_map);
        EXPECT_EQ(change_in_place->removed_edges, repaired->change.removed_edges);
        EXPECT_EQ(change_in_place->added_edges, repaired->change.added_edges);
        EXPECT_EQ(change_in_place->edges_keep_ids, repaired->change.edges_keep_ids);
      }
      if (testing::Test::HasFailure()) return;
      topology = std::move(repaired->topology);
    }
  }
  EXPECT_GT(patches, with_effort(1000) / 4);
}

deformable::Step step_of(const EditedScene& scene) {
  deformable::Step step;
  const auto t0 = scene.positions(false), t1 = scene.positions(true);
  for (std::size_t v = 0; v < t0.size(); ++v) {
    deformable::MovingVertex& m = step.vertices.emplace_back();
    for (int k = 0; k < 3; ++k) {
      m.t0[k] = t0[v][k];
      m.t1[k] = t1[v][k];
    }
  }
  return step;
}

// Directed edges with their multiplicity, opposite ones cancelled.
using Boundary = std::map<Edge, int>;

void add_edge(Boundary& boundary, std::int32_t from, std::int32_t to) {
  const Edge e = {std::min(from, to), std::max(from, to)};
  if ((boundary[e] += from < to ? 1 : -1) == 0) boundary.erase(e);
}

Boundary boundary_of(std::span<const std::int32_t> contour) {
  Boundary boundary;
  for (const auto& e : region_chain::chain_of(contour).edges) {
    add_edge(boundary, e.forward ? e.low : e.high, e.forward ? e.high : e.low);
  }
  return boundary;
}

// Every tree holds the elements of one component, and every contour is the boundary of its region.
void expect_sound(const deformable::connectivity::RegionForest& forest,
                  const deformable::connectivity::ElementMesh& mesh, const deformable::Topology& topology,
                  std::int64_t& contours) {
  ASSERT_EQ(static_cast<std::int32_t>(forest.roots().size()), topology.component_count);
  std::vector<int> seen(mesh.element_count(), 0);
  const auto nodes = forest.nodes();
  for (std::size_t c = 0; c < forest.roots().size(); ++c) {
    const std::int32_t root = forest.roots()[c], count = 2 * nodes[root].size() - 1;
    ASSERT_EQ(root + count, c + 1 < forest.roots().size() ? forest.roots()[c + 1]
                                                          : static_cast<std::int32_t>(nodes.size()));
    for (std::int32_t i = root; i < root + count; ++i) {
      const RegionNode& node = nodes[i];
      if (node.is_leaf()) {
        const std::int32_t t = forest.element(node.begin);
        ASSERT_EQ(forest.rank(t), node.begin);
        ASSERT_EQ(topology.vertex_component[mesh.corners(t)[0]], static_cast<std::int32_t>(c));
        ++seen[t];
      } else {
        ASSERT_EQ(nodes[i + 1].begin, node.begin);
        ASSERT_EQ(nodes[i + 1].end, nodes[node.right].begin);
        ASSERT_EQ(nodes[node.right].end, node.end);
      }
      if (!node.has_contour()) continue;
      ++contours;
      Boundary boundary;
      for (std::int32_t rank = node.begin; rank < node.end; ++rank) {
        const Face& f = mesh.corners(forest.element(rank));
        for (int k = 0; k < 3; ++k) {
          const std::int32_t a = f[k], b = f[(k + 1) % 3];
          forest.flipped(rank) ? add_edge(boundary, b, a) : add_edge(boundary, a, b);
        }
      }
      ASSERT_EQ(boundary, boundary_of(forest.contour(node)));
    }
  }
  for (const int times : seen) ASSERT_EQ(times, 1);
}

TEST(TopologyChanges, repaired_trees_are_sound_and_repairs_are_local) {
  std::int64_t contours = 0, merged = 0, repairs = 0, elements = 0;
  for (int seed = 0; seed < with_effort(1000) / 4; ++seed) {
    Random random(600000 + static_cast<std::uint64_t>(seed));
    EditedScene scene;
    scene.parts = {make_part(test::random_moving_mesh(random)), make_part(test::grid_mesh(12, 12))};
    scene.parts[1].t1 = scene.parts[1].t0;
    auto topology = deformable::make_topology(scene.objects());
    deformable::connectivity::ElementMesh mesh(*topology);
    deformable::connectivity::RegionForest forest;
    forest.build(mesh, *topology, step_of(scene), 1);
    for (int change = 0; change < 6; ++change) {
      std::string edits = edit(scene, random);
      SCOPED_TRACE(edits + ", seed " + std::to_string(seed) + ", change " + std::to_string(change));
      auto repaired = deformable::repair_topology(*topology, scene.objects());
      ASSERT_TRUE(repaired.has_value());
      deformable::connectivity::ElementMesh after(repaired->topology);
      const auto map = deformable::connectivity::map_elements(mesh, after, repaired->change);
      forest.repair(after, repaired->topology, step_of(scene), map, repaired->change.vertex_map, 1);
      mesh = std::move(after);
      *topology = std::move(repaired->topology);
      expect_sound(forest, mesh, *topology, contours);
      if (testing::Test::HasFatalFailure()) return;
      merged += forest.merged_elements();
      elements += mesh.element_count();
      ++repairs;
    }
  }
  EXPECT_GT(contours, 10 * repairs);
  EXPECT_LT(merged, elements / 4);
}

TEST(TopologyChanges, small_scenes_answer_like_brute_force) {
  std::int64_t contacts = 0;
  for (int seed = 0; seed < with_effort(1000) * 2 / 5; ++seed) {
    Random random(400000 + static_cast<std::uint64_t>(seed));
    EditedScene scene;
    scene.parts = {make_part(test::random_moving_mesh(random)), make_part(test::random_moving_mesh(random))};
    std::vector<DeformableScene> kept;
    kept.push_back(new_scene(scene, DeformableMethod::Clusters));
    kept.push_back(new_scene(scene, DeformableMethod::Connectivity));
    for (int change = 0; change < 4; ++change) {
      std::string edits;
      for (int update = random.integer(1, 2); update > 0; --update) {  // two changes between steps, too
        for (int n = random.integer(1, 3); n > 0; --n) edits += std::string(edit(scene, random)) + ", ";
        for (DeformableScene& s : kept) ASSERT_TRUE(s.update_topology(scene.objects()).has_value());
      }
      SCOPED_TRACE(edits + "seed " + std::to_string(seed) + ", change " + std::to_string(change));
      DeformableOptions options;
      options.threads = 1;
      const auto truth = new_scene(scene, DeformableMethod::BruteForce).all_contacts(options).contacts;
      contacts += static_cast<std::int64_t>(truth.size());
      for (DeformableScene& s : kept) {
        ASSERT_TRUE(s.update(scene.positions(false), scene.positions(true)).has_value());
        ASSERT_TRUE(same_contacts(s.all_contacts(options).contacts, truth)) << (&s == &kept[0] ? "C" : "I");
      }
    }
  }
  EXPECT_GT(contacts, 50000);
}

EditedScene two_sheets(Random& random, int cells) {
  EditedScene scene;
  for (int i = 0; i < 2; ++i) {
    test::MovingMesh sheet = test::grid_mesh(cells, cells);
    for (Vector3& x : sheet.t0) x[2] = 0.3 * std::sin(x[0] + 0.7 * x[1]) + 0.4 * i + random.uniform(0, 0.05);
    sheet.t1 = sheet.t0;
    for (Vector3& x : sheet.t1) x += random.in_box(0.1) - Vector3(0, 0, 0.3 * i);
    scene.parts.push_back(make_part(sheet));
  }
  return scene;
}

TEST(TopologyChanges, large_scenes_answer_like_new_ones) {
  for (int seed = 0; seed < with_effort(1000) / 250; ++seed) {
    Random random(500000 + static_cast<std::uint64_t>(seed));
    EditedScene scene = two_sheets(random, 40);
    std::vector<DeformableScene> kept;
    kept.push_back(new_scene(scene, DeformableMethod::Clusters));
    kept.push_back(new_scene(scene, DeformableMethod::Connectivity));
    for (int change = 0; change < 12; ++change) {
      std::string edits;
      for (int n = random.integer(1, 6); n > 0; --n) edits += std::string(edit(scene, random)) + ", ";
      SCOPED_TRACE(edits + "seed " + std::to_string(seed) + ", change " + std::to_string(change));
      const DeformableScene fresh = new_scene(scene, DeformableMethod::Clusters);
      DeformableOptions options;
      options.threads = 1;
      const auto truth = fresh.all_contacts(options).contacts;
      options.scope = PairScope::WithinComponent;
      const auto within = fresh.all_contacts(options).contacts;
      for (DeformableScene& s : kept) {
        ASSERT_TRUE(s.update_topology(scene.objects()).has_value());
        ASSERT_TRUE(s.update(scene.positions(false), scene.positions(true)).has_value());
        options.scope = PairScope::All;
        ASSERT_TRUE(same_contacts(s.all_contacts(options).contacts, truth)) << (&s == &kept[0] ? "C" : "I");
        options.scope = PairScope::WithinComponent;
        ASSERT_TRUE(same_contacts(s.all_contacts(options).contacts, within)) << (&s == &kept[0] ? "C" : "I");
      }
    }
  }
}

}  // namespace
}  // namespace toccata
