// The batch gives the answers of the single call bit by bit, for every instruction set, thread count, size
// and alignment.
#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <limits>

#include "effort.hpp"
#include "oracle/impact_check.hpp"
#include "oracle/motions.hpp"
#include "oracle/public_queries.hpp"
#include "oracle/test_data.hpp"
#include "toccata/impact/indexed_impact.hpp"
#include "toccata/impact/linear_motion_columns.hpp"

namespace toccata::oracle {
namespace {

class MotionArrays {
 public:
  explicit MotionArrays(const std::vector<LinearMotion4>& motions) : count_(motions.size()) {
    for (std::size_t k = 0; k < 24; ++k) {
      columns_[k].resize(count_);
      for (std::size_t i = 0; i < count_; ++i) {
        columns_[k][i] = (k < 12 ? motions[i].t0 : motions[i].t1)[k % 12 / 3][static_cast<int>(k % 3)];
      }
    }
  }
  LinearMotionBatch batch(std::size_t first, std::size_t size) const {
    LinearMotionBatch result;
    for (std::size_t k = 0; k < 24; ++k) result.coordinates[k] = columns_[k].data() + first;
    result.size = size;
    return result;
  }
  LinearMotionBatch all() const { return batch(0, count_); }

 private:
  std::size_t count_;
  std::array<std::vector<double>, 24> columns_;
};

// The points of all queries as vertices, in an order of their own: the batch by their numbers.
class MotionVertices {
 public:
  explicit MotionVertices(const std::vector<LinearMotion4>& motions) {
    const std::size_t count = 4 * motions.size();
    t0_.resize(count);
    t1_.resize(count);
    for (std::size_t i = 0; i < motions.size(); ++i) {
      for (std::size_t k = 0; k < 4; ++k) {
        const std::size_t vertex = (7919 * (4 * i + k) + 5) % count;  // 7919 is a prime
        t0_[vertex] = motions[i].t0[k];
        t1_[vertex] = motions[i].t1[k];
        points_.resize(motions.size());
        points_[i][k] = static_cast<std::int32_t>(vertex);
      }
    }
  }
  IndexedMotionBatch batch() const { return {t0_, t1_, points_}; }

