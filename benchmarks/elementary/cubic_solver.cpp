#include "elementary/cubic_solver.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace toccata {
namespace {

constexpr double inside_tolerance = 1e-9;
constexpr int newton_steps = 50;

struct Cubic {
  double a, b, c, d;
  double at(double t) const { return ((a * t + b) * t + c) * t + d; }
  double slope_at(double t) const { return (3 * a * t + 2 * b) * t + c; }
};

// det(p1 + t v1, p2 + t v2, p3 + t v3)
Cubic coplanarity(const Vector3& p1, const Vector3& p2, const Vector3& p3, const Vector3& v1,
                  const Vector3& v2, const Vector3& v3) {
  const Vector3 pp = p2.cross(p3), vv = v2.cross(v3), pv = p2.cross(v3) + v2.cross(p3);
  return {v1.dot(vv), p1.dot(vv) + v1.dot(pv), p1.dot(pv) + v1.dot(pp), p1.dot(pp)};
}

// The root in an interval where the cubic is monotone and changes its sign: Newton kept in the bracket.
double root_between(const Cubic& f, double low, double high, double f_low, double f_high) {
  double t = low + (high - low) * (f_low / (f_low - f_high));
  for (int i = 0; i < newton_steps; ++i) {
    const double value = f.at(t);
    if (value == 0) return t;
    ((value < 0) == (f_low < 0) ? low : high) = t;
    double next = t - value / f.slope_at(t);
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    if (std::abs(next - t) < 1e-14) return next;
    t = next;
  }
  return t;
}

// One sign of all control points in Bernstein form: no root in [0, 1], the usual quick way out.
bool has_one_sign(const Cubic& f) {
  constexpr double third = 1.0 / 3;
  const double b1 = f.d + f.c * third, b2 = b1 + (f.c + f.b) * third, b3 = f.a + f.b + f.c + f.d;
  return (f.d > 0 && b1 > 0 && b2 > 0 && b3 > 0) || (f.d < 0 && b1 < 0 && b2 < 0 && b3 < 0);
}

// Calls inside(t) for the roots in [0, 1] in increasing order until it holds.
template <typename Inside>
std::optional<double> first_root(const Cubic& f, Inside&& inside) {
  if (has_one_sign(f)) return std::nullopt;
  double knots[4] = {0, 1, 1, 1};
  int count = 1;
  // The extrema in (0, 1): A t^2 + 2 B t + C = 0.
  const double aa = 3 * f.a, bb = f.b, cc = f.c;
  const double discriminant = bb * bb - aa * cc;
  if (discriminant > 0) {
    const double q = -(bb + std::copysign(std::sqrt(discriminant), bb));
    double t1 = q / aa, t2 = cc / q;
    if (t1 > t2) std::swap(t1, t2);
    if (t1 > 0 && t1 < 1) knots[count++] = t1;
    if (t2 > 0 && t2 < 1) knots[count++] = t2;
  }
  knots[count] = 1;
  double f_low = f.d;
  for (int i = 0; i < count; ++i) {
    const double f_high = f.at(knots[i + 1]);
    if (f_low == 0) {
      if (inside(knots[i])) return knots[i];
    } else if ((f_low < 0) != (f_high < 0)) {
      const double t = root_between(f, knots[i], knots[i + 1], f_low, f_high);
      if (inside(t)) return t;
    }
    f_low = f_high;
  }
  if (f_low == 0 && inside(1.0)) return 1.0;
  return std::nullopt;
}

}  // namespace

std::optional<double> cubic_vertex_face(const LinearMotion4& m) {
  const Vector3 p1 = m.t0[0] - m.t0[1], p2 = m.t0[2] - m.t0[1], p3 = m.t0[3] - m.t0[1];
  const Vector3 v1 = (m.t1[0] - m.t1[1]) - p1, v2 = (m.t1[2] - m.t1[1]) - p2, v3 = (m.t1[3] - m.t1[1]) - p3;
  return first_root(coplanarity(p1, p2, p3, v1, v2, v3), [&](double t) {
    const Vector3 p = p1 + t * v1, e1 = p2 + t * v2, e2 = p3 + t * v3;
    const double a = e1.dot(e1), b = e1.dot(e2), c = e2.dot(e2), x = p.dot(e1), y = p.dot(e2);
    const double area = a * c - b * b, slack = inside_tolerance * area;
    const double u = c * x - b * y, w = a * y - b * x;
    return u >= -slack && w >= -slack && u + w <= area + slack;
  });
}

std::optional<double> cubic_edge_edge(const LinearMotion4& m) {
  const Vector3 p1 = m.t0[2] - m.t0[0], p2 = m.t0[1] - m.t0[0], p3 = m.t0[3] - m.t0[2];
  const Vector3 v1 = (m.t1[2] - m.t1[0]) - p1, v2 = (m.t1[1] - m.t1[0]) - p2, v3 = (m.t1[3] - m.t1[2]) - p3;
  return first_root(coplanarity(p1, p2, p3, v1, v2, v3), [&](double t) {
    const Vector3 p = p1 + t * v1, e1 = p2 + t * v2, e2 = p3 + t * v3;
    const double a = e1.dot(e1), b = e1.dot(e2), c = e2.dot(e2), x = p.dot(e1), y = p.dot(e2);
    const double area = a * c - b * b, slack = inside_tolerance * area;
    const double s = c * x - b * y, r = b * x - a * y;  // p = s e1 - r e2
    return s >= -slack && s <= area + slack && r >= -slack && r <= area + slack;
  });
}

}  // namespace toccata
