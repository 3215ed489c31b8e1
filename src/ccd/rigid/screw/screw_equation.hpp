#pragma once
// f(s) = k0 + k5 s + (k1 + k3 s) cos(b s) + (k2 + k4 s) sin(b s), s in [0, 1]: the contact equations under a
// screw (eq. 9 and 20 of the paper, in one form).
#include <array>

namespace toccata::screw {

struct ScrewEquation {
  std::array<double, 6> k{};
  double angle = 0.0;  // b
  double band = 0.0;   // contact is possible only where |f| <= band: rounding and the error of the screw
};

inline constexpr double no_root = 2.0;

struct ScrewValue {
  double value;
  double slope;
};
// f and f' at s, as computed: right to value_error and slope_error for s in [0, 1], the coefficients taken as
// exact.
ScrewValue value_at(const ScrewEquation& equation, double s);
double value_error(const ScrewEquation& equation);
double slope_error(const ScrewEquation& equation);

// The largest s found such that |f| > band on all of [from, s): the value, the slope and a bound of f'' over
// the whole segment carry it forward, so no root is jumped over; quadratically convergent to a simple one.
// no_root if |f| > band on all of [from, to]. The coefficients are taken as exact.
double first_root_lower(const ScrewEquation& equation, double from = 0.0, double to = 1.0);

}  // namespace toccata::screw
