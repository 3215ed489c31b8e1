// Properties for all inputs, with counter-examples made small: rapidcheck.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "oracle/impact_check.hpp"
#include "oracle/motions.hpp"

namespace toccata::oracle {
namespace {

LinearMotion4 motion_from(const std::vector<double>& c) {
  LinearMotion4 motion;
  std::size_t next = 0;
  for_each_coordinate(motion, [&](double& x) { x = c[next++]; });
  return motion;
}

// Small integers, now and then off by a unit in the last place or a tiny amount.
rc::Gen<std::vector<double>> coordinates() {
  const auto small = rc::gen::map(rc::gen::inRange(-4, 5), [](int i) { return static_cast<double>(i); });
  const auto quarters = rc::gen::map(rc::gen::inRange(-16, 17), [](int i) { return i / 4.0; });
  const auto odd =
      rc::gen::map(rc::gen::pair(rc::gen::inRange(-4, 5), rc::gen::inRange(-2, 3)),
                   [](const std::pair<int, int>& p) { return p.first + std::ldexp(p.second, -51); });
  return rc::gen::container<std::vector<double>>(
      24, rc::gen::weightedOneOf<double>({{6, small}, {2, quarters}, {1, odd}}));
}

rc::Gen<FeaturePairKind> feature_pair() {
  return rc::gen::elementOf(std::vector(all_pairs.begin(), all_pairs.end()));
}

void expect_property(bool held) {
  EXPECT_TRUE(held);
}

TEST(Properties, the_answer_is_right) {
  expect_property(rc::check("the answer is the oracle's", [] {
    const LinearMotion4 motion = motion_from(*coordinates());
    const FeaturePairKind pair = *feature_pair();
    RC_ASSERT(fault_of_library(pair, motion) == "");
  }));
}

TEST(Properties, the_answer_is_right_up_to_t_max) {
  expect_property(rc::check("the answer up to t_max is the oracle's", [] {
    const LinearMotion4 motion = motion_from(*coordinates());
    const FeaturePairKind pair = *feature_pair();
    LinearImpactOptions options;
    options.t_max = *rc::gen::inRange(0, 65) / 64.0;
    options.boolean_only = *rc::gen::arbitrary<bool>();
    RC_ASSERT(fault_of_library(pair, motion, options) == "");
  }));
}

// Contact on [0, t] and on [t, 1] together is contact on [0, 1], where the middle is exact.
TEST(Properties, time_can_be_cut) {
  expect_property(rc::check("the halves answer for the whole", [] {
    const LinearMotion4 motion = motion_from(*coordinates());
    const FeaturePairKind pair = *feature_pair();
    LinearMotion4 first = motion, second = motion;
    for (std::size_t i = 0; i < 4; ++i) {
      const Vector3 middle = 0.5 * (motion.t0[i] + motion.t1[i]);
      RC_PRE(Vector3(2 * middle - motion.t0[i]) == motion.t1[i]);
      first.t1[i] = second.t0[i] = middle;
    }
    const auto touches = [&](const LinearMotion4& m) {
      return library_answer(pair, m).status != Status::Separated;
    };
    RC_ASSERT(touches(motion) == (touches(first) || touches(second)));
  }));
}

// A wider distance is never reached later.
TEST(Properties, distance_is_monotone) {
  expect_property(rc::check("a smaller distance is reached no earlier", [] {
    const LinearMotion4 motion = motion_from(*coordinates());
    const FeaturePairKind pair = *feature_pair();
    LinearImpactOptions wide, narrow;
    wide.minimum_distance = *rc::gen::inRange(2, 33) / 16.0;
    narrow.minimum_distance = 0.75 * wide.minimum_distance;
    const Impact first = library_answer(pair, motion, wide), later = library_answer(pair, motion, narrow);
    if (later.status != Status::Separated) {
      RC_ASSERT(first.status != Status::Separated);
      RC_ASSERT(first.time <= later.upper);
    }
  }));
}

}  // namespace
}  // namespace toccata::oracle
