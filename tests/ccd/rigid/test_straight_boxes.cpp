// Two boxes that do not turn, by all their axes at once: apart until the time that is said, overlapping at
// the one after it, and the same on every instruction set; and where they touch along an axis.
#include "ccd/search/straight_boxes.hpp"

#include <gtest/gtest.h>
#include <hwy/highway.h>

#include <Eigen/Geometry>
#include <cstring>

#include "effort.hpp"
#include "oracle/moving_bodies.hpp"
#include "oracle/solid_oracle.hpp"

namespace toccata {

using namespace search;

namespace {

using oracle::LongMatrix;
using oracle::LongSolid;
using oracle::LongVector;

struct Pair {
  Vector3 size_a, size_b, velocity;
  Pose a_to_b;

  LongSolid a_at(long double t) const {
    return {Box{size_a}, a_to_b.rotation.cast<long double>(),
            a_to_b.translation.cast<long double>() + t * velocity.cast<long double>()};
  }
  LongSolid b() const { return LongSolid(Box{size_b}, Pose()); }

  StraightBoxes boxes(double aim) const {
    StraightBoxes boxes;
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k < 3; ++k) boxes.edge[i][k] = a_to_b.rotation(k, i);
      boxes.middle[i] = a_to_b.translation[i];
      boxes.velocity[i] = velocity[i];
      boxes.half_a[i] = 0.5 * size_a[i];
      boxes.half_b[i] = 0.5 * size_b[i];
    }
    boxes.error = 1e-13;
    boxes.aim = aim;
    boxes.span = 1.0;
    return boxes;
  }
};

Pair any_pair(Random& random, int trial) {
  Pair pair;
  pair.size_a = random.in_box(1.0).cwiseAbs();
  pair.size_b = random.in_box(1.0).cwiseAbs();
  if (trial % 7 == 0) pair.size_a.z() = 0.0;
  pair.a_to_b = oracle::random_pose(random, 2.0);
  if (trial % 5 == 0) pair.a_to_b.rotation.setIdentity();
  if (trial % 5 == 1)
    pair.a_to_b.rotation = Eigen::AngleAxisd(random.uniform(-3, 3), Vector3::UnitY()).toRotationMatrix();
  pair.velocity = -1.5 * pair.a_to_b.translation + random.in_box(1.0);
  return pair;
}

TEST(StraightBoxes, apart_until_then_and_in_each_other_after) {
  Random random(41);
  int contacts = 0, overlaps = 0, touched = 0;
  for (int trial = 0; trial < with_effort(600); ++trial) {
    SCOPED_TRACE(trial);
    const Pair pair = any_pair(random, trial);
    const double aim = trial % 2 == 0 ? 1e-7 : 1e-3;
    const StraightBoxesAnswer found = cast_straight(pair.boxes(aim));
    const auto gap = [&](long double t) { return oracle::solid_gap(pair.a_at(t), pair.b()); };
    if (found.axis < 0) {
      EXPECT_LE(gap(0.0L).lower, 1.01L * aim);
      continue;
    }
    if (!(found.gap_at_start > 0.0) || !(found.gap > 0.0)) continue;
    EXPECT_LE(found.gap_at_start, gap(0.0L).upper);
    EXPECT_LE(found.gap, gap(found.until).upper);
    for (int i = 0; i <= 8; ++i) EXPECT_GT(gap(found.until * (i / 8.0L)).upper, 0.0L);
    if (!(found.until < 1.0)) continue;
    if (found.overlap) {
      ++overlaps;
      EXPECT_LE(gap(found.after).lower, 0.0L);
    }
    // Boxes that pass each other come apart along one axis before they come down along another; they may be
    // in each other later.
    if (gap(found.until).lower > 1.01L * aim) continue;
    ++contacts;
    // What the axis says of the nearest points is right where it says something.
    const ConvexSet a = set_of_core(Core::Box, 0.5 * pair.size_a),
                    b = set_of_core(Core::Box, 0.5 * pair.size_b);
    Pose then = pair.a_to_b;
    then.translation += found.until * pair.velocity;
    convex::ConvexDistance nearest;
    if (!touching_boxes(a, then, b, found.axis, found.gap, nearest)) continue;
    ++touched;
    EXPECT_NEAR(nearest.direction.norm(), 1.0, 1e-14);
    EXPECT_GE(nearest.upper, gap(found.until).lower);
    EXPECT_NEAR(nearest.upper, static_cast<double>(gap(found.until).upper), 1e-12);
    EXPECT_LT((nearest.point_b - nearest.point_a - nearest.upper * nearest.direction).norm(), 1e-12);
    for (std::size_t i = 0; i < 3; ++i) {
      const Vector3 along_a = then.rotation.transpose() * nearest.direction;
      const auto behind_a =
          support(a, along_a).value - along_a.dot(corner_of(a, nearest.features.vertex_a[i]));
      const auto behind_b = support(b, -nearest.direction).value +
                            nearest.direction.dot(corner_of(b, nearest.features.vertex_b[i]));
      EXPECT_LT(std::abs(behind_a) + std::abs(behind_b), 1e-12);
    }
  }
  EXPECT_GT(contacts, with_effort(600) / 3);
  EXPECT_GT(overlaps, contacts / 2);
  EXPECT_GT(touched, contacts / 2);
}

TEST(StraightBoxes, every_instruction_set_says_the_same) {
  Random random(42);
  for (int trial = 0; trial < 200; ++trial) {
    const StraightBoxes boxes = any_pair(random, trial).boxes(1e-7);
    const StraightBoxesAnswer first = cast_straight(boxes);
    for (std::int64_t targets = hwy::SupportedTargets(); targets != 0; targets &= targets - 1) {
      hwy::SetSupportedTargetsForTest(targets & -targets);
      const StraightBoxesAnswer other = cast_straight(boxes);
      EXPECT_EQ(other.axis, first.axis);
      EXPECT_EQ(other.until, first.until);
      EXPECT_EQ(other.gap_at_start, first.gap_at_start);
      EXPECT_EQ(other.gap, first.gap);
      EXPECT_EQ(other.after, first.after);
      EXPECT_EQ(other.overlap, first.overlap);
    }
    hwy::SetSupportedTargetsForTest(0);
  }
}

}  // namespace
}  // namespace toccata
