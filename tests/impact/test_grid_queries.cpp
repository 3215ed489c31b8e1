// Small integer coordinates, where degenerate features, coplanar motion, contact at the ends of the time
// interval and exact hits of edges and vertices are the rule.
#include <gtest/gtest.h>

#include "effort.hpp"
#include "oracle/impact_check.hpp"
#include "oracle/motions.hpp"

namespace toccata::oracle {
namespace {

void check_grid(int n, std::uint64_t seed) {
  Random random(seed);
  int contacts = 0;
  const int count = with_effort(12000);
  for (FeaturePairKind pair : all_pairs) {
    for (int i = 0; i < count; ++i) {
      const LinearMotion4 motion = grid_motion(random, n);
      const Impact impact = library_answer(pair, motion);
      contacts += impact.status != Status::Separated;
      ASSERT_EQ(fault_of(impact, pair, motion), "");
    }
  }
  testing::Test::RecordProperty("queries", 4 * count);
  testing::Test::RecordProperty("contacts", contacts);
  EXPECT_GT(contacts, count / 20);
}

TEST(GridQueries, up_to_one) {
  check_grid(1, 1);
}
TEST(GridQueries, up_to_two) {
  check_grid(2, 2);
}
TEST(GridQueries, up_to_three) {
  check_grid(3, 3);
}

// All motions of a vertex and an edge on the unit grid of a plane: nothing is left to chance.
TEST(GridQueries, all_small_planar_vertex_edge_motions) {
  LinearMotion4 motion;
  for (auto* end : {&motion.t0, &motion.t1}) end->fill(Vector3::Zero());
  for (int code = 0; code < 531441; code += 7) {  // 3^12, every seventh
    int rest = code;
    for (auto* end : {&motion.t0, &motion.t1}) {
      for (std::size_t p = 0; p < 3; ++p) {
        for (int axis = 0; axis < 2; ++axis, rest /= 3) (*end)[p][axis] = rest % 3 - 1;
      }
    }
    ASSERT_EQ(fault_of_library(FeaturePairKind::VertexEdge, motion), "");
  }
}

}  // namespace
}  // namespace toccata::oracle
