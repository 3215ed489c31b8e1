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

}  // namespace
}  // namespace toccata
