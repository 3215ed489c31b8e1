#include "toccata/base/interval.hpp"

#include <array>
#include <cmath>

namespace toccata {
namespace {

// pi/2 in pieces short enough that k * piece is exact for |k| <= 2^20, and an enclosure of what is left.
constexpr double half_pi_1 = 0x1.921fb544p+0;
constexpr double half_pi_2 = 0x0.42d18469p-32;
constexpr double half_pi_3 = 0x0.898cc517p-64;
constexpr Interval half_pi_rest(0x0.01b839a2p-96, 0x0.01b839a3p-96);
constexpr Interval half_pi(0x1.921fb54442d18p+0, 0x1.921fb54442d19p+0);

constexpr double largest_argument = 0x1p+20;

// x - k pi/2, and k modulo 4.
struct Reduced {
  Interval angle;  // |angle| < 0.79
  int quadrant;
};

Reduced reduce(double x) {
  const double k = std::nearbyint(x * (1.0 / half_pi_1));
  const Interval angle = Interval(x) - Interval(k * half_pi_1) - Interval(k * half_pi_2) -
                         Interval(k * half_pi_3) - k * half_pi_rest;
  return {angle, static_cast<int>(static_cast<std::int64_t>(k) & 3)};
}

// 1 / n!, n = 0..18; the factorials themselves are exact doubles.
const std::array<Interval, 19>& inverse_factorials() {
  static const std::array<Interval, 19> values = [] {
    std::array<Interval, 19> result;
    double factorial = 1.0;
    for (int n = 0; n < 19; ++n) {
      if (n > 1) factorial *= n;
      result[static_cast<std::size_t>(n)] = Interval(1.0) / factorial;
    }
    return result;
  }();
  return values;
}

// The sum over n = 0.. of (-1)^n z^n / (2n + first)!. Its terms decrease for z <= 0.625, so that what is left
// out after n = 8 is smaller than the next term, 0.625^9 / 18! < 2^-58.
Interval alternating_series(const Interval& z, int first) {
  Interval sum = 0.0;
  for (int n = 8; n >= 0; --n) {
    const Interval& term = inverse_factorials()[static_cast<std::size_t>(2 * n + first)];
    sum = sum * z + (n % 2 == 0 ? term : -term);
  }
  return sum + Interval(-0x1p-58, 0x1p-58);
}

Interval sin_of_small(const Interval& x) {
  return x * alternating_series(square(x), 1);
}
Interval cos_of_small(const Interval& x) {
  return alternating_series(square(x), 0);
}

// sin(x + quarter_turns * pi/2)
Interval sin_of_point(double x, int quarter_turns) {
  const Reduced r = reduce(x);
  switch ((r.quadrant + quarter_turns) & 3) {
    case 0:
      return sin_of_small(r.angle);
    case 1:
      return cos_of_small(r.angle);
    case 2:
      return -sin_of_small(r.angle);
    default:
      return -cos_of_small(r.angle);
  }
}

// Is there an integer n = rest (mod 4) in [low, high]?
bool contains_congruent(double low, double high, int rest) {
  return 4.0 * std::ceil((low - rest) / 4.0) + rest <= high;
}

Interval shifted_sin(const Interval& x, int quarter_turns) {
  const Interval range(-1.0, 1.0);
  if (!(x.magnitude() <= largest_argument)) return range;
  Interval values = sin_of_point(x.lower, quarter_turns);
  if (!x.is_point()) {
    values = hull(values, sin_of_point(x.upper, quarter_turns));
    // Extrema are at odd multiples of pi/2: in units of it, from the first to the last that x may reach.
    const double first = (Interval(x.lower) / half_pi).lower + quarter_turns;
    const double last = (Interval(x.upper) / half_pi).upper + quarter_turns;
    if (contains_congruent(next_down(first), next_up(last), 1)) values.upper = 1.0;
    if (contains_congruent(next_down(first), next_up(last), 3)) values.lower = -1.0;
  }
  return *intersection(values, range);
}

}  // namespace

Interval interval_pi() {
  return {0x1.921fb54442d18p+1, 0x1.921fb54442d19p+1};
}

Interval sin(const Interval& x) {
  return shifted_sin(x, 0);
}
Interval cos(const Interval& x) {
  return shifted_sin(x, 1);
}

}  // namespace toccata
