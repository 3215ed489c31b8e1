// The first time within a distance: never late, and no false report beyond the stated tolerance.
#include <gtest/gtest.h>

#include "effort.hpp"
#include "oracle/feature_distance.hpp"
#include "oracle/impact_check.hpp"
#include "oracle/motions.hpp"

namespace toccata::oracle {
namespace {

TEST(MinimumDistance, conservative_and_within_tolerance) {
  Random random(44);
  int contacts = 0, separated = 0;
  for (int i = with_effort(1500); i > 0; --i) {
    const FeaturePairKind pair = all_pairs[static_cast<std::size_t>(i % 4)];
    const LinearMotion4 motion = mixed_motion(random, pair);
    LinearImpactOptions options;
    options.minimum_distance = std::ldexp(random.uniform(0.5, 1), random.integer(-20, 0));
    if (random.integer(0, 3) == 0) {  // about as large as the smallest distance of the motion
      double least = 1e300;
      for (int k = 0; k <= 64; ++k) {
        least = std::min(least, feature_distance(pair, positions_at(motion, k / 64.0)));
      }
      if (least > 0) options.minimum_distance = least * random.uniform(0.999999, 1.000001);
    }
    if (random.integer(0, 2) == 0)
      options.relative_distance_tolerance = std::ldexp(1.0, -random.integer(3, 30));
    if (random.integer(0, 3) == 0) options.t_max = random.unit();
    options.boolean_only = random.integer(0, 7) == 0;
    if (random.integer(0, 7) == 0) options.budget = 1 << random.integer(0, 6);
    const Impact impact = library_answer(pair, motion, options);
    contacts += impact.status == Status::Contact || impact.status == Status::OverlapAtStart;
    separated += impact.status == Status::Separated;
    ASSERT_EQ(fault_of(impact, pair, motion, options), "") << i;
  }
  EXPECT_GT(contacts, 100);
  EXPECT_GT(separated, 100);
}

// A distance of 1e-300 or 1e300 is a distance.
TEST(MinimumDistance, extreme_scales) {
  Random random(45);
  for (int i = with_effort(150); i > 0; --i) {
    const FeaturePairKind pair = all_pairs[static_cast<std::size_t>(i % 4)];
    LinearMotion4 motion = box_motion(random);
    const int power = random.integer(0, 1) == 0 ? random.integer(-1000, -950) : random.integer(950, 1000);
    for_each_coordinate(motion, [&](double& x) { x = std::ldexp(x, power); });
    LinearImpactOptions options;
    options.minimum_distance = std::ldexp(random.uniform(0.01, 0.5), power);
    ASSERT_EQ(fault_of_library(pair, motion, options), "");
  }
}

}  // namespace
}  // namespace toccata::oracle
