// Brackets of the distance of convex sets against long double answers, and exact cases.
#include "proximity/convex/convex_distance.hpp"

#include <gtest/gtest.h>

#include "effort.hpp"
#include "oracle/convex_oracle.hpp"
#include "proximity/convex/convex_pairs.hpp"
#include "proximity/convex/gjk.hpp"

namespace toccata {
namespace {

using convex::convex_distance;
using convex::ConvexDistance;
using convex::ConvexLimits;
using convex::ConvexMemory;

double scale_of(const ConvexSet& a, const Pose& pose, const ConvexSet& b) {
  return core_reach(a) + core_reach(b) + pose.translation.norm();
}

void expect_right(const ConvexSet& a, const Pose& pose, const ConvexSet& b, const ConvexDistance& d,
                  double width) {
  const oracle::ConvexTruth truth = oracle::convex_distance_truth(a, pose, b);
  const double scale = scale_of(a, pose, b);
  EXPECT_LE(static_cast<long double>(d.lower), truth.upper);
  EXPECT_GE(static_cast<long double>(d.upper), truth.lower);
  EXPECT_LE(d.upper - d.lower, width * scale);
  if (d.meets) {
    EXPECT_EQ(d.upper, 0.0);
    EXPECT_LE(truth.lower, 1e-15L * scale);
  }
  if (d.lower > 0.0) {
    EXPECT_NEAR(d.direction.norm(), 1.0, 1e-15);
    EXPECT_GE(static_cast<double>(oracle::gap_along(a, pose, b, d.direction)), d.lower - 1e-15 * scale);
    EXPECT_NEAR((d.point_b - d.point_a).norm(), d.upper, 1e-14 * scale);
  }
}

double log_gap(Random& random) {
  return std::pow(10.0, random.uniform(-14.0, 0.0)) * (random.integer(0, 1) == 0 ? 1.0 : -0.3);
}

TEST(ConvexDistance, brackets_the_truth_for_every_pair_of_kinds) {
  Random random(1);
  for (int kind_a = 0; kind_a < set_kind_count; ++kind_a) {
    for (int kind_b = 0; kind_b < set_kind_count; ++kind_b) {
      const bool is_curved = kind_a > last_polytope_kind || kind_b > last_polytope_kind;
      for (int trial = 0; trial < with_effort(20); ++trial) {
        SCOPED_TRACE(testing::Message() << kind_a << " " << kind_b << " trial " << trial);
        const OwnedSet a = random_set(random, static_cast<SetKind>(kind_a));
        const OwnedSet b = random_set(random, static_cast<SetKind>(kind_b));
        const Pose pose = pose_at_gap(random, a.set, b.set, log_gap(random));
        const ConvexDistance d = convex_distance(a.set, pose, b.set);
        expect_right(a.set, pose, b.set, d, is_curved ? 1e-7 : 2e-14);
        if (HasFailure()) return;
      }
    }
  }
}

}  // namespace
}  // namespace toccata
