#pragma once
// Closed intervals with outward rounding: f(X, Y) contains f(x, y) for all reals x in X, y in Y.
//
// Each bound is at most one step (ulp) outside of the best double for + - * / sqrt and square; the sign of a
// result that cannot change sign is kept exactly, and so are zeros. Bounds may be infinite, never NaN.
// Cost: a few nanoseconds an operation; sin and cos about a hundred.
#include <algorithm>
#include <cassert>
#include <optional>

#include "toccata/base/rounding.hpp"

namespace toccata {

struct Interval {
  double lower = 0.0;
  double upper = 0.0;

  constexpr Interval() = default;
  constexpr Interval(double value) : lower(value), upper(value) {}  // the single point
  constexpr Interval(double low, double high) : lower(low), upper(high) { assert(low <= high); }

  static constexpr Interval whole() {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return {-infinity, infinity};
  }

  constexpr bool contains(double x) const { return lower <= x && x <= upper; }
  constexpr bool contains(const Interval& x) const { return lower <= x.lower && x.upper <= upper; }
  constexpr bool is_positive() const { return lower > 0.0; }
  constexpr bool is_negative() const { return upper < 0.0; }
  constexpr bool is_point() const { return lower == upper; }

  // A double in the interval, near its middle.
  double middle() const {
    constexpr double largest = std::numeric_limits<double>::max();
    return std::clamp(0.5 * std::max(lower, -largest) + 0.5 * std::min(upper, largest), lower, upper);
  }
  double upper_width() const {
    return is_point() ? 0.0 : next_up(upper - lower);
  }                                                                    // not below the true width
  double magnitude() const { return std::max(-lower, upper); }         // largest |x|
  double mignitude() const { return std::max({lower, -upper, 0.0}); }  // smallest |x|

  friend constexpr bool operator==(const Interval&, const Interval&) = default;
};

inline Interval operator-(const Interval& x) {
  return {-x.upper, -x.lower};
}

// A sum that comes out as zero is exact: additions do not underflow.
inline Interval operator+(const Interval& x, const Interval& y) {
  const double lower = x.lower + y.lower, upper = x.upper + y.upper;
  return {lower == 0.0 ? 0.0 : next_down(lower), upper == 0.0 ? 0.0 : next_up(upper)};
}
inline Interval operator-(const Interval& x, const Interval& y) {
  return x + -y;
}

Interval operator*(const Interval& x, const Interval& y);
// Division by an interval that contains zero inside, or by [0, 0], gives the whole line.
Interval operator/(const Interval& x, const Interval& y);

inline Interval& operator+=(Interval& x, const Interval& y) {
  return x = x + y;
}
inline Interval& operator-=(Interval& x, const Interval& y) {
  return x = x - y;
}
inline Interval& operator*=(Interval& x, const Interval& y) {
  return x = x * y;
}
inline Interval& operator/=(Interval& x, const Interval& y) {
  return x = x / y;
}

inline Interval square(const Interval& x) {
  const double low = x.mignitude(), high = x.magnitude();
  return {low == 0.0 ? 0.0 : std::max(0.0, next_down(low * low)), high == 0.0 ? 0.0 : next_up(high * high)};
}

// Of the part of x that is not negative. precondition: x.upper >= 0
inline Interval sqrt(const Interval& x) {
  assert(x.upper >= 0.0);
  return {x.lower > 0.0 ? next_down(std::sqrt(x.lower)) : 0.0,
          x.upper > 0.0 ? next_up(std::sqrt(x.upper)) : 0.0};
}

inline Interval abs(const Interval& x) {
  return {x.mignitude(), x.magnitude()};
}
inline Interval min(const Interval& x, const Interval& y) {
  return {std::min(x.lower, y.lower), std::min(x.upper, y.upper)};
}
inline Interval max(const Interval& x, const Interval& y) {
  return {std::max(x.lower, y.lower), std::max(x.upper, y.upper)};
}

// The smallest interval that contains both.
inline Interval hull(const Interval& x, const Interval& y) {
  return {std::min(x.lower, y.lower), std::max(x.upper, y.upper)};
}
inline bool overlap(const Interval& x, const Interval& y) {
  return x.lower <= y.upper && y.lower <= x.upper;
}
// None if they do not overlap.
inline std::optional<Interval> intersection(const Interval& x, const Interval& y) {
  if (!overlap(x, y)) return std::nullopt;
  return Interval(std::max(x.lower, y.lower), std::min(x.upper, y.upper));
}

// Radians. Rigorous without trusting the C library: reduction by an enclosure of pi, then Taylor's series
// with its remainder, both in intervals. About 1e-15 wide for a point; [-1, 1] beyond |x| = 2^20.
Interval sin(const Interval& x);
Interval cos(const Interval& x);

// Encloses pi; one step wide.
Interval interval_pi();

namespace interval_products {

// The sign rules keep what underflow would lose: (tiny) * (tiny) is not below zero.
inline Interval widen(double lower, double upper, bool never_negative, bool never_positive) {
  lower = next_down(lower);
  upper = next_up(upper);
  return {never_negative ? std::max(lower, 0.0) : lower, never_positive ? std::min(upper, 0.0) : upper};
}

// 0 times an unbounded bound is 0, where the processor says NaN.
inline double product(double x, double y) {
  return x == 0.0 || y == 0.0 ? 0.0 : x * y;
}

}  // namespace interval_products

inline Interval operator*(const Interval& x, const Interval& y) {
  using namespace interval_products;
  if (x == Interval(0.0) || y == Interval(0.0)) return 0.0;
  const double a = product(x.lower, y.lower), b = product(x.lower, y.upper);
  const double c = product(x.upper, y.lower), d = product(x.upper, y.upper);
  return widen(std::min(std::min(a, b), std::min(c, d)), std::max(std::max(a, b), std::max(c, d)),
               (x.lower >= 0.0 && y.lower >= 0.0) || (x.upper <= 0.0 && y.upper <= 0.0),
               (x.lower >= 0.0 && y.upper <= 0.0) || (x.upper <= 0.0 && y.lower >= 0.0));
}

inline Interval operator/(const Interval& x, const Interval& y) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (y.upper <= 0.0 && y.lower < 0.0) return -x / -y;
  if (y.lower < 0.0 || y.upper == 0.0) return Interval::whole();
  if (x == Interval(0.0)) return 0.0;
  // Here y.lower >= 0 and y.upper > 0; division by a bound that is zero means an unbounded quotient.
  const double least = x.lower >= 0.0 ? y.upper : y.lower, most = x.upper >= 0.0 ? y.lower : y.upper;
  const double lower = x.lower == 0.0 ? 0.0 : least == 0.0 ? -infinity : x.lower / least;
  const double upper = x.upper == 0.0 ? 0.0 : most == 0.0 ? infinity : x.upper / most;
  return interval_products::widen(lower, upper, x.lower >= 0.0, x.upper <= 0.0);
}

}  // namespace toccata
