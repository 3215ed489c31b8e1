// The distance of two features is the smallest norm over the convex hull of the differences of their
// vertices: at most four points D_j, each linear in time. For a fixed direction n the gap min_j n . D_j(t)
// is a minimum of linear functions and a lower bound of |n| times the distance, so the time until which it
// stays above |n| d is known in closed form: the motion is free until then. The search starts at t = 0,
// takes n towards the closest point, advances to that time, and repeats; near a contact the steps converge
// to it from below.
#include "impact/distance_impact.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "impact/contact_geometry.hpp"

namespace toccata {
namespace {

using exact::FeaturePair;

constexpr double unit_roundoff = 0x1p-53;
constexpr int most_steps = 20000;

// The differences at both ends, scaled by a power of two so that the largest coordinate is below one.
struct DifferenceHull {
  int size = 0;
  std::array<Vector3, 4> t0, t1;
  double magnitude = 0.0;  // bounds every |coordinate| difference

  Vector3 at(int i, double t) const { return (1.0 - t) * t0[i] + t * t1[i]; }
};

int scale_exponent(const LinearMotion4& motion, int points) {
  double largest = 0.0;
  for (int i = 0; i < points; ++i) {
    largest = std::max({largest, motion.t0[i].cwiseAbs().maxCoeff(), motion.t1[i].cwiseAbs().maxCoeff()});
  }
  int exponent = 0;
  std::frexp(largest, &exponent);
  return exponent;
}

DifferenceHull difference_hull(FeaturePair pair, const LinearMotion4& motion, int exponent) {
  DifferenceHull hull;
  const auto scaled = [&](const Vector3& v) {
    return Vector3(std::ldexp(v[0], -exponent), std::ldexp(v[1], -exponent), std::ldexp(v[2], -exponent));
  };
  const int first = pair == FeaturePair::EdgeEdge ? 2 : 1;
  const int last = pair == FeaturePair::VertexVertex ? 2 : (pair == FeaturePair::VertexEdge ? 3 : 4);
  for (int i = 0; i < first; ++i) {
    for (int j = first; j < last; ++j) {
      hull.t0[hull.size] = scaled(motion.t0[j]) - scaled(motion.t0[i]);
      hull.t1[hull.size] = scaled(motion.t1[j]) - scaled(motion.t1[i]);
      hull.magnitude = std::max({hull.magnitude, hull.t0[hull.size].cwiseAbs().maxCoeff(),
                                 hull.t1[hull.size].cwiseAbs().maxCoeff()});
      ++hull.size;
    }
  }
  return hull;
}

struct ClosestPoint {
  Vector3 point = Vector3::Zero();
  double squared_norm = 0.0;

  void consider(const Vector3& p) {
    const double n = p.squaredNorm();
    if (n < squared_norm) {
      point = p;
      squared_norm = n;
    }
  }
};

// The point of smallest norm over the hull: the best over all vertices, edges and triangles of it. Every
// candidate is in the hull, so its norm is an upper bound of the distance whatever the rounding in weights.
ClosestPoint closest_to_origin(const DifferenceHull& hull, double t) {
  std::array<Vector3, 4> p{Vector3::Zero(), Vector3::Zero(), Vector3::Zero(), Vector3::Zero()};
  for (int i = 0; i < hull.size; ++i) p[i] = hull.at(i, t);
  ClosestPoint best{p[0], p[0].squaredNorm()};
  for (int i = 1; i < hull.size; ++i) best.consider(p[i]);
  for (int i = 0; i < hull.size; ++i) {
    for (int j = i + 1; j < hull.size; ++j) {
      const Vector3 d = p[j] - p[i];
      const double dd = d.squaredNorm();
      const double s = dd > 0.0 ? -p[i].dot(d) / dd : -1.0;
      if (s > 0.0 && s < 1.0) best.consider((1.0 - s) * p[i] + s * p[j]);
      for (int k = j + 1; k < hull.size; ++k) {
        const Vector3 n = d.cross(p[k] - p[i]);
        const double w0 = p[j].cross(p[k]).dot(n), w1 = p[k].cross(p[i]).dot(n), w2 = p[i].cross(p[j]).dot(n);
        const double sum = w0 + w1 + w2;
        if (w0 >= 0.0 && w1 >= 0.0 && w2 >= 0.0 && sum > 0.0) {
          best.consider((w0 / sum) * p[i] + (w1 / sum) * p[j] + (w2 / sum) * p[k]);
        }
      }
    }
  }
  return best;
}

// The largest time, from `t` on, until which every gap along n provably exceeds |n| d. Rounding: each gap at
// an end is a dot product of differences (relative error u each) of three terms, so it is off by at most
// 4.1 u |n|_1 magnitude; the crossing time adds 4 u of the same size.
double free_until(const DifferenceHull& hull, const Vector3& n, double d, double t, double t_max) {
  const double pad = 16.0 * unit_roundoff * n.cwiseAbs().sum() * hull.magnitude;
  const double threshold = d * n.norm() * (1.0 + 8.0 * unit_roundoff) + pad;
  double until = t_max;
  for (int i = 0; i < hull.size; ++i) {
    const double g0 = n.dot(hull.t0[i]) - threshold, g1 = n.dot(hull.t1[i]) - threshold;
    if ((1.0 - t) * g0 + t * g1 <= 0.0) return t;
    if (g1 > 0.0) continue;
    // g0 > 0 >= g1 or the gap is increasing in t, which the test above has excluded
    until = std::min(until, (g0 / (g0 - g1)) * (1.0 - 4.0 * unit_roundoff));
  }
  return until;
}

}  // namespace

Impact distance_impact(FeaturePair pair, const LinearMotion4& motion, const LinearImpactOptions& options) {
  const int points = pair == FeaturePair::VertexVertex ? 2 : (pair == FeaturePair::VertexEdge ? 3 : 4);
  const int exponent = scale_exponent(motion, points);
  const DifferenceHull hull = difference_hull(pair, motion, exponent);
  const double d = std::ldexp(options.minimum_distance, -exponent);
  const double reach =
      d * (1.0 + options.relative_distance_tolerance) + 32.0 * unit_roundoff * hull.magnitude;
  Impact impact;
  impact.stage = ImpactStage::Bisection;
  double t = 0.0;
  const std::int64_t limit = options.budget > 0 ? options.budget : most_steps;
  for (std::int64_t step = 0; step < limit; ++step) {
    const ClosestPoint closest = closest_to_origin(hull, t);
    if (closest.squared_norm <= reach * reach) {
      impact.status = t == 0.0 && !options.boolean_only ? Status::OverlapAtStart : Status::Contact;
      impact.time = impact.lower = impact.upper = t;
      describe_contact(pair, motion, impact);
      return impact;
    }
    const double next = free_until(hull, closest.point, d, t, options.t_max);
    if (next >= options.t_max) return impact;
    if (next <= t) break;  // no provable progress in double
    t = next;
  }
  impact.status = Status::OutOfBudget;
  impact.time = impact.lower = t;
  impact.upper = options.t_max;
  return impact;
}

}  // namespace toccata
