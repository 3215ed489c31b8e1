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

// Edges that turn above each other while they sink into one plane: along a fixed direction every step is a
// ten thousandth of the way that is left. They used to end by the limit of steps.
TEST(MinimumDistance, edges_that_turn_above_each_other) {
  LinearMotion4 motion;
  motion.t0 = {Vector3(-2, 2, -1), Vector3(0, -1, -2), Vector3(-2, -2, 2), Vector3(-3, 0, -3)};
  motion.t1 = {Vector3(1, -3, -1), Vector3(-2, 1, -1), Vector3(2, 1, -1), Vector3(-2, -1, -1)};
  for (const double distance : {1e-3, 1e-5, 1e-6, 5e-7, 2e-7}) {
    LinearImpactOptions options;
    options.minimum_distance = distance;
    options.budget = 400;
    const Impact impact = library_answer(FeaturePairKind::EdgeEdge, motion, options);
    EXPECT_EQ(impact.status, Status::Contact) << distance;
    EXPECT_EQ(fault_of(impact, FeaturePairKind::EdgeEdge, motion, options), "") << distance;
  }
}

// Probes converge like Newton's method. Along fixed directions a contact takes 13 steps in the mean.
TEST(MinimumDistance, takes_few_probes) {
  Random random(49);
  int contacts = 0, undecided = 0;
  const int all = with_effort(2000);
  for (int i = 0; i < all; ++i) {
    const FeaturePairKind pair = main_pairs[static_cast<std::size_t>(i % 2)];
    const LinearMotion4 motion = box_motion(random);
    LinearImpactOptions options;
    options.minimum_distance = std::ldexp(1.0, -random.integer(5, 16));
    options.budget = 12;
    const Impact impact = library_answer(pair, motion, options);
    contacts += impact.status == Status::Contact;
    undecided += impact.status == Status::OutOfBudget;
  }
  EXPECT_GT(contacts, all / 20);
  EXPECT_LE(undecided, all / 50);
}

// A distance of a few hundred units in the last place: the rounding of the closest point is within what is
// allowed beside the tolerance, and not on top of it.
TEST(MinimumDistance, of_the_size_of_rounding) {
  LinearMotion4 motion;
  motion.t0 = {Vector3(0x1.7759fbc21c41p-2, -0x1.71413e7cca6cap-1, 0x1.f7fcd62098df8p-1),
               Vector3(-0x1.ebe38837329aap-1, 0x1.caecf4567b23p-2, -0x1.78da420970e32p-1),
               Vector3(0x1.95ca1a70e62b4p-1, 0x1.24ba8cff25706p-1, -0x1.ab11183ccdb28p-3),
               Vector3(-0x1.951fcf666eb58p-1, -0x1.55dd22dbe2p-11, -0x1.9f93924a20ec8p-1)};
  motion.t1 = {Vector3(-0x1.7394befdd4aedp-2, -0x1.77bbc77387901p-1, -0x1.736076e54597ep-1),
               Vector3(-0x1.e182e25bbd004p-1, -0x1.ffccf673276ep-3, -0x1.1e019e20f3dc8p-3),
               Vector3(-0x1.a9074a1639124p-1, -0x1.430c461a272f8p-3, -0x1.04bd8b89ffb4ep-1),
               Vector3(-0x1.5e376752cb714p-2, -0x1.da3793aec7596p-1, -0x1.0133dada15512p-1)};
  LinearImpactOptions options;
  options.minimum_distance = 0x1.bbdb1af751fbep-43;
  EXPECT_EQ(fault_of_library(FeaturePairKind::EdgeEdge, motion, options), "");
}

// Motions to one plane, in which they meet at the end or pass: decided in few steps, and right.
TEST(MinimumDistance, into_one_plane) {
  Random random(46);
  int contacts = 0, undecided = 0;
  const int all = with_effort(400);
  for (int i = 0; i < all; ++i) {
    const FeaturePairKind pair = main_pairs[static_cast<std::size_t>(i % 2)];
    LinearMotion4 motion = random.integer(0, 1) == 0 ? grid_motion(random, 3) : box_motion(random);
    for (Vector3& x : motion.t1) x.z() = -1.0;
    LinearImpactOptions options;
    options.minimum_distance = std::ldexp(1.0, -random.integer(5, 22));
    options.budget = 2000;
    const Impact impact = library_answer(pair, motion, options);
    contacts += impact.status == Status::Contact;
    undecided += impact.status == Status::OutOfBudget;
    ASSERT_EQ(fault_of(impact, pair, motion, options), "") << i;
  }
  EXPECT_GT(contacts, all / 20);
  EXPECT_LE(undecided, all / 100);
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
