// Two boxes at eight moments: gaps are no wider than they are, what is proven apart between two moments is
// apart at all of them, and every instruction set says the same.
#include "ccd/search/box_moments.hpp"

#include <gtest/gtest.h>
#include <hwy/highway.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstring>

#include "ccd/search/steady_pair.hpp"
#include "effort.hpp"
#include "oracle/moving_bodies.hpp"
#include "oracle/solid_oracle.hpp"
#include "toccata/motion/rigid_motion.hpp"

namespace toccata {

using namespace search;

namespace {

using oracle::LongMatrix;
using oracle::LongSolid;
using oracle::LongVector;

LongSolid placed(const Geometry& box, const RigidMotion& motion, long double t) {
  const LongMatrix start = motion.pose_t0().rotation.cast<long double>();
  const LongVector w = motion.angular_velocity().cast<long double>();
  const long double angle = w.norm();
  LongMatrix turn = LongMatrix::Identity();
  if (angle > 0.0L) turn = Eigen::AngleAxis<long double>(t * angle, w / angle).toRotationMatrix();
  const LongVector arm = start * motion.reference().cast<long double>();
  const LongVector place =
      motion.pose_t0().translation.cast<long double>() + arm + t * motion.velocity().cast<long double>();
  return {box, turn * start, place - turn * arm};
}

RigidMotion any_motion(Random& random, bool turns, double spread) {
  const Pose pose = oracle::random_pose(random, spread);
  const Vector3 reference = random.integer(0, 2) == 0 ? random.in_box(1.0) : Vector3(Vector3::Zero());
  return RigidMotion::with_velocity(pose, random.in_box(2.0),
                                    turns ? random.in_box(3.4) : Vector3(Vector3::Zero()), reference);
}

struct Pair {
  Geometry box_a, box_b;
  RigidMotion motion_a, motion_b;
  BoxMotion motion;
};

Pair any_pair(Random& random, int trial) {
  const auto size = [&] { return Vector3(random.in_box(1.2).cwiseAbs() + Vector3::Constant(0.02)); };
  // Half of them rods that sweep plates, which are through each other between two moments.
  const bool are_thin = trial % 2 == 0;
  const Vector3 size_a = are_thin ? Vector3(2.5, 0.02, 0.02) : size();
  const Vector3 size_b = are_thin ? Vector3(1.5, 1.0, 0.02) : size();
  const double spread = are_thin ? 0.7 : 1.5;
  Pair pair;
  pair.box_a = Box{size_a};
  pair.box_b = Box{size_b};
  pair.motion_a = any_motion(random, trial % 3 != 0, spread);
  pair.motion_b = any_motion(random, trial % 3 != 1, spread);
  const Shape a(Box{size_a}), b(Box{size_b});
  const MovingShape moving_a{&a.data(), &pair.motion_a}, moving_b{&b.data(), &pair.motion_b};
  const ConvexPair pieces(moving_a, 0, moving_b, 0);
  const SearchQuestion question{moving_a, moving_b};
  const SteadyPair steady(question, pieces, 0.0, 1.0);
  EXPECT_TRUE(steady.is_steady());
  steady.set_motion(0.5 * size_a, 0.5 * size_b, 0.0, 1.0, pair.motion);
  return pair;
}

void spread(double from, double to, BoxMoments& moments) {
  std::memset(static_cast<void*>(&moments), 0, sizeof moments);
  moments.time[BoxMoments::first] = from;
  for (int i = 0; i < 8; ++i) moments.time[BoxMoments::first + 1 + i] = from + (to - from) * i / 7.0;
}

TEST(BoxMoments, what_is_proven_apart_is_apart) {
  Random random(31);
  int spans = 0;
  for (int trial = 0; trial < with_effort(300); ++trial) {
    SCOPED_TRACE(trial);
    const Pair pair = any_pair(random, trial);
    const double from = random.uniform(0, 0.9), to = from + (1.0 - from) * random.uniform(0.1, 1);
    BoxMoments moments;
    spread(from, to, moments);
    const std::uint32_t apart = look_at_moments(pair.motion, moments);
    EXPECT_EQ(apart & 1u, 0u);  // nothing is known of the slot before
    for (std::size_t at = BoxMoments::first + 1; at <= BoxMoments::last; ++at) {
      const auto gap = [&](long double t) {
        return oracle::solid_gap(placed(pair.box_a, pair.motion_a, t), placed(pair.box_b, pair.motion_b, t));
      };
      // Along axes of unit length or less the gap is at most the distance.
      const double widest = moments.widest[at];
      for (const auto& axis : moments.gap) EXPECT_LE(axis[at], widest);
      const auto here = gap(moments.time[at]);
      // Where they are apart along no axis they overlap, or nearly.
      if (widest > 0.0) {
        EXPECT_LE(widest, here.upper * (1.0L + 1e-12L));
      } else {
        EXPECT_LE(here.lower, 1e-9L);
      }
      if ((apart >> (at - BoxMoments::first - 1) & 1u) == 0) continue;
      ++spans;
      for (int i = 0; i <= 24; ++i) {
        const long double t = moments.time[at - 1] + (moments.time[at] - moments.time[at - 1]) * (i / 24.0L);
        EXPECT_GT(gap(t).upper, 0.0L);
      }
    }
  }
  EXPECT_GT(spans, with_effort(300));
}

// The gap along every axis, apart or not, lies above its chord less what the bends allow for.
TEST(BoxMoments, gaps_bend_no_more_than_said) {
  Random random(33);
  double most = 0.0;  // of what is allowed
  for (int trial = 0; trial < with_effort(300); ++trial) {
    SCOPED_TRACE(trial);
    const Pair pair = any_pair(random, trial);
    const double from = random.uniform(0, 0.9), to = from + (1.0 - from) * random.uniform(0.01, 1);
    BoxMoments coarse, fine;
    spread(from, to, coarse);
    look_at_moments(pair.motion, coarse);
    for (std::size_t at = BoxMoments::first + 2; at <= BoxMoments::last; ++at) {
      const double t0 = coarse.time[at - 1], h = coarse.time[at] - t0;
      spread(t0, coarse.time[at], fine);
      look_at_moments(pair.motion, fine);
      for (std::size_t k = 0; k < box_axis_count; ++k) {
        const double side = coarse.middle[k][at];
        if (!(side * coarse.middle[k][at - 1] > 0.0)) continue;
        for (std::size_t i = BoxMoments::first + 2; i < BoxMoments::last; ++i) {
          const double z = (fine.time[i] - t0) / h;
          const double chord = (1.0 - z) * coarse.gap[k][at - 1] + z * coarse.gap[k][at];
          // On the side of the ends.
          const double middle = fine.middle[k][i];
          const double gap = fine.gap[k][i] - (side * middle < 0.0 ? 2.0 * std::abs(middle) : 0.0);
          const double below = chord - gap, allowed = pair.motion.bend[k] * h * h * z * (1.0 - z);
          EXPECT_LE(below, allowed + 1e-12);
          if (allowed > 1e-9) most = std::max(most, below / allowed);
        }
      }
    }
  }
  EXPECT_GT(most, 0.5);
}

TEST(BoxMoments, every_instruction_set_says_the_same) {
  Random random(32);
  for (int trial = 0; trial < 50; ++trial) {
    const Pair pair = any_pair(random, trial);
    BoxMoments first, other;
    spread(0.0, 1.0, first);
    const std::uint32_t apart = look_at_moments(pair.motion, first);
    for (std::int64_t targets = hwy::SupportedTargets(); targets != 0; targets &= targets - 1) {
      hwy::SetSupportedTargetsForTest(targets & -targets);
      spread(0.0, 1.0, other);
      EXPECT_EQ(look_at_moments(pair.motion, other), apart);
      EXPECT_EQ(std::memcmp(&first, &other, sizeof first), 0);
    }
    hwy::SetSupportedTargetsForTest(0);
  }
}

}  // namespace
}  // namespace toccata
