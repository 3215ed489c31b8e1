// What cannot be asked is said to have failed: no coordinate and no option makes a silent "separated".
#include <gtest/gtest.h>

#include <limits>

#include "oracle/impact_check.hpp"
#include "oracle/motions.hpp"
#include "toccata/impact/linear_motion_columns.hpp"

namespace toccata::oracle {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

void expect_failed(const Impact& impact) {
  EXPECT_EQ(impact.status, Status::Failed);
  EXPECT_EQ(impact.stage, ImpactStage::Start);
  EXPECT_EQ(impact.time, 0.0);
  EXPECT_EQ(impact.lower, 0.0);
}

double& coordinate(LinearMotion4& motion, std::size_t k) {
  return (k < 12 ? motion.t0 : motion.t1)[k % 12 / 3][static_cast<int>(k % 3)];
}

LinearMotion4 any_motion(Random& random, FeaturePairKind pair) {
  switch (random.integer(0, 3)) {
    case 0:
      return grid_motion(random, 2);
    case 1:
      return meeting_motion(random, pair);
    case 2:
      return scaled_motion(random, pair);
    default:
      return box_motion(random);
  }
}

// Every coordinate in turn, on motions that every stage decides.
TEST(FailedInputs, coordinates_that_are_not_finite) {
  Random random(71);
  LinearImpactOptions sets[4];
  sets[1].boolean_only = true;
  sets[2].minimum_distance = 0.1;
  sets[3].t_max = 0.0;
  for (const FeaturePairKind pair : all_pairs) {
    const int points = point_count(pair);
    for (int round = 0; round < 60; ++round) {
      const LinearMotion4 motion = any_motion(random, pair);
      for (std::size_t k = 0; k < 24; ++k) {
        for (const double bad : {nan, infinity, -infinity}) {
          LinearMotion4 broken = motion;
          coordinate(broken, k) = bad;
          const LinearImpactOptions& options = sets[random.integer(0, 3)];
          const Impact impact = library_answer(pair, broken, options);
          if (static_cast<int>(k % 12 / 3) < points) {
            expect_failed(impact);
          } else {  // a point that does not count
            EXPECT_EQ(fault_of(impact, pair, motion, options), "");
          }
          if (HasFailure()) return;
        }
      }
    }
  }
}

// Two that are not finite may cancel in a difference.
TEST(FailedInputs, several_coordinates_that_are_not_finite) {
  Random random(72);
  for (const FeaturePairKind pair : main_pairs) {
    for (int round = 0; round < 3000; ++round) {
      LinearMotion4 motion = any_motion(random, pair);
      const double values[] = {nan, infinity, -infinity};
      for (int n = random.integer(1, 8); n > 0; --n) {
        coordinate(motion, static_cast<std::size_t>(random.integer(0, 23))) = values[random.integer(0, 2)];
      }
      expect_failed(library_answer(pair, motion));
      if (HasFailure()) return;
    }
  }
}

TEST(FailedInputs, among_the_queries_of_a_batch) {
  Random random(73);
  for (const FeaturePairKind pair : main_pairs) {
    std::vector<LinearMotion4> motions;
    std::vector<bool> broken;
    for (int i = 0; i < 5000; ++i) {
      LinearMotion4 motion = any_motion(random, pair);
      broken.push_back(random.integer(0, 3) == 0);
      if (broken.back()) {
        const double values[] = {nan, infinity, -infinity};
        coordinate(motion, static_cast<std::size_t>(random.integer(0, 23))) = values[random.integer(0, 2)];
      }
      motions.push_back(motion);
    }
    const LinearMotionColumns columns(motions);
    for (const bool boolean_only : {false, true}) {
      LinearImpactOptions options;
      options.boolean_only = boolean_only;
      const LinearImpactBatchResult result = pair == FeaturePairKind::EdgeEdge
                                                 ? edge_edge_impacts(columns.batch(), options, 1)
                                                 : vertex_face_impacts(columns.batch(), options, 1);
      std::size_t next = 0;
      for (std::size_t i = 0; i < motions.size(); ++i) {
        const bool listed = next < result.indices.size() && result.indices[next] == i;
        const Impact impact = listed ? result.impacts[next] : Impact{};
        next += listed;
        ASSERT_EQ(impact.status == Status::Failed, static_cast<bool>(broken[i])) << i;
        ASSERT_EQ(impact.status, library_answer(pair, motions[i], options).status) << i;
      }
    }
  }
}

// Coordinates whose products overflow are finite all the same.
TEST(FailedInputs, large_coordinates_are_none) {
  Random random(74);
  for (const FeaturePairKind pair : main_pairs) {
    std::vector<LinearMotion4> motions;
    for (int i = 0; i < 200; ++i) {
      LinearMotion4 motion = i % 2 == 0 ? meeting_motion(random, pair) : box_motion(random);
      const int power = random.integer(30, 1000);
      for_each_coordinate(motion, [&](double& x) { x = std::ldexp(x, power); });
      ASSERT_EQ(fault_of_library(pair, motion), "") << power;
      motions.push_back(motion);
    }
    const LinearMotionColumns columns(motions);
    const LinearImpactBatchResult result = pair == FeaturePairKind::EdgeEdge
                                               ? edge_edge_impacts(columns.batch(), {}, 1)
                                               : vertex_face_impacts(columns.batch(), {}, 1);
    for (std::size_t i = 0; i < motions.size(); ++i) {
      ASSERT_EQ(result.stages[i], library_answer(pair, motions[i]).stage) << i;
    }
  }
}

TEST(FailedInputs, options_out_of_their_range) {
  std::vector<LinearImpactOptions> sets;
  for (const double t_max : {-0.1, 1.1, nan, infinity}) sets.emplace_back().t_max = t_max;
  for (const double d : {-0.1, nan, infinity, -infinity}) sets.emplace_back().minimum_distance = d;
  for (const double share : {-0.1, nan, infinity}) {
    sets.emplace_back().minimum_distance = 0.1;
    sets.back().relative_distance_tolerance = share;
  }
  sets.emplace_back().budget = -1;
  Random random(75);
  for (const LinearImpactOptions& options : sets) {
    for (const FeaturePairKind pair : all_pairs)
      expect_failed(library_answer(pair, box_motion(random), options));
    const LinearMotionColumns columns(std::vector<LinearMotion4>(200, box_motion(random)));
    for (const auto answer : {vertex_face_impacts, edge_edge_impacts}) {
      const LinearImpactBatchResult result = answer(columns.batch(), options, 1, {});
      ASSERT_EQ(result.indices.size(), columns.size());
      for (const Impact& impact : result.impacts) expect_failed(impact);
      for (const ImpactStage stage : result.stages) EXPECT_EQ(stage, ImpactStage::Start);
    }
  }
}

}  // namespace
}  // namespace toccata::oracle
