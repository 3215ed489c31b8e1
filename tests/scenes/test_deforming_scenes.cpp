// The deforming scenes move as promised, and on each of them a scene that is kept over all frames, through
// changes of connectivity, answers like a new one that looks at every pair.
#include "scenes/deforming_scene.hpp"

#include <gtest/gtest.h>

namespace toccata {
namespace {

std::vector<FeaturePair> contact_pairs(const DeformableScene& scene) {
  std::vector<FeaturePair> pairs;
  DeformableOptions options;
  options.boolean_only = true;
  options.threads = 1;
  for (const DeformableContact& c : scene.all_contacts(options).contacts) pairs.push_back(c.pair);
  return pairs;
}

struct Expectation {
  const char* name;
  int triangles;
  int skip;    // frames before looking
  int frames;  // frames looked at
  bool breaks;
};

class DeformingScenes : public testing::TestWithParam<Expectation> {};

TEST_P(DeformingScenes, a_kept_scene_answers_like_a_new_one) {
  const Expectation& expected = GetParam();
  auto frames = scenes::make_deforming_scene(expected.name, {.triangles = expected.triangles});
  ASSERT_TRUE(frames);
  EXPECT_GT(frames->triangle_count(), expected.triangles / 3);
  EXPECT_LT(frames->triangle_count(), expected.triangles * 2);
  auto kept =
      DeformableScene::build(frames->objects(), {.method = DeformableMethod::Connectivity, .threads = 1});
  ASSERT_TRUE(kept.has_value());
  ASSERT_TRUE(kept->update(frames->positions(), frames->positions()).has_value());
  bool broke = false;
  std::size_t contacts = 0;
  for (int i = 0; i < expected.skip + expected.frames; ++i) {
    const bool changed = frames->advance();
    broke = broke || changed;
    ASSERT_EQ(frames->start_positions().size(), frames->positions().size());
    if (changed) {
      ASSERT_TRUE(kept->update_topology(frames->objects()).has_value());
    }
    if (!changed && i < expected.skip) continue;
    ASSERT_TRUE(kept->update(frames->start_positions(), frames->positions()).has_value()) << "frame " << i;
    if (i < expected.skip) continue;
    auto fresh =
        DeformableScene::build(frames->objects(), {.method = DeformableMethod::BruteForce, .threads = 1});
    ASSERT_TRUE(fresh->update(frames->start_positions(), frames->positions()).has_value());
    const auto truth = contact_pairs(*fresh);
    ASSERT_EQ(contact_pairs(*kept), truth) << expected.name << ", frame " << i;
    contacts += truth.size();
  }
  EXPECT_EQ(broke, expected.breaks);
  if (std::string_view(expected.name) == "smooth-cloth") {
    EXPECT_EQ(contacts, 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, DeformingScenes,
    testing::Values(Expectation{"cloth-ball", 600, 60, 2, false}, Expectation{"skirt", 600, 40, 2, false},
                    Expectation{"balls", 1200, 10, 2, false}, Expectation{"letters", 1800, 25, 2, true},
                    Expectation{"breaking", 1000, 6, 4, true}, Expectation{"ruffles", 700, 20, 2, false},
                    Expectation{"smooth-cloth", 800, 0, 2, false}));

TEST(DeformingScene, the_same_seed_gives_the_same_frames) {
  for (const std::string_view name : scenes::deforming_scene_names()) {
    auto a = scenes::make_deforming_scene(name, {.triangles = 800, .seed = 5});
    auto b = scenes::make_deforming_scene(name, {.triangles = 800, .seed = 5});
    for (int i = 0; i < 12; ++i) EXPECT_EQ(a->advance(), b->advance());
    EXPECT_EQ(a->positions(), b->positions()) << name;
    EXPECT_EQ(a->objects().back().faces, b->objects().back().faces) << name;
  }
}

TEST(DeformingScene, unknown_names_give_none) {
  EXPECT_EQ(scenes::make_deforming_scene("no such scene"), nullptr);
}

}  // namespace
}  // namespace toccata
