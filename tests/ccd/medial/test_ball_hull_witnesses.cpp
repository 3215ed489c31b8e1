// Moving hulls of balls against an oracle that shares no code with them: two balls of the hulls, found by
// descent in long double, that overlap at some moment prove that a contact must have been told by then.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>

#include "effort.hpp"
#include "toccata/base/random.hpp"
#include "toccata/impact/ball_hull_impact.hpp"

namespace toccata {
namespace {

using Wide3 = Eigen::Matrix<long double, 3, 1>;
using WideWeights = std::array<long double, 3>;

struct WideBall {
  Wide3 center = Wide3::Zero();
  long double radius = 0.0L;
};

WideBall ball_of(const MovingBallHull& hull, std::size_t i, long double t) {
  return {(1.0L - t) * hull.t0.center[i].cast<long double>() + t * hull.t1.center[i].cast<long double>(),
          (1.0L - t) * static_cast<long double>(hull.t0.radius[i]) +
              t * static_cast<long double>(hull.t1.radius[i])};
}

template <typename Weights>
WideBall mean_of(const MovingBallHull& hull, const Weights& weights, long double t) {
  WideBall mean;
  for (std::size_t i = 0; i < static_cast<std::size_t>(hull.t0.count); ++i) {
    const WideBall ball = ball_of(hull, i, t);
    mean.center += static_cast<long double>(weights[i]) * ball.center;
    mean.radius += static_cast<long double>(weights[i]) * ball.radius;
  }
  return mean;
}

template <typename Weights>
long double distance_of(const MovingBallHull& a, const MovingBallHull& b, const Weights& of_a,
                        const Weights& of_b, long double t) {
  const WideBall p = mean_of(a, of_a, t), q = mean_of(b, of_b, t);
  return (q.center - p.center).norm() - p.radius - q.radius;
}

// Some two balls: their distance is never less than that of the hulls. Towards the two corners that the slope
// asks for, by the best step of a few.
long double found_distance(const MovingBallHull& a, const MovingBallHull& b, long double t) {
  WideWeights of_a = {1.0L, 0.0L, 0.0L}, of_b = of_a;
  long double least = distance_of(a, b, of_a, of_b, t);
  for (int turn = 0; turn < 60; ++turn) {
    const Wide3 way = mean_of(b, of_b, t).center - mean_of(a, of_a, t).center;
    const long double length = way.norm();
    const auto best_corner = [&](const MovingBallHull& hull, long double sign) {
      std::size_t best = 0;
      long double best_slope = 1e30L;
      for (std::size_t i = 0; i < static_cast<std::size_t>(hull.t0.count); ++i) {
        const WideBall ball = ball_of(hull, i, t);
        const long double slope = (length > 0.0L ? sign * way.dot(ball.center) / length : 0.0L) - ball.radius;
        if (slope < best_slope) best = i, best_slope = slope;
      }
      return best;
    };
    const std::size_t i = best_corner(a, -1.0L), k = best_corner(b, 1.0L);
    WideWeights next_a = of_a, next_b = of_b;
    for (const auto& [with_a, with_b] :
         {std::pair(true, true), std::pair(true, false), std::pair(false, true)}) {
      for (long double step = 1.0L; step > 1e-6L; step *= 0.6L) {
        WideWeights try_a = of_a, try_b = of_b;
        for (std::size_t m = 0; m < 3; ++m) {
          if (with_a) try_a[m] = (1.0L - step) * of_a[m] + (m == i ? step : 0.0L);
          if (with_b) try_b[m] = (1.0L - step) * of_b[m] + (m == k ? step : 0.0L);
        }
        const long double distance = distance_of(a, b, try_a, try_b, t);
        if (distance < least) least = distance, next_a = try_a, next_b = try_b;
      }
    }
    if (next_a == of_a && next_b == of_b) break;
    of_a = next_a;
    of_b = next_b;
  }
  return least;
}

MovingBallHull moving_hull(Random& random, int count, int kind, bool far, const Vector3& shift) {
  MovingBallHull hull;
  hull.t0.count = hull.t1.count = count;
  const Vector3 start = (far ? Vector3(2, 0, 0) : Vector3(Vector3::Zero())) + shift;
  const Vector3 way(far ? random.uniform(-4, 1) : 0.0, random.uniform(-1, 1), random.uniform(-1, 1));
  for (std::size_t i = 0; i < 3; ++i) {
    hull.t0.center[i] = start + 0.7 * random.on_sphere();
    hull.t0.radius[i] = random.uniform(0.0, 0.3);
  }
  if (kind == 1) hull.t0.radius = {0.0, 0.0, 0.0};
  if (kind == 2) hull.t0.radius = {0.1, 0.1, 0.1};
  if (kind == 3) hull.t0.radius[0] = 1.2;  // swallows the others
  if (kind == 4) hull.t0.center[2] = 0.5 * (hull.t0.center[0] + hull.t0.center[1]);
  if (kind == 5) hull.t0.center[1] = hull.t0.center[0];
  if (kind == 6) hull.t0.center[2] = hull.t0.center[1] = hull.t0.center[0];
  hull.t1 = hull.t0;
  for (std::size_t i = 0; i < 3; ++i) {
    hull.t1.center[i] += way;
    if (kind == 7) {  // deforms
      hull.t1.center[i] += 0.5 * random.on_sphere();
      hull.t1.radius[i] = random.uniform(0.0, 0.3);
    }
  }
  if (kind == 8) hull.t1 = hull.t0;  // stands still
  return hull;
}

TEST(BallHullImpact, WitnessesOfItsOwnAndOfOthersAgree) {
  Random random(71);
  int hits = 0, free = 0, at_start = 0;
  for (int trial = 0; trial < with_effort(1200); ++trial) {
    const Vector3 shift = trial % 5 == 4 ? Vector3(1e3, -2e3, 5e2) : Vector3(Vector3::Zero());
    const MovingBallHull a = moving_hull(random, 1 + trial % 3, trial % 9, false, shift);
    const MovingBallHull b = moving_hull(random, 1 + (trial / 3) % 3, (trial / 9) % 9, true, shift);
    const long double slack = 1e-9L * (1.0L + static_cast<long double>(shift.norm()));
    const BallHullImpact found = ball_hull_impact(a, b);
    ASSERT_NE(found.status, Status::OutOfBudget) << trial;
    if (found.status != Status::Separated) {
      // Its own balls, looked at again.
      const long double at_lower =
          distance_of(a, b, found.weight_a, found.weight_b, static_cast<long double>(found.lower));
      EXPECT_LE(at_lower, 16.0L * slack) << trial;
    }
    if (found.status == Status::OverlapAtStart) {
      ++at_start;
      continue;
    }
    const double until = found.status == Status::Contact ? found.lower : 1.0;
    (found.status == Status::Contact ? hits : free) += 1;
    // No two balls overlap before.
    constexpr int moments = 24;
    for (int i = 0; i <= moments; ++i) {
      const long double t = static_cast<long double>(until) * i / moments;
      EXPECT_GE(found_distance(a, b, t), -slack) << trial << " at " << double(t);
    }
  }
  EXPECT_GT(hits, 100);
  EXPECT_GT(free, 100);
  EXPECT_GT(at_start, 20);
}

TEST(BallHullImpact, AConeThroughASlabOverlapsAtTheStart) {
  Random random(5);
  for (int trial = 0; trial < with_effort(200); ++trial) {
    // Through the middle: far from all sides of the slab, and the ends far from its plane.
    MovingBallHull slab, cone;
    slab.t0.count = 3;
    slab.t0.center = {Vector3(-4, -3, 0), Vector3(4, -3, 0), Vector3(0, 5, 0)};
    slab.t0.radius = {0.05, 0.01, 0.03};
    cone.t0.count = 2;
    cone.t0.center[0] = {random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5), -2.0};
    cone.t0.center[1] = {random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5), 3.0};
    cone.t0.radius = {0.01, 0.0, 0.0};
    const Eigen::Quaterniond turn(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1), 0.5);
    for (Vector3& c : slab.t0.center) c = turn.normalized() * c;
    for (Vector3& c : cone.t0.center) c = turn.normalized() * c;
    slab.t1 = slab.t0;
    cone.t1 = cone.t0;
    EXPECT_EQ(ball_hull_impact(cone, slab).status, Status::OverlapAtStart) << trial;
    EXPECT_EQ(ball_hull_impact(slab, cone).status, Status::OverlapAtStart) << trial;
  }
}

}  // namespace
}  // namespace toccata