  std::vector<Vector3> t0_, t1_;
  std::vector<std::array<std::int32_t, 4>> points_;
};

std::vector<LinearMotion4> mixed_motions(std::uint64_t seed, FeaturePairKind pair, std::size_t count) {
  Random random(seed);
  std::vector<LinearMotion4> motions;
  for (std::size_t i = 0; i < count; ++i) {
    switch (random.integer(0, 9)) {
      case 0:
        motions.push_back(grid_motion(random, 2));
        break;
      case 1:
        motions.push_back(near_degenerate_motion(random, pair));
        break;
      case 2:
        motions.push_back(scaled_motion(random, pair));
        break;
      case 3:
        motions.push_back(meeting_motion(random, pair));
        break;
      default:
        motions.push_back(box_motion(random));
    }
  }
  return motions;
}

LinearImpactBatchResult batch_answer(FeaturePairKind pair, const IndexedMotionBatch& batch,
                                     const LinearImpactOptions& options, int threads) {
  return pair == FeaturePairKind::VertexFace ? indexed_vertex_face_impacts(batch, options, threads)
                                             : indexed_edge_edge_impacts(batch, options, threads);
}

LinearImpactBatchResult batch_answer(FeaturePairKind pair, const LinearMotionBatch& batch,
                                     const LinearImpactOptions& options, int threads) {
  return pair == FeaturePairKind::VertexFace ? vertex_face_impacts(batch, options, threads)
                                             : edge_edge_impacts(batch, options, threads);
}

void expect_single_answers(const LinearImpactBatchResult& result, const std::vector<Impact>& single,
                           std::size_t first, std::size_t size) {
  ASSERT_EQ(result.stages.size(), size);
  ASSERT_EQ(result.indices.size(), result.impacts.size());
  std::size_t next = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const Impact& expected = single[first + i];
    ASSERT_EQ(result.stages[i], expected.stage) << "query " << first + i;
    if (expected.status == Status::Separated) continue;
    ASSERT_LT(next, result.indices.size());
    ASSERT_EQ(result.indices[next], i);
    ASSERT_TRUE(is_identical(result.impacts[next], expected)) << "query " << first + i;
    ++next;
  }
  ASSERT_EQ(next, result.indices.size());
}

std::vector<LinearImpactOptions> option_sets() {
  std::vector<LinearImpactOptions> sets(5);
  sets[1].boolean_only = true;
  sets[2].t_max = 0.37;
  sets[3].budget = 8;
  sets[4].minimum_distance = 0.05;
  return sets;
}

void check_batches(FeaturePairKind pair, const std::vector<LinearMotion4>& motions,
                   const LinearImpactOptions& options) {
  std::vector<Impact> single;
  for (const LinearMotion4& motion : motions) single.push_back(library_answer(pair, motion, options));
  const MotionArrays arrays(motions);
  const MotionVertices vertices(motions);
  for (int threads : {0, 1, 2, 3, 7}) {
    expect_single_answers(batch_answer(pair, arrays.all(), options, threads), single, 0, motions.size());
    expect_single_answers(batch_answer(pair, vertices.batch(), options, threads), single, 0, motions.size());
    if (testing::Test::HasFatalFailure()) return;
  }
  for (std::size_t size = 0; size < 40; ++size) {
    const std::size_t first = size * 3 % 17;
    if (first + size > motions.size()) continue;
    expect_single_answers(batch_answer(pair, arrays.batch(first, size), options, 1), single, first, size);
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(Batch, equals_the_single_call) {
  for (FeaturePairKind pair : main_pairs) {
    const auto motions = mixed_motions(51, pair, 20000);
    for (const LinearImpactOptions& options : option_sets()) {
      const bool slow = options.minimum_distance > 0;
      check_batches(pair, slow ? std::vector(motions.begin(), motions.begin() + 2000) : motions, options);
      if (HasFatalFailure()) return;
    }
  }
}

TEST(Batch, equals_the_single_call_on_the_public_queries) {
  const auto sets = degenerate_queries(test_data("queries/nyu"));
  ASSERT_FALSE(sets.empty());
  for (const QuerySet& set : sets) check_batches(set.pair, set.motions, {});
}

// Near the ends of what single precision can tell: differences that vanish when they are rounded, sizes
// beyond its range, cubics as small as its errors.
LinearMotion4 hard_for_single_precision(Random& random) {
  LinearMotion4 motion = box_motion(random);
  const int exponent = random.integer(-3, 3) * 12, kind = random.integer(0, 3);
  for (auto* end : {&motion.t0, &motion.t1}) {
    for (Vector3& point : *end) {
      if (kind == 0) point[0] = std::ldexp(random.uniform(0.5, 1.0), random.integer(-160, -140));
      if (kind == 1) point[2] *= std::ldexp(1.0, random.integer(-30, -15));
      if (kind == 2) point[1] = random.integer(0, 2);
      point *= std::ldexp(1.0, exponent);
    }
  }
  if (kind == 0) motion.t0[0][0] = motion.t1[0][0] = 0.0;
  return motion;
}

TEST(Batch, equals_the_single_call_where_single_precision_ends) {
  for (FeaturePairKind pair : main_pairs) {
    Random random(57);
    std::vector<LinearMotion4> motions;
    for (int i = 0; i < 30000; ++i) motions.push_back(hard_for_single_precision(random));
    check_batches(pair, motions, {});
    if (HasFatalFailure()) return;
  }
}

TEST(Batch, takes_columns_of_any_size) {
  Random random(58);
  for (const std::size_t size : {0, 1, 7, 64, 511, 512, 513, 5000, 30000}) {
    std::vector<LinearMotion4> motions;
    for (std::size_t i = 0; i < size; ++i)
      motions.push_back(meeting_motion(random, FeaturePairKind::EdgeEdge));
    std::vector<Impact> single;
    for (const LinearMotion4& motion : motions) {
      single.push_back(library_answer(FeaturePairKind::EdgeEdge, motion));
    }
    LinearMotionColumns columns(motions);
    ASSERT_EQ(columns.size(), size);
    expect_single_answers(edge_edge_impacts(columns.batch(), {}, 1), single, 0, size);
    if (size == 0) continue;
    columns.set(size - 1, motions[0]);
    EXPECT_EQ(columns.batch().coordinates[13][size - 1], motions[0].t1[0][1]);
    const LinearMotionColumns moved = std::move(columns);
    EXPECT_EQ(moved.column(23)[0], motions[0].t1[3][2]);
  }
}

// Queries of one scene in boxes of any size and place, where single precision sees as much as it can, or
// nothing.
TEST(Batch, by_numbers_agrees_wherever_the_scene_is) {
  for (const FeaturePairKind pair : {FeaturePairKind::VertexFace, FeaturePairKind::EdgeEdge}) {
    Random random(211);
    std::vector<LinearMotion4> motions;
    for (int i = with_effort(3000); i > 0; --i) {
      switch (random.integer(0, 3)) {
        case 0:
          motions.push_back(grid_motion(random, 2));
          break;
        case 1:
          motions.push_back(near_degenerate_motion(random, pair));
          break;
        case 2:
          motions.push_back(meeting_motion(random, pair));
          break;
        default:
          motions.push_back(box_motion(random));
      }
    }
    for (const double size : {0x1p-1000, 0x1p-230, 0x1p-20, 1.0, 0x1p220}) {
      for (const double distance : {0.0, 3.0, 1000.0}) {
        std::vector<LinearMotion4> moved = motions;
        for (LinearMotion4& motion : moved) {
          // A few are far away from all others.
          const double far = distance > 0.0 && random.integer(0, 99) == 0 ? 1e7 : 0.0;
          const Vector3 offset = random.in_box(distance + far);
          for (auto* end : {&motion.t0, &motion.t1}) {
            for (Vector3& x : *end) {
              if (far > 0.0 && random.integer(0, 3) == 0) x += random.in_box(far);
              x = size * (x + offset);
            }
          }
        }
        std::vector<Impact> single;
        LinearImpactOptions options;
        options.boolean_only = distance > 0.0;
        for (const LinearMotion4& motion : moved) single.push_back(library_answer(pair, motion, options));
        const MotionVertices vertices(moved);
        expect_single_answers(batch_answer(pair, vertices.batch(), options, 2), single, 0, moved.size());
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

// Numbers of vertices that are not there, of any size and sign, and vertices that are nowhere: Failed, and
// only the queries that name them.
TEST(Batch, by_numbers_fails_where_a_vertex_is_missing) {
  const auto motions = mixed_motions(59, FeaturePairKind::VertexFace, 3000);
  MotionVertices vertices(motions);
  const auto count = static_cast<std::int32_t>(vertices.t0_.size());
  vertices.points_[7][2] = count;
  vertices.points_[100][0] = -1;
  vertices.points_[2000][3] = std::numeric_limits<std::int32_t>::min();
  vertices.points_[2999][1] = std::numeric_limits<std::int32_t>::max();
  const auto expect_failed = [&](std::vector<std::size_t> expected) {
    const LinearImpactBatchResult result = indexed_vertex_face_impacts(vertices.batch());
    std::vector<std::size_t> failed;
    for (std::size_t i = 0; i < result.indices.size(); ++i) {
      if (result.impacts[i].status == Status::Failed) failed.push_back(result.indices[i]);
    }
    EXPECT_EQ(failed, expected);
    for (const std::size_t i : {std::size_t{8}, std::size_t{1999}}) {
      EXPECT_EQ(result.stages[i], library_answer(FeaturePairKind::VertexFace, motions[i]).stage);
    }
  };
  expect_failed({7, 100, 2000, 2999});
  vertices.t1_[static_cast<std::size_t>(vertices.points_[5][1])][2] = std::numeric_limits<double>::infinity();
  expect_failed({5, 7, 100, 2000, 2999});
  vertices.t1_.pop_back();
  EXPECT_EQ(indexed_vertex_face_impacts(vertices.batch()).indices.size(), motions.size());
  EXPECT_EQ(indexed_edge_edge_impacts(IndexedMotionBatch{}).stages.size(), 0U);
}

TEST(Batch, does_not_depend_on_the_instruction_set) {
  const auto supported = static_cast<std::int64_t>(hwy::SupportedTargets());
  for (FeaturePairKind pair : main_pairs) {
    const auto motions = mixed_motions(52, pair, 10000);
    LinearImpactOptions whether;
    whether.boolean_only = true;
    std::vector<Impact> single, single_whether;
    for (const LinearMotion4& motion : motions) {
      single.push_back(library_answer(pair, motion));
      single_whether.push_back(library_answer(pair, motion, whether));
    }
    const MotionArrays arrays(motions);
    // The lower the bit, the better the target: take the best away one by one.
    for (std::int64_t left = supported; left != 0; left &= left - 1) {
      hwy::SetSupportedTargetsForTest(left);
      hwy::GetChosenTarget().DeInit();
      expect_single_answers(batch_answer(pair, arrays.all(), {}, 1), single, 0, motions.size());
      const MotionVertices vertices(motions);
      expect_single_answers(batch_answer(pair, vertices.batch(), {}, 1), single, 0, motions.size());
      expect_single_answers(batch_answer(pair, vertices.batch(), whether, 1), single_whether, 0,
                            motions.size());
      std::vector<Impact> again;
      for (const LinearMotion4& motion : motions) again.push_back(library_answer(pair, motion));
      for (std::size_t i = 0; i < again.size(); ++i) ASSERT_TRUE(is_identical(again[i], single[i])) << i;
      if (HasFatalFailure()) break;
    }
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().DeInit();
  }
}

}  // namespace
}  // namespace toccata::oracle
