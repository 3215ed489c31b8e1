// What is called free until a time is free by the exact oracle; and it is not called free needlessly early.
#include "impact/free_until.hpp"

#include <gtest/gtest.h>

#include "effort.hpp"
#include "oracle/motions.hpp"

namespace toccata::oracle {
namespace {

// The features as they are, or all running into nearly one point, as when a sheet collapses.
LinearMotion4 any_motion(Random& random, FeaturePairKind pair) {
  switch (random.integer(0, 5)) {
    case 0:
      return grid_motion(random, random.integer(1, 4));
    case 1:
      return box_motion(random);
    case 2:
      return meeting_motion(random, pair);
    case 3:
      return near_degenerate_motion(random, pair);
    case 4:
      return scaled_motion(random, pair);
    default:
      break;
  }
  LinearMotion4 motion = box_motion(random);
  const Vector3 centre = random.in_box(1.0);
  const double ratio = random.uniform(0.0, 2.0);
  for (std::size_t p = 0; p < 4; ++p) motion.t1[p] = centre - ratio * (motion.t0[p] - centre);
  return motion;
}

TEST(FreeUntil, is_free_by_the_oracle) {
  Random random(91);
  int proven = 0, touching = 0, wholly = 0;
  for (int i = 0; i < with_effort(3000); ++i) {
    const FeaturePairKind pair = all_pairs[static_cast<std::size_t>(i % 4)];
    const LinearMotion4 motion = any_motion(random, pair);
    const double wanted = random.integer(0, 1) == 0 ? 1.0 : random.uniform(0.1, 1.0);
    const double free = impact::free_until(pair, motion, wanted);
    ASSERT_GE(free, 0.0);
    ASSERT_LE(free, wanted);
    const FirstTime first = first_contact(pair, motion);
    touching += first.exists();
    proven += free > 0.0;
    wholly += free == wanted;
    if (!first.exists()) continue;
    // Touching at the start nothing may be called free, not even the time 0 itself.
    EXPECT_TRUE(first.compare(free) > 0 || free == 0.0) << to_text(pair, motion);
  }
  EXPECT_GT(proven, with_effort(1000));
  EXPECT_GT(touching, with_effort(500));
  EXPECT_GT(wholly, with_effort(300));
}

// Everything runs into nearly one point: free until just before, whatever the rounding of the ends.
TEST(FreeUntil, reaches_to_where_all_points_are_one) {
  Random random(92);
  for (int i = 0; i < with_effort(1000); ++i) {
    const FeaturePairKind pair = main_pairs[static_cast<std::size_t>(i % 2)];
    LinearMotion4 motion = box_motion(random);
    const Vector3 centre = random.in_box(3.0);
    const double ratio = random.uniform(0.2, 2.0);
    for (std::size_t p = 0; p < 4; ++p) motion.t1[p] = centre - ratio * (motion.t0[p] - centre);
    const FirstTime first = first_contact(pair, motion);
    const double free = impact::free_until(pair, motion, 1.0);
    if (first.exists() && first.approximate() < 0.5 / (1.0 + ratio)) continue;  // at the start
    EXPECT_NEAR(free, 1.0 / (1.0 + ratio), 1e-9) << to_text(pair, motion);
    EXPECT_LT(free, 1.0 / (1.0 + ratio));
  }
}

}  // namespace
}  // namespace toccata::oracle
