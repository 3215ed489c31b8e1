#pragma once
// When do two hulls of balls first touch, whose centres and radii all change linearly over t in [0, 1]?
//
// Balls against cones and slabs, cones against cones, and every other pair of medial primitives, deforming or
// not. The alternating minimisation of Song et al. (nearest balls at a fixed time, first time of fixed balls,
// from t = 1 backwards) only guesses. What is proven is proven by directions: along a fixed one the gap of
// two hulls is the least of linear functions of time, so that it is positive up to the first root of any of
// them.
#include "toccata/base/status.hpp"
#include "toccata/elementary/ball_hull.hpp"

namespace toccata {

struct MovingBallHull {
  BallHull t0;
  BallHull t1;  // as many balls
};

// The hull at a time, rounded.
BallHull hull_at(const MovingBallHull& hull, double t);

struct BallHullImpactOptions {
  // How close counts as touching: a distance; 0: 1e-9 of the lengths that enter.
  double tolerance = 0.0;
  int most_steps = 256;
};

// Fields that hold, by status: Separated: proven apart on [0, 1]; Contact: all, proven apart on [0, lower);
// OverlapAtStart: all, with both times 0; OutOfBudget: proven apart on [0, lower), and no more is known.
struct BallHullImpact {
  Status status = Status::Separated;
  double lower = 1.0;
  double upper = 1.0;     // these two balls overlap by then, proven; 1: none were found that do
  double distance = 0.0;  // at `lower`: at most the tolerance
  BallWeights weight_a = {1.0, 0.0, 0.0};
  BallWeights weight_b = {1.0, 0.0, 0.0};
  Vector3 normal = Vector3::Zero();  // unit, from a to b, at `lower`; zero where centres meet
  int steps = 0;
};

BallHullImpact ball_hull_impact(const MovingBallHull& a, const MovingBallHull& b,
                                const BallHullImpactOptions& options = {});

// The guess alone, as in the paper, with its three conditions of termination: for comparison.
struct BallHullGuess {
  bool touches = false;
  double time = 1.0;
  BallWeights weight_a = {1.0, 0.0, 0.0};
  BallWeights weight_b = {1.0, 0.0, 0.0};
  int iterations = 0;
};
BallHullGuess guess_impact(const MovingBallHull& a, const MovingBallHull& b);

}  // namespace toccata
