// t_max, boolean_only and budget.
#include <gtest/gtest.h>

#include "effort.hpp"
#include "oracle/impact_check.hpp"
#include "oracle/motions.hpp"

namespace toccata::oracle {
namespace {

template <typename Choose>
void check_options(std::uint64_t seed, int quick, Choose&& choose) {
  Random random(seed);
  for (int i = with_effort(quick); i > 0; --i) {
    const FeaturePairKind pair = all_pairs[static_cast<std::size_t>(i % 4)];
    const LinearMotion4 motion = mixed_motion(random, pair);
    const LinearImpactOptions options = choose(random, pair, motion);
    ASSERT_EQ(fault_of_library(pair, motion, options), "");
  }
}

TEST(ImpactOptions, boolean_only) {
  check_options(41, 30000, [](Random&, FeaturePairKind, const LinearMotion4&) {
    LinearImpactOptions options;
    options.boolean_only = true;
    return options;
  });
}

TEST(ImpactOptions, t_max) {
  check_options(42, 15000, [](Random& random, FeaturePairKind pair, const LinearMotion4& motion) {
    LinearImpactOptions options;
    options.boolean_only = random.integer(0, 3) == 0;
    options.t_max = random.integer(0, 4) == 0 ? random.integer(0, 8) / 8.0 : random.unit();
    // Often just around the contact itself.
    const Impact impact = library_answer(pair, motion);
    if (impact.status == Status::Contact && random.integer(0, 1) == 0) {
      options.t_max = random.integer(0, 1) == 0 ? impact.lower : impact.upper;
      if (random.integer(0, 2) == 0) options.t_max = std::nextafter(options.t_max, 0.0);
    }
    return options;
  });
}

TEST(ImpactOptions, budget) {
  Random random(43);
  int out_of_budget = 0;
  for (int i = with_effort(12000); i > 0; --i) {
    const FeaturePairKind pair = main_pairs[static_cast<std::size_t>(i % 2)];
    const LinearMotion4 motion = mixed_motion(random, pair);
    LinearImpactOptions options;
    options.budget = 1 << random.integer(0, 6);
    options.boolean_only = random.integer(0, 3) == 0;
    const Impact impact = library_answer(pair, motion, options);
    out_of_budget += impact.status == Status::OutOfBudget;
    ASSERT_EQ(fault_of(impact, pair, motion, options), "");
  }
  RecordProperty("out_of_budget", out_of_budget);
}

}  // namespace
}  // namespace toccata::oracle
