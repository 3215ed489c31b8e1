// Notation. A part of the two hulls with parameters s, t: the difference of centres w = w0 + s u + t v, the
// sum of radii R = R0 + s a + t b. Where |w| - R is least inside the part, the unit vector n = w / |w| has
// u . n = a and v . n = b. So its share in the plane of u and v is p = M G^-1 (a, b), with M = (u v) and
// G = M' M, which needs |p| < 1; and with h the share of w0 across the plane, |w| = |h| / sqrt(1 - |p|^2).
// From M (s, t) = |w| p - w0 follow s and t.
#include "toccata/elementary/ball_hull.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "toccata/base/rounding.hpp"

namespace toccata {
namespace {

constexpr double u_round = unit_roundoff;

// Least of |w0 + s u| - (R0 + s a) over [0, 1]: s.
double along_edge(const Vector3& w0, const Vector3& u, double a) {
  const double squared = u.squaredNorm();
  if (!(squared > 0.0)) return a > 0.0 ? 1.0 : 0.0;
  const double p = a / std::sqrt(squared);
  if (p >= 1.0) return 1.0;
  if (p <= -1.0) return 0.0;
  const double foot = -w0.dot(u) / squared;
  const double across = (w0 + foot * u).norm();
  return std::clamp(foot + across * p / std::sqrt((1.0 - p * p) * squared), 0.0, 1.0);
}

struct Parameters {
  double s, t;
  bool is_inside;
};

// Inside the part of two parameters; not at all where u and v are of one line.
Parameters across_plane(const Vector3& w0, const Vector3& u, const Vector3& v, double a, double b) {
  const double uu = u.dot(u), uv = u.dot(v), vv = v.dot(v);
  const double area = uu * vv - uv * uv;
  if (!(area > 1e-14 * uu * vv)) return {0.0, 0.0, false};
  const double inverse = 1.0 / area;
  const double ps = (vv * a - uv * b) * inverse, pt = (uu * b - uv * a) * inverse;  // G^-1 (a, b)
  const double squared_p = ps * a + pt * b;
  if (!(squared_p < 1.0)) return {0.0, 0.0, false};
  const double wu = w0.dot(u), wv = w0.dot(v);
  const double fs = -(vv * wu - uv * wv) * inverse, ft = -(uu * wv - uv * wu) * inverse;
  const double length = (w0 + fs * u + ft * v).norm() / std::sqrt(1.0 - squared_p);
  return {fs + length * ps, ft + length * pt, true};
}

// The least so far, over pairs of balls by their weights.
class Least {
 public:
  Least(const BallHull& a, const BallHull& b) : a_(a), b_(b) {}

  void add(const BallWeights& weight_a, const BallWeights& weight_b) {
    const WeightedBall p = ball_at(a_, weight_a), q = ball_at(b_, weight_b);
    const Vector3 between = q.center - p.center;
    const double length = between.norm(), distance = length - p.radius - q.radius;
    if (!(distance < found_.distance)) return;
    found_.distance = distance;
    found_.weight_a = weight_a;
    found_.weight_b = weight_b;
    found_.direction = length > 0.0 ? Vector3(between / length) : Vector3(Vector3::Zero());
  }

  const BallHullNearest& found() const { return found_; }

