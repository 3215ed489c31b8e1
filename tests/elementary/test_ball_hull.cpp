// Nearest balls of hulls against a dense look at all weights, and proofs against what they claim.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "effort.hpp"
#include "toccata/base/random.hpp"
#include "toccata/elementary/ball_hull.hpp"

namespace toccata {
namespace {

BallHull random_hull(Random& random, int count, int kind) {
  BallHull hull;
  hull.count = count;
  for (std::size_t i = 0; i < 3; ++i) {
    hull.center[i] = Vector3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
    hull.radius[i] = random.uniform(0.0, 0.4);
  }
  if (kind == 1) hull.radius = {0.0, 0.0, 0.0};
  if (kind == 2) hull.radius = {0.2, 0.2, 0.2};
  if (kind == 3) hull.radius[0] = 2.0;  // swallows the others
  if (kind == 4) hull.center[2] = 0.5 * (hull.center[0] + hull.center[1]);
  if (kind == 5) hull.center[1] = hull.center[0];
  return hull;
}

std::vector<BallWeights> dense_weights(int count, int steps) {
  std::vector<BallWeights> all;
  if (count == 1) return {{1, 0, 0}};
  for (int i = 0; i <= steps; ++i) {
    for (int k = 0; k <= (count == 3 ? steps - i : 0); ++k) {
      const double s = double(i) / steps, t = double(k) / steps;
      all.push_back({1.0 - s - t, s, t});
    }
  }
  return all;
}

double dense_distance(const BallHull& a, const BallHull& b, int steps) {
  double least = 1e300;
  for (const BallWeights& wa : dense_weights(a.count, steps)) {
    const WeightedBall p = ball_at(a, wa);
    for (const BallWeights& wb : dense_weights(b.count, steps)) {
      const WeightedBall q = ball_at(b, wb);
      least = std::min(least, (p.center - q.center).norm() - p.radius - q.radius);
    }
  }
  return least;
}

TEST(BallHull, NearestBallsAreTheLeastOfADenseLook) {
  Random random(1);
  for (int trial = 0; trial < with_effort(400); ++trial) {
    BallHull a = random_hull(random, 1 + trial % 3, trial % 6);
    const BallHull b = random_hull(random, 1 + (trial / 3) % 3, (trial / 6) % 6);
    for (Vector3& c : a.center) c.x() += random.uniform(0.0, 2.0);
    const BallHullNearest found = nearest_balls(a, b);
    constexpr int steps = 12;
    const double dense = dense_distance(a, b, steps);
    EXPECT_LE(found.distance, dense + 1e-12) << trial;
    // Weights one step of the grid away change the distance by no more than its slope.
    EXPECT_GE(found.distance, dense - 8.0 * 3.5 / steps) << trial;
    double sum = 0.0;
    for (const double w : found.weight_a) {
      EXPECT_GE(w, 0.0);
      sum += w;
    }
    EXPECT_NEAR(sum, 1.0, 1e-15);
    // Apart: the direction proves it, all of it.
    if (found.distance > 1e-9) {
      EXPECT_NEAR(ball_hull_gap(a, b, found.direction), found.distance, 1e-9) << trial;
    }
    // No direction proves more than there is.
    for (int k = 0; k < 8; ++k)
      EXPECT_LE(ball_hull_gap(a, b, random.on_sphere()), std::max(found.distance, 0.0) + 1e-12);
  }
}

TEST(BallHull, AConeThroughASlabIsSeen) {
  // Neither end is in the slab, and no side of it is near.
  BallHull slab;
  slab.count = 3;
  slab.center = {Vector3(-1, -1, 0), Vector3(1, -1, 0), Vector3(0, 1, 0)};
  slab.radius = {0.05, 0.05, 0.05};
  BallHull cone;
  cone.count = 2;
  cone.center = {Vector3(0, -0.2, -1), Vector3(0.1, -0.2, 1), Vector3::Zero()};
  cone.radius = {0.01, 0.02, 0.0};
  EXPECT_LT(nearest_balls(cone, slab).distance, -0.05);
  EXPECT_LT(nearest_balls(slab, cone).distance, -0.05);
}

TEST(BallHull, APointIsProvenInsideOnlyWhereItIs) {
  Random random(2);
  int inside = 0;
  for (int trial = 0; trial < with_effort(2000); ++trial) {
    const BallHull hull = random_hull(random, 1 + trial % 3, trial % 6);
    const Vector3 point(random.uniform(-1.2, 1.2), random.uniform(-1.2, 1.2), random.uniform(-1.2, 1.2));
    const PointBallHull at = nearest_ball(point, hull);
    BallHull dot;
    dot.center[0] = point;
    EXPECT_NEAR(at.distance, nearest_balls(dot, hull).distance, 1e-9) << trial;
    const bool is_proven = is_proven_inside(point, hull, at.weight);
    if (is_proven) {
      ++inside;
      const WeightedBall ball = ball_at(hull, at.weight);
      const auto difference = (point - ball.center).cast<long double>().eval();
      EXPECT_LE(difference.norm(), static_cast<long double>(ball.radius));
    } else {
      EXPECT_GT(at.distance, -1e-13) << trial;
    }
  }
  EXPECT_GT(inside, 20);
  BallHull ball;
  ball.radius[0] = 1.0;
  EXPECT_FALSE(is_proven_inside(Vector3(0.5, 0, 0), ball, {-1.0, 2.0, 0.0}));
  EXPECT_FALSE(is_proven_inside(Vector3(0.5, 0, 0), ball, {1.5, 0.0, 0.0}));
}

}  // namespace
}  // namespace toccata
