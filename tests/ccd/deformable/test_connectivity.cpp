// The Connectivity pipeline against brute force, on meshes made to break its culling.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

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
  const char* wanted = std::getenv("TOCCATA_SOAK_MESHES");
  return wanted ? std::atoi(wanted) : 3000;
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

TEST(Connectivity, scopes_distances_and_threads_give_the_same_answer) {
  for (int seed = 0; seed < 60; ++seed) {
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
    const auto truth = pairs_of(slow->all_contacts(options));
    for (const int threads : {1, 2}) {
      options.threads = threads;
      ASSERT_EQ(pairs_of(fast->all_contacts(options)), truth) << "seed " << seed << ", threads " << threads;
    }
    EXPECT_EQ(fast->first_contact(options).time, slow->first_contact(options).time) << "seed " << seed;
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
