// What must not change the answer: the order of vertices and edges, the direction of time (the Boolean), a
// power of two as a unit, an exact translation.
#include <gtest/gtest.h>

#include <algorithm>

#include "effort.hpp"
#include "oracle/impact_check.hpp"
#include "oracle/motions.hpp"

namespace toccata::oracle {
namespace {

LinearMotion4 reordered(const LinearMotion4& motion, const std::array<std::size_t, 4>& order) {
  LinearMotion4 result;
  for (std::size_t i = 0; i < 4; ++i) {
    result.t0[i] = motion.t0[order[i]];
    result.t1[i] = motion.t1[order[i]];
  }
  return result;
}

// All equivalent orders of the four points.
std::vector<std::array<std::size_t, 4>> orders_of(FeaturePairKind pair) {
  switch (pair) {
    case FeaturePairKind::VertexFace:
      return {{0, 1, 3, 2}, {0, 2, 1, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {0, 3, 2, 1}};
    case FeaturePairKind::EdgeEdge:
      return {{1, 0, 2, 3}, {0, 1, 3, 2}, {1, 0, 3, 2}, {2, 3, 0, 1},
              {3, 2, 0, 1}, {2, 3, 1, 0}, {3, 2, 1, 0}};
    case FeaturePairKind::VertexEdge:
      return {{0, 2, 1, 3}};
    case FeaturePairKind::VertexVertex:
      return {{1, 0, 2, 3}};
  }
  return {};
}

template <typename Check>
void for_many_motions(std::uint64_t seed, int quick, Check&& check) {
  Random random(seed);
  for (int i = with_effort(quick); i > 0; --i) {
    const FeaturePairKind pair = all_pairs[static_cast<std::size_t>(i % 4)];
    const LinearMotion4 motion = mixed_motion(random, pair);
    check(random, pair, motion, library_answer(pair, motion));
    if (testing::Test::HasFatalFailure()) return;
  }
}

// Two brackets of one time overlap.
void expect_same_time(const Impact& a, const Impact& b, const std::string& text) {
  ASSERT_EQ(a.status, b.status) << text;
  if (a.status == Status::Separated) return;
  ASSERT_LE(std::max(a.lower, b.lower), std::min(a.upper, b.upper)) << text;
}

TEST(Invariance, order_of_points) {
  for_many_motions(
      31, 20000, [](Random&, FeaturePairKind pair, const LinearMotion4& motion, const Impact& impact) {
        for (const auto& order : orders_of(pair)) {
          expect_same_time(library_answer(pair, reordered(motion, order)), impact, to_text(pair, motion));
        }
      });
}

TEST(Invariance, direction_of_time) {
  for_many_motions(32, 40000,
                   [](Random&, FeaturePairKind pair, const LinearMotion4& motion, const Impact& impact) {
                     const Impact back = library_answer(pair, {motion.t1, motion.t0});
                     ASSERT_EQ(back.status == Status::Separated, impact.status == Status::Separated)
                         << to_text(pair, motion);
                   });
}

TEST(Invariance, power_of_two) {
  for_many_motions(
      33, 30000, [](Random& random, FeaturePairKind pair, const LinearMotion4& motion, const Impact& impact) {
        LinearMotion4 scaled = motion;
        const int power = random.integer(-600, 900);  // no bit is lost
        for_each_coordinate(scaled, [&](double& x) { x = std::ldexp(x, power); });
        bool exact = true;
        for (std::size_t i = 0; i < 4; ++i) {
          for (int axis = 0; axis < 3; ++axis) {
            exact = exact && std::ldexp(scaled.t0[i][axis], -power) == motion.t0[i][axis] &&
                    std::ldexp(scaled.t1[i][axis], -power) == motion.t1[i][axis];
          }
        }
        if (!exact) return;
        expect_same_time(library_answer(pair, scaled), impact,
                         to_text(pair, motion) + " times 2^" + std::to_string(power));
      });
}

TEST(Invariance, exact_translation) {
  Random random(34);
  for (int i = with_effort(30000); i > 0; --i) {
    const FeaturePairKind pair = all_pairs[static_cast<std::size_t>(i % 4)];
    const LinearMotion4 motion = grid_motion(random, random.integer(1, 1000));
    const Impact impact = library_answer(pair, motion);
    const Vector3 offset(random.integer(-1000000, 1000000), std::ldexp(random.integer(-1000, 1000), 30),
                         std::ldexp(random.integer(-1000, 1000), 40));
    LinearMotion4 moved = motion;
    for (auto* end : {&moved.t0, &moved.t1}) {
      for (Vector3& x : *end) x += offset;
    }
    expect_same_time(library_answer(pair, moved), impact, to_text(pair, motion));
    if (HasFatalFailure()) return;
  }
}

// The axes are not special either.
TEST(Invariance, order_and_direction_of_axes) {
  for_many_motions(
      35, 30000, [](Random& random, FeaturePairKind pair, const LinearMotion4& motion, const Impact& impact) {
        LinearMotion4 turned = motion;
        const int shift = random.integer(0, 2);
        const std::array<double, 3> signs = {random.integer(0, 1) * 2.0 - 1, random.integer(0, 1) * 2.0 - 1,
                                             random.integer(0, 1) * 2.0 - 1};
        for (auto* end : {&turned.t0, &turned.t1}) {
          for (Vector3& x : *end) {
            const Vector3 old = x;
            for (int axis = 0; axis < 3; ++axis)
              x[axis] = signs[static_cast<std::size_t>(axis)] * old[(axis + shift) % 3];
          }
        }
        expect_same_time(library_answer(pair, turned), impact, to_text(pair, motion));
      });
}

TEST(Invariance, the_same_question_twice) {
  for_many_motions(36, 20000,
                   [](Random&, FeaturePairKind pair, const LinearMotion4& motion, const Impact& impact) {
                     ASSERT_TRUE(is_identical(library_answer(pair, motion), impact)) << to_text(pair, motion);
                   });
}

}  // namespace
}  // namespace toccata::oracle
