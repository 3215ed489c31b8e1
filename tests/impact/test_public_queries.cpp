// Agreement with the truth of the public query sets, and brackets against the oracle on them.
#include <gtest/gtest.h>

#include "effort.hpp"
#include "oracle/impact_check.hpp"
#include "oracle/public_queries.hpp"
#include "oracle/test_data.hpp"

namespace toccata::oracle {
namespace {

void check_set(const QuerySet& set, std::size_t bracket_stride) {
  int false_positives = 0, false_negatives = 0;
  for (std::size_t i = 0; i < set.motions.size(); ++i) {
    for (bool boolean_only : {true, false}) {
      LinearImpactOptions options;
      options.boolean_only = boolean_only;
      const Impact impact = library_answer(set.pair, set.motions[i], options);
      const bool contact = impact.status != Status::Separated;
      false_positives += contact && set.truth[i] == 0;
      false_negatives += !contact && set.truth[i] != 0;
      if (i % bracket_stride == 0) {
        ASSERT_EQ(fault_of(impact, set.pair, set.motions[i], options), "") << set.name << " " << i;
      }
    }
  }
  EXPECT_EQ(false_positives, 0) << set.name;
  EXPECT_EQ(false_negatives, 0) << set.name;
}

TEST(PublicQueries, degenerate_set) {
  const auto sets = degenerate_queries(test_data("queries/nyu"));
  ASSERT_FALSE(sets.empty());
  for (const QuerySet& set : sets) check_set(set, 1);
}

TEST(PublicQueries, deforming_scenes) {
  const auto sets = frame_queries(test_data("frames/cloth-ball"), test_data("frames/cloth-funnel"));
  ASSERT_FALSE(sets.empty());
  const bool soak = with_effort(100) > 100;
  for (const QuerySet& set : sets) check_set(set, soak || set.motions.size() < 1000 ? 1 : 20);
}

}  // namespace
}  // namespace toccata::oracle
