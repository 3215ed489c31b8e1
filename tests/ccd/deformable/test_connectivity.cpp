// The Connectivity pipeline against brute force, on meshes made to break its culling.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cstdlib>
#include <map>

#include "ccd/deformable/connectivity/region_forest.hpp"
#include "effort.hpp"
#include "oracle/adversarial_meshes.hpp"

namespace toccata {
namespace {

using test::MovingMesh;

std::vector<FeaturePair> pairs_of(const DeformableContacts& found) {
  std::vector<FeaturePair> pairs;
  for (const DeformableContact& c : found.contacts) pairs.push_back(c.pair);
  return pairs;
}

DeformableContacts contacts(const MovingMesh& mesh, DeformableMethod method,
                            const DeformableOptions& options = {}) {
  auto scene = DeformableScene::build({mesh.object}, {.method = method, .threads = 1});
  EXPECT_TRUE(scene.has_value());
  EXPECT_TRUE(scene->update(mesh.t0, mesh.t1).has_value());
  return scene->all_contacts(options);
}

DeformableStages stages(int bits) {
  DeformableStages s;
  s.normal_cones = bits & 1;
  s.contour_test = bits & 2;
  s.representative_triangles = bits & 4;
  s.orphan_sets = bits & 8;
  s.restructuring = bits & 16;
  s.relative_motion = bits & 32;
  return s;
}

std::int64_t stage_count(const DeformableStats& stats, std::string_view name) {
  for (const StageCount& s : stats.stages) {
    if (s.name == name) return s.count;
  }
  ADD_FAILURE() << "no stage " << name;
  return -1;
}

int mesh_count() {
  return with_effort(3000);
}

TEST(Connectivity, equals_brute_force_on_adversarial_meshes) {
  std::map<std::string, std::array<std::int64_t, 3>> seen;  // meshes, contacts, cleared elements
  for (int seed = 0; seed < mesh_count(); ++seed) {
    Random random(9000 + static_cast<std::uint64_t>(seed));
    const MovingMesh mesh = test::random_moving_mesh(random);
    DeformableOptions options;
    options.threads = 1;
    options.boolean_only = true;
    const auto truth = pairs_of(contacts(mesh, DeformableMethod::BruteForce, options));
    const DeformableContacts found = contacts(mesh, DeformableMethod::Connectivity, options);
    ASSERT_EQ(pairs_of(found), truth) << mesh.name << ", seed " << seed;
    options.stages = stages(seed % 64);
    ASSERT_EQ(pairs_of(contacts(mesh, DeformableMethod::Connectivity, options)), truth)
        << mesh.name << ", seed " << seed << ", stages " << seed % 64;
    auto& row = seen[mesh.name];
    ++row[0];
    row[1] += static_cast<std::int64_t>(truth.size());
    row[2] += stage_count(found.stats, "cleared_elements");
  }
  // The test must exercise both sides of the culling on the meshes that allow it.
  for (const char* name : {"grid", "ribbon", "wound star", "divided triangle"}) {
    EXPECT_GT(seen[name][1], 0) << name;
    EXPECT_GT(seen[name][2], 0) << name;
  }
}

TEST(Connectivity, first_contact_equals_brute_force_on_adversarial_meshes) {
  int later = 0;
  for (int seed = 0; seed < mesh_count() / 2; ++seed) {
    Random random(19000 + static_cast<std::uint64_t>(seed));
    MovingMesh mesh = test::random_moving_mesh(random);
    if (seed % 2 == 1) {  // contacts late in the step, so that its first part is a step of its own
      for (std::size_t v = 0; v < mesh.t0.size(); ++v)
        mesh.t1[v] = mesh.t0[v] + 0.2 * (mesh.t1[v] - mesh.t0[v]);
    }
    DeformableOptions options;
    options.threads = 1;
    options.at_start = seed % 4 < 2 ? AtStart::Skip : AtStart::Report;
    const auto first = [&](DeformableMethod method) {
      auto scene = DeformableScene::build({mesh.object}, {.method = method, .threads = 1});
      EXPECT_TRUE(scene->update(mesh.t0, mesh.t1).has_value());
      return scene->first_contact(options);
    };
    const FirstContactResult truth = first(DeformableMethod::BruteForce);
    options.stages = stages(seed % 3 == 0 ? seed % 64 : 63);
    for (const DeformableMethod method : {DeformableMethod::Connectivity, DeformableMethod::Clusters}) {
      const FirstContactResult found = first(method);
      ASSERT_EQ(found.status, truth.status) << mesh.name << ", seed " << seed;
      ASSERT_EQ(found.lower, truth.lower) << mesh.name << ", seed " << seed;
      ASSERT_EQ(found.upper, truth.upper) << mesh.name << ", seed " << seed;
      ASSERT_EQ(found.contact.feature_a, truth.contact.feature_a) << mesh.name << ", seed " << seed;
      ASSERT_EQ(found.contact.feature_b, truth.contact.feature_b) << mesh.name << ", seed " << seed;
      ASSERT_EQ(found.contact.point_a, truth.contact.point_a) << mesh.name << ", seed " << seed;
    }
    later += truth.status == Status::Contact && truth.lower > 0.05;
  }
  EXPECT_GT(later, mesh_count() / 40);
}

TEST(Connectivity, cones_hold_the_normals_of_the_first_part_of_a_step) {
  Random random(5);
  int valid = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    deformable::MovingVertex corner[3];
    const Vector3 offset = random.in_box(trial % 2 == 0 ? 0.0 : 100.0);
    for (auto& c : corner) {
      const Vector3 x = offset + random.in_box(1.0), y = x + random.in_box(1.5);
      for (int k = 0; k < 3; ++k) {
        c.t0[k] = x[k];
        c.t1[k] = y[k];
      }
    }
    const double t_end = trial % 5 == 0 ? 1.0 : random.uniform(0.0, 1.0);
    deformable::connectivity::ControlVectors control;
    deformable::connectivity::add_control_vectors(corner[0], corner[1], corner[2], trial % 3 == 0, t_end,
                                                  control);
    const NormalCone cone = cone_of(control.vectors());
    if (!cone.is_valid()) continue;
    ++valid;
    for (int i = 0; i <= 16; ++i) {
      const double t = t_end * i / 16;
      Vector3 x[3];
      for (int c = 0; c < 3; ++c) {
        for (int k = 0; k < 3; ++k) x[c][k] = (1 - t) * corner[c].t0[k] + t * corner[c].t1[k];
      }
      const Vector3 n = (trial % 3 == 0 ? -1.0 : 1.0) * (x[1] - x[0]).cross(x[2] - x[0]);
      const Vector3 axis = cone.axis.cast<double>();
      ASSERT_GE(n.dot(axis), (cone.cosine - 1e-9) * n.norm() * axis.norm()) << "trial " << trial;
    }
  }
  EXPECT_GT(valid, 500);
}

TEST(Connectivity, scopes_filters_distances_and_threads_give_the_same_answer) {
  for (int seed = 0; seed < 120; ++seed) {
    Random random(70000 + static_cast<std::uint64_t>(seed));
    const MovingMesh a = test::random_moving_mesh(random), b = test::random_moving_mesh(random);
    std::vector<Vector3> t0 = a.t0, t1 = a.t1;
    t0.insert(t0.end(), b.t0.begin(), b.t0.end());
    t1.insert(t1.end(), b.t1.begin(), b.t1.end());
    auto fast = DeformableScene::build({a.object, b.object}, {.method = DeformableMethod::Connectivity});
    auto slow = DeformableScene::build({a.object, b.object}, {.method = DeformableMethod::BruteForce});
    ASSERT_TRUE(fast->update(t0, t1).has_value());
    ASSERT_TRUE(slow->update(t0, t1).has_value());
    DeformableOptions options;
    options.scope = static_cast<PairScope>(seed % 5);
    options.minimum_distance = seed % 3 == 0 ? 0.05 : 0.0;
    options.boolean_only = true;
    if (seed % 4 == 1) options.object_filter = [](std::int32_t x, std::int32_t y) { return x != y; };
    if (seed % 4 == 2)
      options.pair_filter = [](const FeaturePair& p) { return (p.first + p.second) % 3 != 0; };
    const auto truth = pairs_of(slow->all_contacts(options));
    const FirstContactResult first = slow->first_contact(options);
    const SafeStep safe = slow->safe_step(options);
    for (const int threads : {1, 2}) {
      options.threads = threads;
      ASSERT_EQ(pairs_of(fast->all_contacts(options)), truth) << "seed " << seed << ", threads " << threads;
      const FirstContactResult found = fast->first_contact(options);
      EXPECT_EQ(found.status, first.status) << "seed " << seed;
      EXPECT_EQ(found.time, first.time) << "seed " << seed;
      EXPECT_EQ(found.contact.feature_a, first.contact.feature_a) << "seed " << seed;
      EXPECT_EQ(found.contact.feature_b, first.contact.feature_b) << "seed " << seed;
      EXPECT_EQ(fast->safe_step(options).fraction, safe.fraction) << "seed " << seed;
    }
  }
}

TEST(Connectivity, a_changed_mesh_answers_like_a_new_one) {
  for (int seed = 0; seed < 150; ++seed) {
    Random random(80000 + static_cast<std::uint64_t>(seed));
    const MovingMesh a = test::random_moving_mesh(random);
    MovingMesh b = test::random_moving_mesh(random);
    auto scene = DeformableScene::build({a.object, b.object},
                                        {.method = DeformableMethod::Connectivity, .threads = 1});
    for (int change = 0; change < 3; ++change) {
      std::vector<Vector3> t0 = a.t0, t1 = a.t1;
      t0.insert(t0.end(), b.t0.begin(), b.t0.end());
      t1.insert(t1.end(), b.t1.begin(), b.t1.end());
      ASSERT_TRUE(scene->update(t0, t1).has_value());
      auto fresh = DeformableScene::build({a.object, b.object},
                                          {.method = DeformableMethod::BruteForce, .threads = 1});
      ASSERT_TRUE(fresh->update(t0, t1).has_value());
      DeformableOptions options;
      options.boolean_only = true;
      options.threads = 1;
      ASSERT_EQ(pairs_of(scene->all_contacts(options)), pairs_of(fresh->all_contacts(options)))
          << "seed " << seed << ", change " << change;
      // Tear a corner off, or drop the last face.
      Face& f = b.object.faces[random.integer(0, static_cast<int>(b.object.faces.size()) - 1)];
      if (change == 0 || b.object.faces.size() < 3) {
        const int k = random.integer(0, 2);
        b.t0.push_back(b.t0[f[k]] + 0.01 * random.in_box(1.0));
        b.t1.push_back(b.t1[f[k]] + 0.1 * random.in_box(1.0));
        f[k] = b.object.vertex_count++;
      } else {
        b.object.faces.pop_back();
      }
      ASSERT_TRUE(scene->update_topology({a.object, b.object}).has_value());
    }
  }
}

}  // namespace
}  // namespace toccata
