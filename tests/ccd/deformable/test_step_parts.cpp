// Parts of a step: disjoint, together whole, whatever pipeline finds the pairs.
#include <gtest/gtest.h>

#include <algorithm>

#include "effort.hpp"
#include "oracle/adversarial_meshes.hpp"
#include "toccata/ccd/deformable/deformable_scene.hpp"

namespace toccata {
namespace {

bool same(const DeformableContact& a, const DeformableContact& b) {
  return a.pair == b.pair && a.impact.status == b.impact.status && a.impact.time == b.impact.time &&
         a.impact.lower == b.impact.lower && a.impact.upper == b.impact.upper &&
         a.impact.point == b.impact.point && a.impact.normal == b.impact.normal;
}

std::vector<DeformableContact> union_of(const DeformableScene& scene, DeformableOptions options, int count) {
  std::vector<DeformableContact> all;
  for (int index = 0; index < count; ++index) {
    options.part = {index, count};
    const DeformableContacts found = scene.all_contacts(options);
    EXPECT_NE(found.status, Status::Failed) << found.failure;
    all.insert(all.end(), found.contacts.begin(), found.contacts.end());
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.pair < b.pair; });
  return all;
}

constexpr DeformableMethod methods[] = {DeformableMethod::Clusters, DeformableMethod::Connectivity,
                                        DeformableMethod::BruteForce};

TEST(StepParts, together_are_the_whole_step_each_contact_once) {
  std::size_t contacts = 0, shared = 0;
  for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(with_effort(60)); ++seed) {
    Random random(seed);
    test::MovingMesh mesh = test::random_moving_mesh(random);
    mesh.object.vertex_count = static_cast<std::int32_t>(mesh.t0.size());
    DeformableOptions options;
    options.threads = seed % 2 == 0 ? 1 : 0;
    options.minimum_distance = seed % 5 == 4 ? 0.01 : 0.0;
    options.at_start = seed % 3 == 0 ? AtStart::Skip : AtStart::Report;
    for (const DeformableMethod method : methods) {
      auto scene = DeformableScene::build({mesh.object}, {.method = method});
      ASSERT_TRUE(scene.has_value() && scene->update(mesh.t0, mesh.t1).has_value());
      const auto whole = scene->all_contacts(options).contacts;
      for (const int count : {1, 2, 7, 64}) {
        const auto parts = union_of(*scene, options, count);
        ASSERT_EQ(parts.size(), whole.size()) << "seed " << seed << " count " << count;
        for (std::size_t i = 0; i < whole.size(); ++i)
          ASSERT_TRUE(same(parts[i], whole[i])) << "seed " << seed << " count " << count << " contact " << i;
      }
      contacts += whole.size();
      options.part = {0, 2};
      shared += scene->all_contacts(options).contacts.size();
      options.part = {};
    }
  }
  EXPECT_GT(contacts, 1000u);
  EXPECT_GT(shared, contacts / 4);  // a part is a part
  EXPECT_LT(shared, contacts - contacts / 4);
}

// A scene that was updated before has other structures; its shares are the same.
TEST(StepParts, do_not_depend_on_what_the_scene_saw_before) {
  Random random(7);
  test::MovingMesh mesh = test::random_moving_mesh(random);
  mesh.object.vertex_count = static_cast<std::int32_t>(mesh.t0.size());
  auto old_scene = DeformableScene::build({mesh.object});
  for (int i = 0; i < 6; ++i) {
    auto moved = mesh.t0;
    for (Vector3& x : moved) x += random.in_box(5.0);
    ASSERT_TRUE(old_scene->update(moved, mesh.t1).has_value());
  }
  ASSERT_TRUE(old_scene->update(mesh.t0, mesh.t1).has_value());
  auto new_scene = DeformableScene::build({mesh.object});
  ASSERT_TRUE(new_scene->update(mesh.t0, mesh.t1).has_value());
  for (int index = 0; index < 5; ++index) {
    DeformableOptions options;
    options.part = {index, 5};
    const auto a = old_scene->all_contacts(options).contacts, b = new_scene->all_contacts(options).contacts;
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_TRUE(same(a[i], b[i]));
  }
}

TEST(StepParts, the_first_contact_is_the_earliest_of_the_parts) {
  int hits = 0;
  for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(with_effort(60)); ++seed) {
    Random random(seed);
    test::MovingMesh mesh = test::random_moving_mesh(random);
    mesh.object.vertex_count = static_cast<std::int32_t>(mesh.t0.size());
    auto scene = DeformableScene::build({mesh.object});
    ASSERT_TRUE(scene->update(mesh.t0, mesh.t1).has_value());
    const FirstContactResult whole = scene->first_contact();
    double earliest = 1.0;
    bool touches = false;
    for (int index = 0; index < 7; ++index) {
      DeformableOptions options;
      options.part = {index, 7};
      const FirstContactResult part = scene->first_contact(options);
      if (part.status == Status::Separated) continue;
      touches = true;
      earliest = std::min(earliest, part.upper);
      EXPECT_LE(whole.lower, part.upper);
    }
    EXPECT_EQ(touches, whole.status != Status::Separated) << seed;
    if (touches) {
      EXPECT_EQ(earliest, whole.upper) << seed;
    }
    hits += touches;
  }
  EXPECT_GT(hits, 10);
}

TEST(StepParts, parts_that_are_none_are_refused) {
  Random random(1);
  test::MovingMesh mesh = test::random_moving_mesh(random);
  auto scene = DeformableScene::build({mesh.object});
  ASSERT_TRUE(scene->update(mesh.t0, mesh.t1).has_value());
  for (const StepPart part : {StepPart{0, 0}, StepPart{-1, 2}, StepPart{2, 2}, StepPart{0, -3}}) {
    DeformableOptions options;
    options.part = part;
    const DeformableContacts found = scene->all_contacts(options);
    EXPECT_EQ(found.status, Status::Failed);
    EXPECT_NE(found.failure.find("part"), std::string::npos);
    EXPECT_EQ(scene->first_contact(options).status, Status::Failed);
  }
}

}  // namespace
}  // namespace toccata
