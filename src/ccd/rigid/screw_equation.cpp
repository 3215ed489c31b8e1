#include "ccd/rigid/screw_equation.hpp"

#include <algorithm>
#include <cmath>

#include "toccata/base/rounding.hpp"
#include "toccata/motion/displacement_bound.hpp"

namespace toccata {
namespace {

constexpr double u = 0x1p-53;
// f is a sum of six products; sine and cosine carry two roundings of their own and one of the angle, which
// counts up to `angle` times. f' has the same shape, its terms up to 1 + |b| times as large.
constexpr double value_roundings = 16.0;

}  // namespace

double first_root_lower(const ScrewEquation& e, double from, double to) {
  const auto& k = e.k;
  const double b = e.angle, turn = std::abs(b);
  const double size =
      std::abs(k[0]) + std::abs(k[1]) + std::abs(k[2]) + std::abs(k[3]) + std::abs(k[4]) + std::abs(k[5]);
  const double value_error = value_roundings * (1.0 + turn) * u * size;
  const double slope_error = 2.0 * (1.0 + turn) * value_error;
  const double growing = std::abs(k[3]) + std::abs(k[4]);
  const double curvature =
      turn * (turn * (std::abs(k[1]) + std::abs(k[2]) + growing) + 2.0 * growing) * (1.0 + 16.0 * u);
  double at = from;
  for (int iteration = 0; iteration < 100; ++iteration) {
    const double c = std::cos(b * at), s = std::sin(b * at);
    const double p = k[1] + k[3] * at, q = k[2] + k[4] * at;
    const double f = k[0] + k[5] * at + (p * c + q * s);
    const double clear = std::abs(f) - e.band - value_error;
    if (!(clear > 0.0)) return at;
    const double slope = k[5] + (k[3] + q * b) * c + (k[4] - p * b) * s;
    const double approach = (f > 0.0 ? -slope : slope) + slope_error;
    const double step = conservative_step(clear, approach, curvature);
    if (at + step * (1.0 - 4.0 * u) > to) return no_root;
    const double next = next_down(at + step * (1.0 - 4.0 * u));
    if (!(next > at + 1e-14)) return at;
    at = next;
  }
  return at;
}

}  // namespace toccata
