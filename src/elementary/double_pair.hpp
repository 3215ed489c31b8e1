#pragma once
// Arithmetic on numbers that are unevaluated sums of two doubles, about 106 bits.
//
// Error bounds (u = 2^-53): a sum is off by at most 3.1 u^2, a product by at most 7 u^2, relative to the
// result (Joldes, Muller and Popescu, Tight and rigorous error bounds for basic building blocks of
// double-word arithmetic, 2017), so each operation errs by less than 2^-100, provided that nothing overflows
// or underflows. No fused operation is needed. Quotients and roots take one step of Newton from the rounded
// ones, whose error is squared to less than 2 u^2; the step itself is right to 4 u of its u.
#include "elementary/expansion.hpp"

namespace toccata::elementary {

inline constexpr double double_pair_roundoff = 0x1p-100;

inline DoublePair quick_two_sum(double a, double b) {  // |a| >= |b| or a = 0
  const double s = a + b;
  return {s, b - (s - a)};
}

// Exact.
inline DoublePair exact_difference(double a, double b) {
  return two_sum(a, -b);
}

inline DoublePair operator-(const DoublePair& a) {
  return {-a.high, -a.low};
}

inline DoublePair operator+(const DoublePair& a, const DoublePair& b) {
  const DoublePair s = two_sum(a.high, b.high), t = two_sum(a.low, b.low);
  const DoublePair v = quick_two_sum(s.high, s.low + t.high);
  return quick_two_sum(v.high, v.low + t.low);
}

inline DoublePair operator-(const DoublePair& a, const DoublePair& b) {
  return a + (-b);
}

inline DoublePair operator*(const DoublePair& a, const DoublePair& b) {
  const DoublePair p = two_product(a.high, b.high);
  return quick_two_sum(p.high, p.low + (a.high * b.low + a.low * b.high));
}

inline DoublePair operator/(const DoublePair& a, const DoublePair& b) {  // b != 0
  const double quotient = a.high / b.high;
  const DoublePair rest = a - DoublePair{quotient, 0.0} * b;
  return quick_two_sum(quotient, rest.high / b.high);
}

inline DoublePair square_root(const DoublePair& a) {  // a >= 0
  const double root = std::sqrt(a.high);
  if (!(root > 0.0)) return {0.0, 0.0};
  const DoublePair rest = a - two_product(root, root);
  return quick_two_sum(root, rest.high / (2.0 * root));
}

// +1 or -1 if the value is beyond the error, else 0.
inline int sign_beyond(const DoublePair& a, double error) {
  const double bound = error * (1.0 + 0x1p-50);  // covers the rounding of a to its high part
  return (a.high > bound) - (a.high < -bound);
}

}  // namespace toccata::elementary
