#include "toccata/elementary/orientation.hpp"
#include "toccata/base/rounding.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "elementary/expansion.hpp"

namespace toccata {
namespace {

using elementary::difference;
using elementary::Expansion;
using elementary::product;

// Below this the products may have lost bits to underflow, which the relative bounds do not cover.
constexpr double underflow_guard = 1e-250;

int sign_of(double value) {
  return (value > 0.0) - (value < 0.0);
}

// A power of two that brings `largest` near 2^300: products of three differences then neither overflow
// nor underflow as long as the coordinates span less than 2^600.
double safe_scale(double largest) {
  if (largest == 0.0) return 1.0;
  return std::ldexp(1.0, std::clamp(300 - std::ilogb(largest), -1022, 1023));
}

using Minor = Expansion<16>;

Minor minor_2d(const Expansion<2>& ax, const Expansion<2>& ay, const Expansion<2>& bx,
               const Expansion<2>& by) {
  Minor result;
  result.add(product(ax, by));
  result.subtract(product(ay, bx));
  return result;
}

struct ExactVector {
  Expansion<2> x, y, z;
};

ExactVector exact_difference(const Vector3& a, const Vector3& b) {
  return {difference(a.x(), b.x()), difference(a.y(), b.y()), difference(a.z(), b.z())};
}

int exact_triple_sign(const ExactVector& u, const ExactVector& v, const ExactVector& w) {
  Expansion<192> determinant;
  determinant.add(product(minor_2d(v.y, v.z, w.y, w.z), u.x));
  determinant.add(product(minor_2d(v.z, v.x, w.z, w.x), u.y));
  determinant.add(product(minor_2d(v.x, v.y, w.x, w.y), u.z));
  return determinant.sign();
}

// The rounded triple product u . (v x w) and the sum of the magnitudes of its terms.
struct Triple {
  double value;
  double magnitude;
};

Triple triple_product(const Vector3& u, const Vector3& v, const Vector3& w) {
  const double yz = v.y() * w.z(), zy = v.z() * w.y();
  const double zx = v.z() * w.x(), xz = v.x() * w.z();
  const double xy = v.x() * w.y(), yx = v.y() * w.x();
  return {u.x() * (yz - zy) + u.y() * (zx - xz) + u.z() * (xy - yx),
          std::abs(u.x()) * (std::abs(yz) + std::abs(zy)) + std::abs(u.y()) * (std::abs(zx) + std::abs(xz)) +
              std::abs(u.z()) * (std::abs(xy) + std::abs(yx))};
}

// With rounded differences each of the six terms carries at most 3 (differences) + 1 (product) + 1 (minor)
// + 1 (scaling) + 2 (sums) = 8 roundings; the magnitude is itself computed low by at most 6 roundings.
// 16 covers both with room.
constexpr double triple_bound = 16.0 * unit_roundoff;

bool is_certain(const Triple& t) {
  return t.magnitude > underflow_guard && t.magnitude < std::numeric_limits<double>::max() &&
         std::abs(t.value) > triple_bound * t.magnitude;
}

// The same for left - right, each a product of rounded differences: 2 + 1 + 1 roundings per term; 8 has room
// for those of the magnitude.
bool is_certain_2d(double left, double right) {
  const double magnitude = std::abs(left) + std::abs(right);
  return magnitude > underflow_guard && magnitude < std::numeric_limits<double>::max() &&
         std::abs(left - right) > 8.0 * unit_roundoff * magnitude;
}

double largest_of(std::initializer_list<const Vector3*> points) {
  double largest = 0.0;
  for (const Vector3* p : points) largest = std::max(largest, p->cwiseAbs().maxCoeff());
  return largest;
}

}  // namespace

int orientation_2d(const Vector2& a, const Vector2& b, const Vector2& c) {
  const double left = (b.x() - a.x()) * (c.y() - a.y());
  const double right = (b.y() - a.y()) * (c.x() - a.x());
  if (is_certain_2d(left, right)) return sign_of(left - right);
  const double scale =
      safe_scale(std::max({a.cwiseAbs().maxCoeff(), b.cwiseAbs().maxCoeff(), c.cwiseAbs().maxCoeff()}));
  const Vector2 p = scale * a, q = scale * b, r = scale * c;
  return minor_2d(difference(q.x(), p.x()), difference(q.y(), p.y()), difference(r.x(), p.x()),
                  difference(r.y(), p.y()))
      .sign();
}

int orientation_3d(const Vector3& a, const Vector3& b, const Vector3& c, const Vector3& d) {
  const Triple rounded = triple_product(d - a, b - a, c - a);
  if (is_certain(rounded)) return sign_of(rounded.value);
  const double scale = safe_scale(largest_of({&a, &b, &c, &d}));
  const Vector3 origin = scale * a;
  return exact_triple_sign(exact_difference(scale * d, origin), exact_difference(scale * b, origin),
                           exact_difference(scale * c, origin));
}

int line_side_3d(const Vector3& origin, const Vector3& direction, const Vector3& b, const Vector3& c) {
  const Triple rounded = triple_product(direction, b - origin, c - origin);
  if (is_certain(rounded)) return sign_of(rounded.value);
  const double scale = safe_scale(largest_of({&origin, &b, &c}));
  const double direction_scale = safe_scale(largest_of({&direction}));
  const Vector3 o = scale * origin;
  return exact_triple_sign(exact_difference(direction_scale * direction, Vector3::Zero()),
                           exact_difference(scale * b, o), exact_difference(scale * c, o));
}

int line_side_2d(const Vector2& origin, const Vector2& direction, const Vector2& c) {
  const double left = direction.x() * (c.y() - origin.y());
  const double right = direction.y() * (c.x() - origin.x());
  if (is_certain_2d(left, right)) return sign_of(left - right);
  const double scale = safe_scale(std::max(origin.cwiseAbs().maxCoeff(), c.cwiseAbs().maxCoeff()));
  const double direction_scale = safe_scale(direction.cwiseAbs().maxCoeff());
  const Vector2 o = scale * origin, q = scale * c, d = direction_scale * direction;
  return minor_2d(difference(d.x(), 0.0), difference(d.y(), 0.0), difference(q.x(), o.x()),
                  difference(q.y(), o.y()))
      .sign();
}

}  // namespace toccata
