// Notation. All coordinates are multiples of 2^-s for one s, and are taken as integers. A nearest point of a
// simplex is V / D with an integer vector V and D > 0; its weights are L_i / D. Parts of a simplex are sets
// of corners, bits of an int. (Johnson's subalgorithm in integers; Gilbert, Johnson, Keerthi 1988.)
#include "proximity/convex/exact_nearest.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "elementary/integer.hpp"

namespace toccata::convex {
namespace {

using elementary::Integer;

struct ExactVector {
  Integer x, y, z;
};

ExactVector operator-(const ExactVector& a, const ExactVector& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
Integer dot(const ExactVector& a, const ExactVector& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
void add_scaled(ExactVector& sum, const Integer& factor, const ExactVector& v) {
  sum.x += factor * v.x;
  sum.y += factor * v.y;
  sum.z += factor * v.z;
}

constexpr int no_exponent = std::numeric_limits<int>::max();

// The exponent of the lowest bit set.
int lowest_exponent(double value) {
  if (value == 0.0) return no_exponent;
  int exponent = 0;
  const auto mantissa = static_cast<std::int64_t>(std::ldexp(std::frexp(value, &exponent), 53));
  return exponent - 53 + std::countr_zero(static_cast<std::uint64_t>(mantissa < 0 ? -mantissa : mantissa));
}

Integer scaled_integer(double value, int lowest) {
  if (value == 0.0) return {};
  int exponent = 0;
  auto mantissa = static_cast<std::int64_t>(std::ldexp(std::frexp(value, &exponent), 53));
  exponent -= 53;
  if (exponent < lowest) {  // only zeros are shifted out
    mantissa /= std::int64_t{1} << (lowest - exponent);
    exponent = lowest;
  }
  return Integer(mantissa) << (exponent - lowest);
}

// The corners of both cores in b's coordinates, as doubles and, on demand, as integers.
class Corners {
 public:
  explicit Corners(const Difference& difference) {
    for (std::int32_t i = 0; i < corner_count(*difference.a); ++i)
      side_[0].push_back(difference.a_to_b.apply(corner_of(*difference.a, i)));
    for (std::int32_t i = 0; i < corner_count(*difference.b); ++i)
      side_[1].push_back(corner_of(*difference.b, i));
    for (const auto& points : side_) {
      for (const Vector3& p : points) {
        for (int k = 0; k < 3; ++k) {
          lowest_ = std::min(lowest_, lowest_exponent(p[k]));
          largest_ = std::max(largest_, std::abs(p[k]));
        }
      }
    }
    if (lowest_ == no_exponent) lowest_ = 0;
  }

  int lowest() const { return lowest_; }
  const Vector3& corner(int side, std::int32_t i) const { return side_[side][static_cast<std::size_t>(i)]; }
  ExactVector exact(int side, std::int32_t i) const {
    const Vector3& p = corner(side, i);
    return {scaled_integer(p.x(), lowest_), scaled_integer(p.y(), lowest_), scaled_integer(p.z(), lowest_)};
  }

  // The corner with the greatest (sign > 0) or least height along `direction`, without rounding;
  // `rounded` is the direction in doubles, its largest coordinate near 1, each right to 2^-51 of that.
  std::int32_t farthest(int side, const ExactVector& direction, const Vector3& rounded, int sign) const {
    const std::vector<Vector3>& points = side_[side];
    std::vector<double> heights(points.size());
    double best = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < points.size(); ++i) {
      heights[i] = sign * rounded.dot(points[i]);
      best = std::max(best, heights[i]);
    }
    // Each height is off by at most (3 * 2^-51 + 3 * 2^-52) of the largest coordinate; two are compared.
    const double slack = 32.0 * 0x1p-52 * largest_ + std::numeric_limits<double>::denorm_min();
    std::int32_t winner = -1;
    Integer winning;
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (heights[i] < best - slack) continue;
      const auto id = static_cast<std::int32_t>(i);
      Integer height = dot(direction, exact(side, id));
      if (sign < 0) height = -std::move(height);
      if (winner >= 0 && compare(height, winning) <= 0) continue;
      winner = id;
      winning = std::move(height);
    }
    return winner;
  }

 private:
  std::vector<Vector3> side_[2];
  int lowest_ = no_exponent;
  double largest_ = 0.0;
};

struct Corner {
  std::int32_t vertex_a, vertex_b;
  ExactVector difference;
};

// The part of a simplex that carries its nearest point.
struct Nearest {
  std::vector<int> corners;
  std::vector<Integer> weights;  // positive
  Integer denominator;           // their sum
  ExactVector point;             // times the denominator
};

// Weights of the point nearest to the origin of the affine hull of some corners, as cofactors of the matrix
// of products; empty if the corners are affinely dependent.
std::vector<Integer> affine_weights(const std::vector<Corner>& simplex, const std::vector<int>& part) {
  const std::size_t n = part.size();
  if (n == 1) return {Integer(1)};
  // Unknowns: shares m_k of the edges from corner 0 with sum_k (e_j . e_k) m_k = -(e_j . p_0).
  const ExactVector& p = simplex[part[0]].difference;
  std::vector<ExactVector> e;
  for (std::size_t k = 1; k < n; ++k) e.push_back(simplex[part[k]].difference - p);
  Integer g[3][3], right[3];
  for (std::size_t j = 0; j + 1 < n; ++j) {
    right[j] = -dot(e[j], p);
    for (std::size_t k = j; k + 1 < n; ++k) g[j][k] = g[k][j] = dot(e[j], e[k]);
  }
  std::vector<Integer> weights(n);
  Integer determinant;
  if (n == 2) {
    determinant = g[0][0];
    weights[1] = right[0];
  } else if (n == 3) {
    determinant = g[0][0] * g[1][1] - g[0][1] * g[0][1];
    weights[1] = right[0] * g[1][1] - right[1] * g[0][1];
    weights[2] = g[0][0] * right[1] - g[0][1] * right[0];
  } else {
    const auto triple = [](const Integer(&x)[3], const Integer(&y)[3], const Integer(&z)[3]) {
      return x[0] * (y[1] * z[2] - y[2] * z[1]) + x[1] * (y[2] * z[0] - y[0] * z[2]) +
             x[2] * (y[0] * z[1] - y[1] * z[0]);
    };
    determinant = triple(g[0], g[1], g[2]);
    weights[1] = triple(right, g[1], g[2]);
    weights[2] = triple(g[0], right, g[2]);
    weights[3] = triple(g[0], g[1], right);
  }
  if (determinant.sign() <= 0) return {};
  weights[0] = determinant;
  for (std::size_t k = 1; k < n; ++k) weights[0] -= weights[k];
  return weights;
}

// Tries all parts: the one whose weights are positive and which no other corner undercuts is the answer. It
// exists, since the nearest point of the simplex is inside one of its parts with independent corners.
Nearest nearest_of(const std::vector<Corner>& simplex) {
  const int all = 1 << simplex.size();
  for (int wanted = 1; wanted <= static_cast<int>(simplex.size()); ++wanted) {
    for (int set = 1; set < all; ++set) {
      if (std::popcount(static_cast<unsigned>(set)) != wanted) continue;
      Nearest found;
      for (int i = 0; i < static_cast<int>(simplex.size()); ++i) {
        if ((set >> i & 1) != 0) found.corners.push_back(i);
      }
      found.weights = affine_weights(simplex, found.corners);
      if (found.weights.empty()) continue;
      if (std::any_of(found.weights.begin(), found.weights.end(),
                      [](const Integer& w) { return w.sign() <= 0; }))
        continue;
      for (std::size_t i = 0; i < found.corners.size(); ++i) {
        found.denominator += found.weights[i];
        add_scaled(found.point, found.weights[i], simplex[found.corners[i]].difference);
      }
      const Integer squared = dot(found.point, found.point);
      bool is_least = true;
      for (int i = 0; i < static_cast<int>(simplex.size()) && is_least; ++i) {
        if ((set >> i & 1) != 0) continue;
        is_least = compare(found.denominator * dot(found.point, simplex[i].difference), squared) >= 0;
      }
      if (is_least) return found;
    }
  }
  return {};
}

// x 2^-shift as a double, to within 2^-51 of it.
double to_double(const Integer& x, std::int64_t shift) {
  const Integer::Scaled scaled = x.to_scaled();
  const std::int64_t exponent = std::clamp<std::int64_t>(scaled.exponent - shift, -2000, 2000);
  return std::ldexp(scaled.mantissa, static_cast<int>(exponent));
}

// n / d to within 2^-50.
double quotient(const Integer& n, const Integer& d) {
  const Integer::Scaled p = n.to_scaled(), q = d.to_scaled();
  if (p.mantissa == 0.0) return 0.0;
  return std::ldexp(p.mantissa / q.mantissa,
                    static_cast<int>(std::clamp<std::int64_t>(p.exponent - q.exponent, -2000, 2000)));
}

// The direction with its largest coordinate near 1.
Vector3 rounded_direction(const ExactVector& v) {
  const std::int64_t bits = std::max({v.x.bit_length(), v.y.bit_length(), v.z.bit_length()});
  return {to_double(v.x, bits), to_double(v.y, bits), to_double(v.z, bits)};
}

// sqrt(V . V) / D * 2^lowest, bracketed.
void bracket_distance(const Nearest& nearest, int lowest, ExactNearest& result) {
  const Integer::Scaled square = dot(nearest.point, nearest.point).to_scaled();
  const Integer::Scaled below = nearest.denominator.to_scaled();
  // An even exponent below the root.
  const double mantissa = (square.exponent & 1) != 0 ? 2.0 * square.mantissa : square.mantissa;
  const std::int64_t exponent = ((square.exponent & 1) != 0 ? square.exponent - 1 : square.exponent) / 2;
  const double value = std::sqrt(mantissa) / below.mantissa;
  const auto power =
      static_cast<int>(std::clamp<std::int64_t>(exponent - below.exponent + lowest, -3000, 3000));
  // Half of 2^-52 from the square, 2^-52 from the denominator, two roundings. What underflows is at least 0,
  // and at most the smallest number there is.
  result.lower = std::max(next_down(std::ldexp(value * (1.0 - 8.0 * unit_roundoff), power)), 0.0);
  result.upper = next_up(std::ldexp(value * (1.0 + 8.0 * unit_roundoff), power));
}

std::vector<Corner> corners_of(const Simplex& start, const Corners& corners) {
  std::vector<Corner> simplex;
  for (int i = 0; i < start.count; ++i) {
    const std::int32_t a = start.corner[i].vertex_a, b = start.corner[i].vertex_b;
    if (std::any_of(simplex.begin(), simplex.end(),
                    [&](const Corner& c) { return c.vertex_a == a && c.vertex_b == b; }))
      continue;
    simplex.push_back({a, b, corners.exact(0, a) - corners.exact(1, b)});
  }
  return simplex;
}

}  // namespace

ExactNearest exact_nearest(const Difference& difference, const Simplex& start) {
  const Corners corners(difference);
  std::vector<Corner> simplex = corners_of(start, corners);
  ExactNearest result;
  for (;;) {
    const Nearest nearest = nearest_of(simplex);
    const Integer squared = dot(nearest.point, nearest.point);
    result.meets = squared.is_zero();
    std::vector<Corner> kept;
    for (const int i : nearest.corners) kept.push_back(simplex[i]);
    simplex = std::move(kept);
    bool is_done = result.meets;
    if (!is_done) {
      const Vector3 rounded = rounded_direction(nearest.point);
      const std::int32_t a = corners.farthest(0, nearest.point, rounded, -1);
      const std::int32_t b = corners.farthest(1, nearest.point, rounded, 1);
      Corner next = {a, b, corners.exact(0, a) - corners.exact(1, b)};
      is_done = compare(nearest.denominator * dot(nearest.point, next.difference), squared) >= 0;
      result.direction = rounded.normalized();
      if (!is_done) simplex.push_back(std::move(next));
    }
    if (!is_done) continue;
    if (!result.meets) bracket_distance(nearest, corners.lowest(), result);
    if (result.meets) result.direction.setZero();
    for (std::size_t i = 0; i < simplex.size(); ++i) {
      result.simplex.add(difference.of_corners(simplex[i].vertex_a, simplex[i].vertex_b));
      result.simplex.weight[i] = quotient(nearest.weights[i], nearest.denominator);
    }
    result.nearest = result.direction * (0.5 * (result.lower + result.upper));
    return result;
  }
}

}  // namespace toccata::convex
