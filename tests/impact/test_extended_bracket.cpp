// Brackets that need more digits than a double has.
#include <gtest/gtest.h>

#include <cmath>

#include "oracle/impact_check.hpp"
#include "oracle/motions.hpp"

namespace toccata::oracle {
namespace {

// Nearly flat motions: F is small beside the product of the magnitudes, so its signs near the root are beyond
// double precision, but nothing is degenerate.
TEST(ExtendedBracket, holds_where_it_is_narrowed) {
  Random random(12);
  int extended = 0;
  for (const FeaturePairKind pair : main_pairs) {
    for (int round = 0; round < 4000; ++round) {
      LinearMotion4 motion = meeting_motion(random, pair);
      const double flatness = std::ldexp(1.0, -random.integer(3, 24));
      const Vector3 along(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
      for (auto* end : {&motion.t0, &motion.t1}) {
        for (Vector3& point : *end)
          point += along * ((1.0 - flatness) * -point.dot(along) / along.dot(along));
      }
      const Impact impact = library_answer(pair, motion);
      extended += impact.stage == ImpactStage::Extended;
      ASSERT_EQ(fault_of(impact, pair, motion), "") << "round " << round;
    }
  }
  EXPECT_GT(extended, 500);
}

}  // namespace
}  // namespace toccata::oracle
