// The distance of two features is the smallest norm over the convex hull of the differences of their
// vertices: at most four points D_j, each linear in time. For a fixed direction n the gap min_j n . D_j(t)
// is a minimum of linear functions and a lower bound of |n| times the distance, so the time until which it
// stays above |n| d is known in closed form: the motion is free until then. The search starts at t = 0,
// takes n towards the closest point, advances to that time, and repeats; near a contact the steps converge
// to it from below. Features that turn against each other while they hardly come closer leave a fixed n at
// once: where many steps were not enough, n turns along with them.
#include "impact/distance_impact.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "impact/contact_geometry.hpp"
#include "impact/difference_hull.hpp"
#include "toccata/base/rounding.hpp"

namespace toccata::impact {
namespace {

// The differences of the vertices at both ends, scaled so that the largest coordinate is below one.
struct MovingHull {
  DifferenceHull t0, t1;
  double magnitude = 0.0;  // bounds every |coordinate| difference

  DifferenceHull at(double t) const {
    DifferenceHull hull = t0;
    for (int i = 0; i < hull.size; ++i) hull.points[i] = (1.0 - t) * t0.points[i] + t * t1.points[i];
    return hull;
  }
};

MovingHull moving_hull(FeaturePairKind pair, const LinearMotion4& motion, int exponent) {
  std::array<Vector3, 4> start, end;
  for (int i = 0; i < point_count(pair); ++i) {
    start[i] = scaled(motion.t0[i], exponent);
    end[i] = scaled(motion.t1[i], exponent);
  }
  MovingHull hull{difference_hull(pair, start), difference_hull(pair, end)};
  for (int i = 0; i < hull.t0.size; ++i) {
    hull.magnitude = std::max(
        {hull.magnitude, hull.t0.points[i].cwiseAbs().maxCoeff(), hull.t1.points[i].cwiseAbs().maxCoeff()});
  }
  return hull;
}

// The largest time, from `t` on, until which every gap along n provably exceeds |n| d. Rounding: each gap at
// an end is a dot product of differences (relative error u each) of three terms, so it is off by at most
// 4.1 u |n|_1 magnitude; the crossing time adds 4 u of the same size.
double free_until(const MovingHull& hull, const Vector3& n, double d, double t, double t_max) {
  const double pad = 16.0 * unit_roundoff * n.cwiseAbs().sum() * hull.magnitude;
  const double threshold = d * n.norm() * (1.0 + 8.0 * unit_roundoff) + pad;
  double until = t_max;
  for (int i = 0; i < hull.t0.size; ++i) {
    const double g0 = n.dot(hull.t0.points[i]) - threshold, g1 = n.dot(hull.t1.points[i]) - threshold;
    if ((1.0 - t) * g0 + t * g1 <= 0.0) return t;
    if (g1 > 0.0) continue;
    // g0 > 0 >= g1 or the gap is increasing in t, which the test above has excluded
    until = std::min(until, (g0 / (g0 - g1)) * (1.0 - 4.0 * unit_roundoff));
  }
  return until;
}

struct Moment {
  double t = 0.0;
  DifferenceHull hull;
  HullPoint closest;
};

Moment moment_at(const MovingHull& moving, double t) {
  const DifferenceHull hull = moving.at(t);
  return {t, hull, closest_to_origin(hull)};
}

// Is it proven that all distances between two moments exceed d? Along the direction n that turns linearly
// from the one to the other, n . D_j is quadratic in time, and not below the least of its three Bernstein
// coefficients; |n| is at most the larger of its ends. Rounding: a coordinate of D_j is off by at most 4 u
// magnitude (a difference, three operations of the interpolation), a dot product of three terms adds 3.1 u
// |n|_1 magnitude, the mean u: below the 16 u |n|_1 magnitude of the pad.
bool is_free_between(const Moment& now, const Moment& later, double d, double magnitude) {
  const Vector3 n = now.closest.direction.normalized(), n_later = later.closest.direction.normalized();
  const double length = std::max(n.norm(), n_later.norm());
  const double pad =
      16.0 * unit_roundoff * std::max(n.cwiseAbs().sum(), n_later.cwiseAbs().sum()) * magnitude;
  const double threshold = d * length * (1.0 + 8.0 * unit_roundoff) + pad;
  for (int i = 0; i < now.hull.size; ++i) {
    const Vector3 &p = now.hull.points[i], &q = later.hull.points[i];
    const double middle = 0.5 * (n.dot(q) + n_later.dot(p));
    // Written so that a direction that is none (NaN) proves nothing.
    if (!(n.dot(p) > threshold && middle > threshold && n_later.dot(q) > threshold)) return false;
  }
  return now.hull.size > 0;
}

constexpr std::int64_t steps_with_fixed_directions = 16;  // few ordinary queries take more

}  // namespace

Impact contact_at_distance(FeaturePairKind pair, const LinearMotion4& motion, double time) {
  Impact impact;
  impact.stage = ImpactStage::Distance;
  impact.status = time == 0.0 ? Status::OverlapAtStart : Status::Contact;
  impact.time = impact.lower = impact.upper = time;
  describe_contact(pair, motion, true, impact);
  return impact;
}

Impact distance_impact(FeaturePairKind pair, const LinearMotion4& motion,
                       const LinearImpactOptions& options) {
  const int exponent = scale_exponent(motion, point_count(pair));
  const MovingHull hull = moving_hull(pair, motion, exponent);
  const double d = std::ldexp(options.minimum_distance, -exponent);
  // Beside the tolerance 2^-48 = 32 u of the magnitude are allowed. Half of it is for the point that is
  // found: its coordinates are off by 4 u (the differences and their interpolation) and 4 u (the weighted
  // sum), its length by sqrt(3) times as much.
  const double reach =
      d * (1.0 + options.relative_distance_tolerance) + 16.0 * unit_roundoff * hull.magnitude;
  Impact impact;
  impact.stage = ImpactStage::Distance;
  Moment now = moment_at(hull, 0.0);
  double stride = 0.0;
  const std::int64_t limit = options.budget > 0 ? options.budget : distance_step_limit;
  for (std::int64_t step = 0; step < limit; ++step) {
    if (now.closest.squared_norm <= reach * reach) return contact_at_distance(pair, motion, now.t);
    // Two directions: the face's or edge's own normal separates best where `point` has lost its digits, the
    // way to the closest point where the feature that it is on is about to change.
    const double next = std::max(free_until(hull, now.closest.direction, d, now.t, options.t_max),
                                 free_until(hull, now.closest.point, d, now.t, options.t_max));
    if (next >= options.t_max) return impact;
    if (step >= steps_with_fixed_directions) {
      stride = std::max(2.0 * stride, 4.0 * (next - now.t));
      const Moment later = moment_at(hull, std::min(now.t + stride, options.t_max));
      if (later.t > next && is_free_between(now, later, d, hull.magnitude)) {
        if (later.t >= options.t_max) return impact;
        now = later;
        continue;
      }
      stride *= 0.125;
    }
    if (next <= now.t && stride <= 2.0 * unit_roundoff) break;  // no provable progress in double
    if (next > now.t) now = moment_at(hull, next);
  }
  impact.status = Status::OutOfBudget;
  impact.time = impact.lower = now.t;
  impact.upper = options.t_max;
  return impact;
}

}  // namespace toccata::impact
