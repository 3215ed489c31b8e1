// Very many queries: the batch against the single call, bit by bit, for all of them; every few against the
// exact oracle. A quick sample by default; TOCCATA_TEST_EFFORT=1000 asks 10^8. TOCCATA_TEST_SEED asks others,
// so that a long run can be had in parts.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "effort.hpp"
#include "oracle/impact_check.hpp"
#include "oracle/motions.hpp"
#include "toccata/impact/linear_motion_columns.hpp"

namespace toccata::oracle {
namespace {

constexpr int block_size = 10000;
constexpr int judged_every = 20;  // the oracle takes some forty times as long as the library

struct Tally {
  long long queries = 0, contacts = 0, judged = 0, near_degenerate = 0, mixed_exponents = 0;
};

LinearMotion4 any_motion(Random& random, FeaturePairKind pair, Tally& tally) {
  const int kind = random.integer(0, 999);
  if (kind < 1) {  // milliseconds each: exponents far apart need long integers
    ++tally.mixed_exponents;
    return scaled_motion(random, pair);
  }
  if (kind < 200) {
    ++tally.near_degenerate;
    return near_degenerate_motion(random, pair);
  }
  if (kind < 300) return grid_motion(random, random.integer(1, 4));
  return kind < 400 ? meeting_motion(random, pair) : box_motion(random);
}

void check_block(Random& random, FeaturePairKind pair, Tally& tally) {
  LinearMotionColumns columns(block_size);
  std::vector<LinearMotion4> motions;
  for (std::size_t i = 0; i < block_size; ++i) {
    motions.push_back(any_motion(random, pair, tally));
    columns.set(i, motions.back());
  }
  const LinearImpactBatchResult answer = pair == FeaturePairKind::VertexFace
                                             ? vertex_face_impacts(columns.batch(), {}, 1)
                                             : edge_edge_impacts(columns.batch(), {}, 1);
  std::size_t next = 0;
  for (std::size_t i = 0; i < block_size; ++i) {
    const Impact single = library_answer(pair, motions[i]);
    ASSERT_EQ(answer.stages[i], single.stage) << to_text(pair, motions[i]);
    if (single.status != Status::Separated) {
      ASSERT_LT(next, answer.indices.size()) << to_text(pair, motions[i]);
      ASSERT_EQ(answer.indices[next], i) << to_text(pair, motions[i]);
      ASSERT_TRUE(is_identical(answer.impacts[next], single)) << to_text(pair, motions[i]);
      ++next;
    }
    if (random.integer(1, judged_every) > 1) continue;
    ASSERT_EQ(fault_of(single, pair, motions[i]), "");
    ++tally.judged;
  }
  ASSERT_EQ(next, answer.indices.size());
  tally.queries += block_size;
  tally.contacts += static_cast<long long>(next);
}

TEST(Soak, batch_single_and_oracle_agree) {
  Random random(seed_or(2028));
  Tally tally;
  const int blocks = with_effort(100000) / block_size;
  for (int i = 0; i < blocks; ++i) {
    check_block(random, main_pairs[static_cast<std::size_t>(i % 2)], tally);
    if (HasFatalFailure()) return;
    if ((i + 1) % 100 != 0 && i + 1 != blocks) continue;
    std::printf(
        "%lld queries (%lld near-degenerate, %lld of mixed exponents), %lld contacts, %lld judged by the "
        "oracle\n",
        tally.queries, tally.near_degenerate, tally.mixed_exponents, tally.contacts, tally.judged);
    std::fflush(stdout);
  }
  EXPECT_GT(tally.contacts, tally.queries / 50);
}

}  // namespace
}  // namespace toccata::oracle
