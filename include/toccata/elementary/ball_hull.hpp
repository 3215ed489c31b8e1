#pragma once
// Hulls of one, two or three balls (balls, medial cones, medial slabs): which two balls of theirs are
// nearest, and whether a direction separates them.
//
// A hull is every ball whose centre and radius are the same mean of the given ones. The distance of two hulls
// is the least of |y - x| - r - s over the balls (x, r) of one and (y, s) of the other: the norm of a linear
// function less a linear one, so convex in the weights, and its least value is on a part of at most two
// parameters (ball and slab, cone and cone, and what bounds them), or where centres meet. Each part has a
// closed form; a cone through a slab, which none of those sees, is looked for as such.
#include <array>

#include "toccata/base/vector.hpp"

namespace toccata {

struct BallHull {
  std::array<Vector3, 3> center = {Vector3::Zero(), Vector3::Zero(), Vector3::Zero()};
  std::array<double, 3> radius = {0.0, 0.0, 0.0};
  int count = 1;  // 1: a ball, 2: a cone, 3: a slab
};

using BallWeights = std::array<double, 3>;  // not negative, of sum 1 to rounding; those beyond `count` are 0

// The ball of a hull that has these weights.
struct WeightedBall {
  Vector3 center;
  double radius;
};
WeightedBall ball_at(const BallHull& hull, const BallWeights& weights);

struct BallHullNearest {
  double distance = 0.0;  // of the two balls: negative where they overlap, by how much
  BallWeights weight_a = {1.0, 0.0, 0.0};
  BallWeights weight_b = {1.0, 0.0, 0.0};
  Vector3 direction = Vector3::Zero();  // unit, from a's centre to b's; zero where they are one point
};

// Found in plain arithmetic: any weights are a witness of an overlap, and a direction proves that there is
// none (ball_hull_gap). Precondition: finite, radii not negative.
BallHullNearest nearest_balls(const BallHull& a, const BallHull& b);

// The same for a point.
struct PointBallHull {
  double distance = 0.0;  // from the ball's surface: negative inside
  BallWeights weight = {1.0, 0.0, 0.0};
};
PointBallHull nearest_ball(const Vector3& point, const BallHull& hull);

// Proven: the hulls are at least this far apart along the direction, from a to b, in units of its length.
// Rounding is taken off; below zero nothing is known. Zero directions give minus infinity.
double ball_hull_gap(const BallHull& a, const BallHull& b, const Vector3& direction);

// Proven: the point, and all that is within `slack` of it, is in the hull, by the ball with these weights.
// Negative weights prove nothing.
bool is_proven_inside(const Vector3& point, const BallHull& hull, const BallWeights& weights,
                      double slack = 0.0);

}  // namespace toccata
