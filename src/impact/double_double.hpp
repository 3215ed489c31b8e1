#pragma once
// A number as the unevaluated sum of two doubles, about 106 bits.
//
// Error bounds (u = 2^-53): a sum is off by at most 3.1 u^2, a product by at most 7 u^2, relative to the
// result (Joldes, Muller and Popescu, Tight and rigorous error bounds for basic building blocks of
// double-word arithmetic, 2017), so each operation errs by less than 2^-100, provided that nothing overflows
// or underflows. Products are split as Veltkamp and Dekker do: no fused operation is needed.

namespace toccata::impact_filter {

struct DoubleDouble {
  double high = 0.0, low = 0.0;

  DoubleDouble() = default;
  DoubleDouble(double value) : high(value) {}  // NOLINT(google-explicit-constructor): exact
  DoubleDouble(double h, double l) : high(h), low(l) {}
};

inline constexpr double double_double_roundoff = 0x1p-100;

namespace double_double {

inline DoubleDouble quick_two_sum(double a, double b) {  // |a| >= |b| or a = 0
  const double s = a + b;
  return {s, b - (s - a)};
}

inline DoubleDouble two_sum(double a, double b) {
  const double s = a + b, t = s - a;
  return {s, (a - (s - t)) + (b - t)};
}

inline DoubleDouble two_product(double a, double b) {
  constexpr double splitter = 0x1p27 + 1.0;
  const double p = a * b, x = splitter * a, y = splitter * b;
  const double a1 = x - (x - a), a2 = a - a1, b1 = y - (y - b), b2 = b - b1;
  return {p, ((a1 * b1 - p) + a1 * b2 + a2 * b1) + a2 * b2};
}

}  // namespace double_double

// Exact.
inline DoubleDouble exact_difference(double a, double b) {
  return double_double::two_sum(a, -b);
}

inline DoubleDouble operator-(const DoubleDouble& a) {
  return {-a.high, -a.low};
}

inline DoubleDouble operator+(const DoubleDouble& a, const DoubleDouble& b) {
  const DoubleDouble s = double_double::two_sum(a.high, b.high), t = double_double::two_sum(a.low, b.low);
  const DoubleDouble v = double_double::quick_two_sum(s.high, s.low + t.high);
  return double_double::quick_two_sum(v.high, v.low + t.low);
}

inline DoubleDouble operator-(const DoubleDouble& a, const DoubleDouble& b) {
  return a + (-b);
}

inline DoubleDouble operator*(const DoubleDouble& a, const DoubleDouble& b) {
  const DoubleDouble p = double_double::two_product(a.high, b.high);
  return double_double::quick_two_sum(p.high, p.low + (a.high * b.low + a.low * b.high));
}

// +1 or -1 if the value is beyond the error, else 0.
inline int sign_beyond(const DoubleDouble& a, double error) {
  const double bound = error * (1.0 + 0x1p-50);  // covers the rounding of a to its high part
  return (a.high > bound) - (a.high < -bound);
}

}  // namespace toccata::impact_filter
