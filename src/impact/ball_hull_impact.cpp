// Roundings. The gap of two balls along n, at an end of the motion, is n . (y - x) - |n| (r + s): products
// and sums of lengths of at most L, off by less than 32 u |n| L. Between the ends it is the mean of both,
// with weights that are rounded once more. 128 u L stands for all of it.
#include "toccata/impact/ball_hull_impact.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "toccata/base/rounding.hpp"

namespace toccata {
namespace {

constexpr int most_guesses = 64;

double length_of(const MovingBallHull& hull) {
  double length = 0.0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(hull.t0.count); ++i) {
    length = std::max(
        {length, hull.t0.center[i].norm() + hull.t0.radius[i], hull.t1.center[i].norm() + hull.t1.radius[i]});
  }
  return length;
}

// Two balls of fixed weights over time: their centres' difference w + t v, their radii's sum r + t q.
struct BallPath {
  Vector3 w, v;
  double r, q;

  BallPath(const MovingBallHull& a, const MovingBallHull& b, const BallWeights& weight_a,
           const BallWeights& weight_b) {
    const WeightedBall a0 = ball_at(a.t0, weight_a), a1 = ball_at(a.t1, weight_a);
    const WeightedBall b0 = ball_at(b.t0, weight_b), b1 = ball_at(b.t1, weight_b);
    w = b0.center - a0.center;
    v = (b1.center - a1.center) - w;
    r = a0.radius + b0.radius;
    q = (a1.radius + b1.radius) - r;
  }

  double gap(double t) const { return (w + t * v).norm() - (r + t * q); }

  // |w + t v|^2 = (r + t q)^2, the first in [0, 1]; above 1: none.
  double first_touch() const {
    const double c = w.squaredNorm() - r * r;
    if (c <= 0.0) return 0.0;
    const double a = v.squaredNorm() - q * q, b = w.dot(v) - r * q;
    const double discriminant = b * b - a * c;
    if (discriminant < 0.0) return 2.0;
    const double root = std::sqrt(discriminant);
    // The smaller positive root; the sum that does not cancel is divided by.
    const double t = -b + root > 0.0 ? c / (-b + root) : 2.0;
    return t <= 1.0 ? t : 2.0;
  }

  // When the centres' gap is least, about: the axis of the parabola.
  double closest() const {
    const double a = v.squaredNorm() - q * q;
    if (!(a > 0.0)) return gap(0.0) < gap(1.0) ? 0.0 : 1.0;
    return std::clamp(-(w.dot(v) - r * q) / a, 0.0, 1.0);
  }
};

class Search {
 public:
  Search(const MovingBallHull& a, const MovingBallHull& b, const BallHullImpactOptions& options)
      : a_(a), b_(b), options_(options), lengths_(length_of(a) + length_of(b)) {
    tolerance_ = options.tolerance > 0.0 ? options.tolerance : 1e-9 * lengths_;
    tolerance_ = std::max(tolerance_, 512.0 * unit_roundoff * lengths_);
  }

  BallHullImpact run() {
    BallHullNearest nearest = nearest_balls(a_.t0, b_.t0);
    if (nearest.distance <= 0.0) return at_start(nearest);
    // Where the guess says that they touch, its direction is good for most of the way there.
    const BallHullGuess guess = guess_impact(a_, b_);
    if (guess.touches) {
      note_upper(guess.weight_a, guess.weight_b, guess.time);
      const BallPath path(a_, b_, guess.weight_a, guess.weight_b);
      advance(path.w + guess.time * path.v);
    }
    for (result_.steps = 1; time_ < 1.0; ++result_.steps) {
      nearest = nearest_balls(hull_at(a_, time_), hull_at(b_, time_));
      const double before = time_;
      if (nearest.distance > 0.0) advance(nearest.direction);
      if (time_ >= 1.0) break;
      const bool is_stuck = time_ - before <= 4.0 * unit_roundoff;
      if (nearest.distance <= tolerance_ || is_stuck) return ended(Status::Contact, nearest);
      if (result_.steps >= options_.most_steps) return ended(Status::OutOfBudget, nearest);
    }
    result_.status = Status::Separated;
    result_.lower = result_.upper = 1.0;
    return result_;
  }

 private:
  BallHullImpact at_start(const BallHullNearest& nearest) {
    time_ = 0.0;
    result_.upper = 0.0;
    return ended(Status::OverlapAtStart, nearest);
  }

