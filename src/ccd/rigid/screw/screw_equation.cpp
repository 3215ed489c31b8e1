#include "ccd/rigid/screw/screw_equation.hpp"

#include <algorithm>
#include <cmath>

#include "toccata/base/rounding.hpp"
#include "toccata/motion/displacement_bound.hpp"

namespace toccata::screw {

namespace {

constexpr double u = unit_roundoff;
// f is a sum of six products; sine and cosine carry two roundings of their own and one of the angle, which
// counts up to `angle` times. f' has the same shape, its terms up to 1 + |b| times as large.
constexpr double value_roundings = 16.0;

}  // namespace

ScrewValue value_at(const ScrewEquation& e, double at) {
  const auto& k = e.k;
  const double b = e.angle, c = std::cos(b * at), s = std::sin(b * at);
  const double p = k[1] + k[3] * at, q = k[2] + k[4] * at;
  return {k[0] + k[5] * at + (p * c + q * s), k[5] + (k[3] + q * b) * c + (k[4] - p * b) * s};
}

double value_error(const ScrewEquation& e) {
  const auto& k = e.k;
  const double size =
      std::abs(k[0]) + std::abs(k[1]) + std::abs(k[2]) + std::abs(k[3]) + std::abs(k[4]) + std::abs(k[5]);
  return value_roundings * (1.0 + std::abs(e.angle)) * u * size;
}

double slope_error(const ScrewEquation& e) {
  return 2.0 * (1.0 + std::abs(e.angle)) * value_error(e);
}

double first_root_lower(const ScrewEquation& e, double from, double to) {
  const auto& k = e.k;
  const double turn = std::abs(e.angle);
  const double error = value_error(e), error_of_slope = slope_error(e);
  const double growing = std::abs(k[3]) + std::abs(k[4]);
  const double curvature =
      turn * (turn * (std::abs(k[1]) + std::abs(k[2]) + growing) + 2.0 * growing) * (1.0 + 16.0 * u);
  double at = from;
  for (int iteration = 0; iteration < 100; ++iteration) {
    const ScrewValue f = value_at(e, at);
    const double clear = std::abs(f.value) - e.band - error;
    if (!(clear > 0.0)) return at;
    const double approach = (f.value > 0.0 ? -f.slope : f.slope) + error_of_slope;
    const double step = conservative_step(clear, approach, curvature);
    if (at + step * (1.0 - 4.0 * u) > to) return no_root;
    const double next = next_down(at + step * (1.0 - 4.0 * u));
    if (!(next > at + 1e-14)) return at;
    at = next;
  }
  return at;
}

}  // namespace toccata::screw
