// Random, near-degenerate, extreme-scale and adversarial motions against the oracle.
#include <gtest/gtest.h>

#include <bit>
#include <numeric>

#include "effort.hpp"
#include "oracle/impact_check.hpp"
#include "oracle/motions.hpp"

namespace toccata::oracle {
namespace {

template <typename Make>
void check_family(std::uint64_t seed, int quick, Make&& make) {
  Random random(seed);
  int contacts = 0;
  const int count = with_effort(quick);
  for (int i = 0; i < count; ++i) {
    const FeaturePairKind pair = i % 8 == 6   ? FeaturePairKind::VertexEdge
                                 : i % 8 == 7 ? FeaturePairKind::VertexVertex
                                              : main_pairs[static_cast<std::size_t>(i % 2)];
    const LinearMotion4 motion = make(random, pair);
    const Impact impact = library_answer(pair, motion);
    contacts += impact.status != Status::Separated;
    ASSERT_EQ(fault_of(impact, pair, motion), "") << "query " << i;
  }
  EXPECT_GT(contacts, count / 50);
  EXPECT_LT(contacts, count);
}

TEST(RandomQueries, in_a_box) {
  check_family(21, 40000, [](Random& random, FeaturePairKind) { return box_motion(random); });
}
TEST(RandomQueries, meeting) {
  check_family(22, 10000, meeting_motion);
}
TEST(RandomQueries, near_degenerate) {
  check_family(23, 25000, near_degenerate_motion);
}
TEST(RandomQueries, extreme_scales) {
  check_family(24, 2000, scaled_motion);
}

// --- the boundary between contact and separation ----------------------------------------------------------

// Doubles in their order as integers.
std::int64_t rank_of(double x) {
  const auto bits = std::bit_cast<std::int64_t>(x);
  return bits >= 0 ? bits : std::int64_t(0x8000000000000000) - bits;
}
double double_of(std::int64_t rank) {
  return std::bit_cast<double>(rank >= 0 ? rank : std::int64_t(0x8000000000000000) - rank);
}

double& coordinate(LinearMotion4& motion, int i) {
  return (i < 12 ? motion.t0 : motion.t1)[static_cast<std::size_t>(i % 12 / 3)][i % 3];
}

// Changes one coordinate to the last double before the answer changes, and asks on both sides.
void check_boundary(FeaturePairKind pair, LinearMotion4 motion, int i, double far) {
  const bool near_answer = features_touch(pair, motion);
  std::int64_t near = rank_of(coordinate(motion, i)), away = rank_of(far);
  coordinate(motion, i) = far;
  if (features_touch(pair, motion) == near_answer) return;
  for (std::int64_t middle = 0; (middle = std::midpoint(near, away)) != near;) {
    coordinate(motion, i) = double_of(middle);
    (features_touch(pair, motion) == near_answer ? near : away) = middle;
  }
  for (std::int64_t rank : {near, away, near - (away - near), away + (away - near)}) {
    coordinate(motion, i) = double_of(rank);
    ASSERT_EQ(fault_of_library(pair, motion), "");
  }
}

TEST(RandomQueries, last_double_before_the_answer_changes) {
  Random random(25);
  for (int k = with_effort(900); k > 0; --k) {
    const FeaturePairKind pair = main_pairs[static_cast<std::size_t>(k % 2)];
    const LinearMotion4 motion = random.integer(0, 2) == 0   ? grid_motion(random, 3)
                                 : random.integer(0, 1) == 0 ? box_motion(random)
                                                             : meeting_motion(random, pair);
    check_boundary(pair, motion, random.integer(0, 23), random.uniform(-4, 4));
    if (HasFatalFailure()) return;
  }
}

// Tangential contact: a contact whose cubic has a double root, moved by tiny amounts to either side.
TEST(RandomQueries, grazing) {
  Random random(26);
  for (int k = with_effort(8000); k > 0; --k) {
    // The edges cross in the middle of the motion only, where edge a turns back: with z(t) the height of a
    // over b, z(0) = z(1) and z is a parabola in t since the contact point runs along a tilted edge.
    const double tilt = random.integer(1, 8) / 8.0, reach = random.integer(1, 6);
    const double lift = std::ldexp(random.integer(-3, 3), -random.integer(1, 60));
    LinearMotion4 motion;
    motion.t0 = {Vector3(-1, 0, -tilt), Vector3(1, 0, tilt), Vector3(-reach, -2, reach * tilt),
                 Vector3(-reach, 2, reach * tilt)};
    motion.t1 = {Vector3(-1, 0, tilt), Vector3(1, 0, -tilt), Vector3(reach, -2, reach * tilt + lift),
                 Vector3(reach, 2, reach * tilt)};
    if (k % 3 == 0) for_each_coordinate(motion, [&](double& x) { x += 0.1 * random.integer(-3, 3); });
    ASSERT_EQ(fault_of_library(FeaturePairKind::EdgeEdge, motion), "");
    // The same as a vertex and a triangle that is spanned by edge b and a far point.
    LinearMotion4 face = motion;
    face.t0 = {motion.t0[0], motion.t0[2], motion.t0[3], motion.t0[1]};
    face.t1 = {motion.t1[0], motion.t1[2], motion.t1[3], motion.t1[1]};
    ASSERT_EQ(fault_of_library(FeaturePairKind::VertexFace, face), "");
  }
}

// A rotation by 180 degrees as a linear motion passes through a point: everything vanishes at one time.
TEST(RandomQueries, collapse_in_the_middle) {
  Random random(27);
  for (int k = with_effort(8000); k > 0; --k) {
    const FeaturePairKind pair = all_pairs[static_cast<std::size_t>(k % 4)];
    LinearMotion4 motion = k % 3 == 0 ? box_motion(random) : grid_motion(random, 3);
    const Vector3 centre = k % 2 == 0 ? Vector3(0, 0, 0) : Vector3(motion.t0[0]);
    for (std::size_t p = static_cast<std::size_t>(random.integer(0, 2)); p < 4; ++p) {
      motion.t1[p] = centre - random.integer(1, 3) * motion.t0[p];
    }
    ASSERT_EQ(fault_of_library(pair, motion), "");
  }
}

}  // namespace
}  // namespace toccata::oracle