  BallHullImpact ended(Status status, const BallHullNearest& nearest) {
    if (status == Status::Contact) note_upper(nearest.weight_a, nearest.weight_b, time_);
    result_.status = status;
    result_.lower = time_;
    result_.distance = std::max(nearest.distance, 0.0);
    result_.weight_a = nearest.weight_a;
    result_.weight_b = nearest.weight_b;
    result_.normal = nearest.direction;
    return result_;
  }

  // From a time at which two balls are about to overlap: the first a little later at which they surely do.
  void note_upper(const BallWeights& weight_a, const BallWeights& weight_b, double from) {
    const BallPath path(a_, b_, weight_a, weight_b);
    for (double ahead = 1e-14; ahead < 0.1; ahead *= 8.0) {
      const double t = from + ahead;
      if (t > 1.0 || t >= result_.upper) return;
      if (path.gap(t) + 128.0 * unit_roundoff * lengths_ < 0.0) {
        result_.upper = t;
        return;
      }
    }
  }

  // As far as the gap along the direction is proven positive from now on.
  void advance(const Vector3& direction) {
    const double length = direction.norm();
    if (!(length > 1e-140)) return;
    const double longer = length * (1.0 + 8.0 * unit_roundoff);
    const double least = 128.0 * unit_roundoff * lengths_ * length;
    double until = 1.0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(a_.t0.count); ++i) {
      for (std::size_t k = 0; k < static_cast<std::size_t>(b_.t0.count); ++k) {
        const double g0 = direction.dot(b_.t0.center[k] - a_.t0.center[i]) -
                          longer * (a_.t0.radius[i] + b_.t0.radius[k]) - least;
        const double g1 = direction.dot(b_.t1.center[k] - a_.t1.center[i]) -
                          longer * (a_.t1.radius[i] + b_.t1.radius[k]) - least;
        if (!((1.0 - time_) * g0 + time_ * g1 > 0.0)) return;
        // Linear and positive now: up to its root, which rounds twice.
        if (g1 <= 0.0) until = std::min(until, (g0 / (g0 - g1)) * (1.0 - 8.0 * unit_roundoff));
      }
    }
    time_ = std::max(time_, until);
  }

  const MovingBallHull& a_;
  const MovingBallHull& b_;
  const BallHullImpactOptions& options_;
  double lengths_, tolerance_ = 0.0;
  double time_ = 0.0;
  BallHullImpact result_;
};

}  // namespace

BallHull hull_at(const MovingBallHull& hull, double t) {
  if (t <= 0.0) return hull.t0;
  if (t >= 1.0) return hull.t1;
  BallHull at = hull.t0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(at.count); ++i) {
    at.center[i] = (1.0 - t) * hull.t0.center[i] + t * hull.t1.center[i];
    at.radius[i] = (1.0 - t) * hull.t0.radius[i] + t * hull.t1.radius[i];
  }
  return at;
}

BallHullGuess guess_impact(const MovingBallHull& a, const MovingBallHull& b) {
  BallHullGuess guess;
  double t = 1.0;  // from the start the nearest balls may only part (Figure 3 of the paper)
  for (guess.iterations = 1; guess.iterations <= most_guesses; ++guess.iterations) {
    const BallHullNearest nearest = nearest_balls(hull_at(a, t), hull_at(b, t));
    const BallPath path(a, b, nearest.weight_a, nearest.weight_b);
    const double touch = path.first_touch();
    // Condition 1: in contact at the start and parting. It is no collision of this step.
    if (touch == 0.0 && path.w.dot(path.v) - path.r * path.q > 0.0 && path.gap(0.0) >= 0.0) return guess;
    if (touch <= 1.0) {
      guess.touches = true;
      guess.weight_a = nearest.weight_a;
      guess.weight_b = nearest.weight_b;
      // Condition 2: in contact at t as the balls leave each other. The first root is where to go on.
      if (guess.time - touch <= 1e-13 && t - touch <= 1e-13) {
        guess.time = std::min(guess.time, touch);
        return guess;
      }
      guess.time = std::min(guess.time, touch);
      if (touch >= t) return guess;
      t = touch;
      continue;
    }
    if (guess.touches) return guess;
    // Condition 3: apart, and the time does not change any more.
    const double next = path.closest();
    if (std::abs(next - t) <= 1e-13) return guess;
    t = next;
  }
  return guess;
}

BallHullImpact ball_hull_impact(const MovingBallHull& a, const MovingBallHull& b,
                                const BallHullImpactOptions& options) {
  return Search(a, b, options).run();
}

}  // namespace toccata
