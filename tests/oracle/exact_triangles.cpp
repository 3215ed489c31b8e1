#include "oracle/exact_triangles.hpp"

#include <algorithm>
#include <boost/multiprecision/gmp.hpp>
#include <cmath>
#include <optional>
#include <vector>

namespace toccata::oracle {
namespace {

using Rational = boost::multiprecision::mpq_rational;
using Point = std::array<Rational, 3>;

Point exact(const Vector3& p) {
  return {Rational(p.x()), Rational(p.y()), Rational(p.z())};
}

Point minus(const Point& a, const Point& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
Rational dot(const Point& a, const Point& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Solves m x = r by elimination; nothing if singular.
std::optional<std::vector<Rational>> solve(std::vector<std::vector<Rational>> m, std::vector<Rational> r) {
  const std::size_t n = r.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    while (pivot < n && m[pivot][k] == 0) ++pivot;
    if (pivot == n) return std::nullopt;
    std::swap(m[k], m[pivot]);
    std::swap(r[k], r[pivot]);
    for (std::size_t i = 0; i < n; ++i) {
      if (i == k || m[i][k] == 0) continue;
      const Rational factor = m[i][k] / m[k][k];
      for (std::size_t j = k; j < n; ++j) m[i][j] -= factor * m[k][j];
      r[i] -= factor * r[k];
    }
  }
  for (std::size_t k = 0; k < n; ++k) r[k] /= m[k][k];
  return r;
}

// The squared distance of the affine hulls of two faces if it is reached inside both.
std::optional<Rational> face_distance(const std::vector<Point>& a, const std::vector<Point>& b) {
  std::vector<Point> directions;  // of the difference vector, each with its weight >= 0
  for (std::size_t i = 1; i < a.size(); ++i) directions.push_back(minus(a[i], a[0]));
  for (std::size_t i = 1; i < b.size(); ++i) directions.push_back(minus(b[0], b[i]));
  Point difference = minus(a[0], b[0]);
  const std::size_t n = directions.size();
  std::vector<std::vector<Rational>> m(n, std::vector<Rational>(n));
  std::vector<Rational> r(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) m[i][j] = dot(directions[i], directions[j]);
    r[i] = -dot(directions[i], difference);
  }
  const auto weights = solve(m, r);
  if (!weights) return std::nullopt;
  Rational sum_a = 0, sum_b = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const Rational& w = (*weights)[i];
    if (w < 0) return std::nullopt;
    (i + 1 < a.size() ? sum_a : sum_b) += w;
    for (int k = 0; k < 3; ++k) difference[k] += w * directions[i][k];
  }
  if (sum_a > 1 || sum_b > 1) return std::nullopt;
  return dot(difference, difference);
}

std::vector<Point> face(const Corners& t, int mask) {
  std::vector<Point> points;
  for (int i = 0; i < 3; ++i) {
    if ((mask >> i & 1) != 0) points.push_back(exact(t[i]));
  }
  return points;
}

}  // namespace

ExactTriangleDistance exact_triangle_distance(const Corners& a, const Corners& b) {
  std::optional<Rational> best;
  for (int i = 1; i < 8; ++i) {
    for (int j = 1; j < 8; ++j) {
      const auto d = face_distance(face(a, i), face(b, j));
      if (d && (!best || *d < *best)) best = d;
    }
  }
  return {*best == 0, std::sqrt(best->convert_to<double>())};
}

// Coordinates as integers, in units of 2^exponent: faster than rationals.
namespace {

using Integer = boost::multiprecision::mpz_int;
using Whole = std::array<Integer, 3>;

int lowest_bit(const Vector3& p) {
  int lowest = 2000;
  for (const double x : p) {
    int exponent = 0;
    if (std::frexp(x, &exponent) != 0.0) lowest = std::min(lowest, exponent - 53);
  }
  return lowest;
}

Whole whole(const Vector3& p, int unit) {
  Whole result;
  for (int k = 0; k < 3; ++k) {
    int exponent = 0;
    const double fraction = std::frexp(p[k], &exponent);
    if (fraction != 0.0)
      result[k] = Integer(static_cast<long>(std::ldexp(fraction, 53))) << (exponent - 53 - unit);
  }
  return result;
}

Whole minus(const Whole& a, const Whole& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
Integer dot(const Whole& a, const Whole& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
Whole cross(const Whole& a, const Whole& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

// p, a, b from the same origin.
Rational squared_to_segment(const Whole& p, const Whole& a, const Whole& b) {
  const Whole e = minus(b, a), from = minus(p, a);
  const Integer along = dot(from, e), length = dot(e, e);
  if (along <= 0) return dot(from, from);
  if (along >= length) return dot(minus(p, b), minus(p, b));
  return Rational(dot(from, from) * length - along * along, length);
}

}  // namespace

long double exact_point_distance(const Vector3& point, const Corners& triangle) {
  int unit = lowest_bit(point);
  for (const Vector3& corner : triangle) unit = std::min(unit, lowest_bit(corner));
  const Whole p = whole(point, unit), a = whole(triangle[0], unit), b = whole(triangle[1], unit),
              c = whole(triangle[2], unit);
  Rational best =
      std::min({squared_to_segment(p, a, b), squared_to_segment(p, b, c), squared_to_segment(p, c, a)});
  const Whole n = cross(minus(b, a), minus(c, a));
  const auto is_within = [&](const Whole& from, const Whole& to) {
    return dot(cross(minus(to, from), minus(p, from)), n) >= 0;
  };
  const Integer height = dot(minus(p, a), n), area = dot(n, n);
  if (area > 0 && is_within(a, b) && is_within(b, c) && is_within(c, a))
    best = std::min(best, Rational(height * height, area));
  const auto rounded = best.convert_to<double>();
  const auto rest = Rational(best - rounded).convert_to<double>();
  return std::ldexp(std::sqrt(static_cast<long double>(rounded) + static_cast<long double>(rest)), unit);
}

}  // namespace toccata::oracle
