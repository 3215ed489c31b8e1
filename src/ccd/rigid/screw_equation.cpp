#include "ccd/rigid/screw_equation.hpp"

#include <algorithm>
#include <cmath>

#include "toccata/base/interval.hpp"

namespace toccata {
namespace {

Interval value_at(const ScrewEquation& e, const Interval& t) {
  const Interval angle = Interval(e.angle) * t, c = cos(angle), s = sin(angle);
  return Interval(e.k[0]) + Interval(e.k[5]) * t + (Interval(e.k[1]) + Interval(e.k[3]) * t) * c +
         (Interval(e.k[2]) + Interval(e.k[4]) * t) * s;
}

Interval slope_over(const ScrewEquation& e, const Interval& t) {
  const Interval b = e.angle, angle = b * t, c = cos(angle), s = sin(angle);
  const Interval p = Interval(e.k[1]) + Interval(e.k[3]) * t, q = Interval(e.k[2]) + Interval(e.k[4]) * t;
  return Interval(e.k[5]) + (Interval(e.k[3]) + q * b) * c + (Interval(e.k[4]) - p * b) * s;
}

}  // namespace

double first_root_lower(const ScrewEquation& equation) {
  double at = 0.0, window = 1.0;
  for (int iteration = 0; iteration < 200; ++iteration) {
    const Interval f = value_at(equation, at);
    const double clear = f.mignitude() - equation.band;
    if (!(clear > 0.0)) return at;
    const double end = std::min(1.0, at + window);
    const Interval slope = slope_over(equation, {at, end});
    // Toward zero: falling where f > 0, rising where f < 0.
    const double approach = f.lower > 0.0 ? -slope.lower : slope.upper;
    const double reach = approach > 0.0 ? clear / approach * (1.0 - 1e-15) : 2.0;
    if (at + reach >= end) {
      if (end >= 1.0) return 1.0;
      at = end;
      window *= 2.0;
      continue;
    }
    // A window much longer than the step spoils the slope.
    if (reach < 0.25 * window) window = std::max(2.0 * reach, 1e-12);
    const double next = next_down(at + reach * (1.0 - 1e-15));
    if (!(next > at + 1e-12)) return at;
    at = next;
  }
  return at;
}

}  // namespace toccata
