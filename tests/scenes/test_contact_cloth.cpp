// The example cloth stays free of intersections for hundreds of frames, judged by an independent static test,
// and still falls, wraps around the ball and folds.
#include "effort.hpp"
#include "scenes/contact_cloth.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "toccata/proximity/self_intersection.hpp"

namespace toccata {
namespace {

int frame_count() {
  return with_effort(200);
}

class ContactClothTest : public testing::TestWithParam<DeformableMethod> {};

TEST_P(ContactClothTest, never_intersects) {
  scenes::ContactCloth cloth({.cells = 14, .method = GetParam()});
  const SelfIntersectionChecker checker(cloth.mesh());
  ASSERT_FALSE(checker.check(cloth.positions()).intersects);
  std::int64_t contacts = 0;
  double taken = 0.0;
  const int frames = frame_count();
  for (int i = 0; i < frames; ++i) {
    const scenes::ContactClothFrame frame = cloth.advance();
    contacts += frame.contacts;
    taken += frame.fraction;
    ASSERT_FALSE(checker.check(cloth.positions(), {.first_only = true}).intersects) << "frame " << i;
  }
  double lowest = 0.0;
  for (std::int32_t v = 0; v < cloth.cloth_vertices(); ++v)
    lowest = std::min(lowest, cloth.positions()[v][2]);
  EXPECT_LT(lowest, -0.3);         // hangs down around the ball
  EXPECT_GT(contacts, 1000);       // which took contacts
  EXPECT_GT(taken, 0.5 * frames);  // and it was not merely stopped
  std::cout << "contacts " << contacts << ", mean share of a step " << taken / frames << ", lowest " << lowest
            << "\n";
}

INSTANTIATE_TEST_SUITE_P(Methods, ContactClothTest,
                         testing::Values(DeformableMethod::Clusters, DeformableMethod::Connectivity));

}  // namespace
}  // namespace toccata
