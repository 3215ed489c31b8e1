#pragma once
// Polynomials of degree at most three with integer coefficients, their real roots and signs at roots, all
// exact.
//
// Notation. A function of time t in [0, 1] is written homogeneously, p(t) = sum c_i t^i (1-t)^(n-i). With
// s = t / (1-t) the c_i are plain power coefficients over s in [0, inf]: products are convolutions, the
// value at t = 0 is c_0, at t = 1 it is c_n, and Descartes' rule counts the roots in the open interval.
// A point of time is the pair (x : y) = (t : 1-t), defined up to a positive factor.
#include <array>

#include "elementary/integer.hpp"

namespace toccata::impact {

using elementary::Integer;

// Degree `degree` as a homogeneous form: leading and trailing coefficients may vanish. degree < 0: unset.
struct Polynomial {
  int degree = -1;
  std::array<Integer, 4> c;

  bool is_zero() const;
};

Polynomial operator+(const Polynomial& p, const Polynomial& q);  // the same degree
Polynomial operator-(const Polynomial& p, const Polynomial& q);
Polynomial operator-(const Polynomial& p);
Polynomial operator*(const Polynomial& p, const Polynomial& q);  // degrees add up to at most three

// Without the roots at t = 0 and t = 1: first and last coefficient are not zero. p must not be zero.
Polynomial stripped(const Polynomial& p);

// What deciding takes; the answers do not depend on it.
struct ExactWork {
  int zero_tests = 0;  // how often a common root had to be looked for
  int steps = 0;       // places at which a polynomial had to be looked at: a microsecond or two each
};

struct TimePoint {
  Integer x, y;  // t = x / (x + y)
};

int sign_at(const Polynomial& p, const TimePoint& t);

// A time in the open interval (0, 1): a rational point, or the only root of `of` in an open interval with
// dyadic ends, where `of` changes its sign.
class Root {
 public:
  static Root rational(TimePoint t);
  static Root isolated(const Polynomial& of, TimePoint left, TimePoint right, int left_sign);

  // The sign of p at this time.
  int sign(const Polynomial& p, ExactWork& work);

  // Certified enclosure in doubles, at most 2^-41 wide.
  struct Bracket {
    double lower, upper;
  };
  Bracket bracket(ExactWork& work);

 private:
  void refine(ExactWork& work);  // at least halves the interval, may turn rational
  void narrow(ExactWork& work);  // to at most 2^-41
  // Shrinks the interval to one side of t, an inner point.
  bool try_point(const TimePoint& t, ExactWork& work);
  bool is_common_root(const Polynomial& p) const;

  bool rational_ = false;
  bool narrow_ = false;
  int grid_bits_ = 8;  // how many more digits the next refinement hopes for
  int left_sign_ = 0;
  TimePoint left_, right_;  // with equal x + y; both the same point when rational
  Polynomial of_;           // stripped
};

struct Roots {
  int count = 0;
  std::array<Root, 3> at;  // ascending
};

// The distinct roots of p in the open interval (0, 1). p must not be zero.
Roots isolate_roots(const Polynomial& p, ExactWork& work);

}  // namespace toccata::impact