 private:
  const BallHull& a_;
  const BallHull& b_;
  BallHullNearest found_ = {std::numeric_limits<double>::infinity(), {1, 0, 0}, {1, 0, 0}, Vector3::Zero()};
};

BallWeights corner(int i) {
  BallWeights weights = {0.0, 0.0, 0.0};
  weights[static_cast<std::size_t>(i)] = 1.0;
  return weights;
}
BallWeights on_edge(int i, int k, double s) {
  BallWeights weights = {0.0, 0.0, 0.0};
  weights[static_cast<std::size_t>(i)] = 1.0 - s;
  weights[static_cast<std::size_t>(k)] = s;
  return weights;
}

// The sum of two weights may be 1 while the rest rounds below 0.
BallWeights in_slab(double s, double t) {
  return {std::max(0.0, 1.0 - s - t), s, t};
}

struct Side {
  int from, to;
};
constexpr Side sides[3] = {{0, 1}, {1, 2}, {2, 0}};
int side_count(const BallHull& hull) {
  return hull.count == 3 ? 3 : hull.count - 1;
}

const Vector3& center_of(const BallHull& hull, int i) {
  return hull.center[static_cast<std::size_t>(i)];
}
double radius_of(const BallHull& hull, int i) {
  return hull.radius[static_cast<std::size_t>(i)];
}

// Where the segment of centres p q crosses the triangle of centres of a slab.
void add_stab(const BallHull& cone, const Side& side, const BallHull& slab, bool slab_is_b, Least& least) {
  const Vector3 &p = center_of(cone, side.from), &q = center_of(cone, side.to);
  const Vector3 u = slab.center[1] - slab.center[0], v = slab.center[2] - slab.center[0], d = q - p;
  const Vector3 normal = u.cross(v);
  const double slope = normal.dot(d);
  if (slope == 0.0) return;
  const Vector3 from = slab.center[0] - p;
  const double s = normal.dot(from) / slope;
  const Vector3 turned = d.cross(from);
  const double t1 = -v.dot(turned) / slope, t2 = u.dot(turned) / slope;
  if (!(s >= 0.0 && s <= 1.0 && t1 >= 0.0 && t2 >= 0.0 && t1 + t2 <= 1.0)) return;
  const BallWeights of_cone = on_edge(side.from, side.to, s), of_slab = in_slab(t1, t2);
  slab_is_b ? least.add(of_cone, of_slab) : least.add(of_slab, of_cone);
}

// A ball of one against the inside of the slab of the other.
void add_ball_and_slab(const BallHull& ball, int i, const BallHull& slab, bool slab_is_b, Least& least) {
  const Vector3 w0 = slab.center[0] - center_of(ball, i);
  const Parameters at = across_plane(w0, slab.center[1] - slab.center[0], slab.center[2] - slab.center[0],
                                     slab.radius[1] - slab.radius[0], slab.radius[2] - slab.radius[0]);
  if (!(at.is_inside && at.s > 0.0 && at.t > 0.0 && at.s + at.t < 1.0)) return;
  const BallWeights of_slab = in_slab(at.s, at.t);
  slab_is_b ? least.add(corner(i), of_slab) : least.add(of_slab, corner(i));
}

}  // namespace

WeightedBall ball_at(const BallHull& hull, const BallWeights& weights) {
  WeightedBall ball = {weights[0] * hull.center[0], weights[0] * hull.radius[0]};
  for (std::size_t i = 1; i < static_cast<std::size_t>(hull.count); ++i) {
    ball.center += weights[i] * hull.center[i];
    ball.radius += weights[i] * hull.radius[i];
  }
  return ball;
}

BallHullNearest nearest_balls(const BallHull& a, const BallHull& b) {
  Least least(a, b);
  const int sides_a = side_count(a), sides_b = side_count(b);
  for (int i = 0; i < a.count; ++i) {
    for (int k = 0; k < b.count; ++k) least.add(corner(i), corner(k));
  }
  for (int i = 0; i < sides_a; ++i) {
    const auto [from, to] = sides[i];
    const Vector3 u = center_of(a, to) - center_of(a, from);
    const double more = radius_of(a, to) - radius_of(a, from);
    for (int k = 0; k < b.count; ++k) {
      const double s = along_edge(center_of(a, from) - center_of(b, k), u, more);
      if (s > 0.0 && s < 1.0) least.add(on_edge(from, to, s), corner(k));
    }
    for (int k = 0; k < sides_b; ++k) {
      const Side& other = sides[k];
      const Parameters at = across_plane(center_of(b, other.from) - center_of(a, from), -u,
                                         center_of(b, other.to) - center_of(b, other.from), more,
                                         radius_of(b, other.to) - radius_of(b, other.from));
      if (at.is_inside && at.s > 0.0 && at.s < 1.0 && at.t > 0.0 && at.t < 1.0)
        least.add(on_edge(from, to, at.s), on_edge(other.from, other.to, at.t));
    }
  }
  for (int k = 0; k < sides_b; ++k) {
    const auto [from, to] = sides[k];
    const Vector3 u = center_of(b, to) - center_of(b, from);
    for (int i = 0; i < a.count; ++i) {
      const double s =
          along_edge(center_of(b, from) - center_of(a, i), u, radius_of(b, to) - radius_of(b, from));
      if (s > 0.0 && s < 1.0) least.add(corner(i), on_edge(from, to, s));
    }
  }
  if (b.count == 3) {
    for (int i = 0; i < a.count; ++i) add_ball_and_slab(a, i, b, true, least);
    for (int i = 0; i < sides_a; ++i) add_stab(a, sides[i], b, true, least);
  }
  if (a.count == 3) {
    for (int i = 0; i < b.count; ++i) add_ball_and_slab(b, i, a, false, least);
    for (int i = 0; i < sides_b; ++i) add_stab(b, sides[i], a, false, least);
  }
  return least.found();
}

PointBallHull nearest_ball(const Vector3& point, const BallHull& hull) {
  PointBallHull found;
  found.distance = std::numeric_limits<double>::infinity();
  const auto add = [&](const BallWeights& weights) {
    const WeightedBall ball = ball_at(hull, weights);
    const double distance = (point - ball.center).norm() - ball.radius;
    if (distance < found.distance) found = {distance, weights};
  };
  if (hull.count == 3) {
    const Parameters at =
        across_plane(hull.center[0] - point, hull.center[1] - hull.center[0], hull.center[2] - hull.center[0],
                     hull.radius[1] - hull.radius[0], hull.radius[2] - hull.radius[0]);
    if (at.is_inside && at.s >= 0.0 && at.t >= 0.0 && at.s + at.t <= 1.0) {
      // Convex: the least inside is the least of all.
      add(in_slab(at.s, at.t));
      return found;
    }
  }
  for (int k = 0; k < hull.count; ++k) add(corner(k));
  for (int k = 0; k < side_count(hull); ++k) {
    const auto [from, to] = sides[k];
    const double s = along_edge(center_of(hull, from) - point, center_of(hull, to) - center_of(hull, from),
                                radius_of(hull, to) - radius_of(hull, from));
    if (s > 0.0 && s < 1.0) add(on_edge(from, to, s));
  }
  return found;
}

// Heights are three products, two sums, one product with the length and one sum: 8 u of the lengths that
// enter, on either side; their difference and the quotient add 2 u each.
double ball_hull_gap(const BallHull& a, const BallHull& b, const Vector3& direction) {
  const double length = direction.norm();
  if (!(length > 1e-140)) return -std::numeric_limits<double>::infinity();
  const double longer = length * (1.0 + 8.0 * u_round);
  double above = -std::numeric_limits<double>::infinity(), below = -above, lengths = 0.0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(a.count); ++i) {
    above = std::max(above, direction.dot(a.center[i]) + longer * a.radius[i]);
    lengths = std::max(lengths, a.center[i].norm() + a.radius[i]);
  }
  for (std::size_t i = 0; i < static_cast<std::size_t>(b.count); ++i) {
    below = std::min(below, direction.dot(b.center[i]) - longer * b.radius[i]);
    lengths = std::max(lengths, b.center[i].norm() + b.radius[i]);
  }
  const double gap = (below - above) / length;
  return gap - 32.0 * u_round * lengths;
}

// Weights of sum 1 + e, |e| <= 3 u, are those of a ball of the hull scaled by 1 + e: 4 u of its lengths. The
// weighted sums and the norm are off by at most 8 u of the lengths. 32 u covers all, twice over.
bool is_proven_inside(const Vector3& point, const BallHull& hull, const BallWeights& weights, double slack) {
  double sum = 0.0, lengths = point.norm();
  for (std::size_t i = 0; i < static_cast<std::size_t>(hull.count); ++i) {
    if (!(weights[i] >= 0.0)) return false;
    sum += weights[i];
    lengths = std::max(lengths, hull.center[i].norm() + hull.radius[i]);
  }
  if (!(std::abs(sum - 1.0) <= 4.0 * u_round)) return false;
  const WeightedBall ball = ball_at(hull, weights);
  return (point - ball.center).norm() + slack + 32.0 * u_round * lengths <= ball.radius;
}

}  // namespace toccata
