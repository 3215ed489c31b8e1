#include "toccata/ccd/deformable/frame_list.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "oracle/adversarial_meshes.hpp"

namespace toccata {
namespace {

struct Film {
  DeformableObject object;
  std::vector<std::vector<Vector3>> frames;
};

Film random_film(Random& random, int count, double motion) {
  const test::MovingMesh mesh = test::random_moving_mesh(random);
  Film film{mesh.object, {mesh.t0}};
  film.object.vertex_count = static_cast<std::int32_t>(mesh.t0.size());
  for (int i = 1; i < count; ++i) {
    film.frames.push_back(film.frames.back());
    for (Vector3& x : film.frames.back()) x += motion * random.in_box(1.0);
  }
  return film;
}

TEST(FrameList, steps_are_those_of_pairs_of_frames) {
  int contacts = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    Random random(seed);
    const Film film = random_film(random, 5, 0.3);
    auto scene = DeformableScene::build({film.object});
    DeformableOptions options;
    options.at_start = AtStart::Skip;
    const auto steps = all_contacts(*scene, film.frames, options);
    const auto first = first_contact(*scene, film.frames, options);
    ASSERT_TRUE(steps.has_value() && first.has_value());
    ASSERT_EQ(steps->size(), 4u);
    int expected_first = 4;
    for (int i = 3; i >= 0; --i) {
      auto alone = DeformableScene::build({film.object}, {.method = DeformableMethod::BruteForce});
      ASSERT_TRUE(alone->update(film.frames[i], film.frames[i + 1]).has_value());
      const auto truth = alone->all_contacts(options).contacts;
      const auto& found = (*steps)[i].contacts;
      ASSERT_EQ(found.size(), truth.size()) << "seed " << seed;
      for (std::size_t k = 0; k < truth.size(); ++k)
        ASSERT_EQ(found[k].pair, truth[k].pair) << "seed " << seed;
      contacts += static_cast<int>(truth.size());
      if (!truth.empty()) expected_first = i;
    }
    EXPECT_EQ(first->step, expected_first) << "seed " << seed;
    EXPECT_GE(time_in_frames(*first), expected_first);
    EXPECT_LE(time_in_frames(*first), expected_first + 1);
  }
  EXPECT_GT(contacts, 1000);
}

TEST(FrameList, errors_name_the_frame) {
  Random random(3);
  const Film film = random_film(random, 4, 0.1);
  for (const std::size_t bad : {0, 2, 3}) {
    auto scene = DeformableScene::build({film.object});
    auto frames = film.frames;
    frames[bad][1][0] = std::numeric_limits<double>::quiet_NaN();
    const auto steps = all_contacts(*scene, frames);
    ASSERT_FALSE(steps.has_value());
    EXPECT_NE(steps.error().message.find("frame " + std::to_string(bad)), std::string::npos)
        << steps.error().message;
    frames = film.frames;
    frames[bad].pop_back();
    const auto first = first_contact(*scene, frames, {.at_start = AtStart::Skip});
    if (!first) {  // unless it touches before
      EXPECT_NE(first.error().message.find("frame " + std::to_string(bad)), std::string::npos)
          << first.error().message;
    }
  }
  auto scene = DeformableScene::build({film.object});
  EXPECT_TRUE(all_contacts(*scene, {})->empty());
  EXPECT_EQ(first_contact(*scene, std::span(film.frames).first(1))->step, 0);
}

}  // namespace
}  // namespace toccata
