#include "oracle/exact_triangles.hpp"

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

}  // namespace toccata::oracle
