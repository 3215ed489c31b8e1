#include "ccd/deformable/extended_root.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "elementary/double_pair.hpp"
#include "impact/filter_bounds.hpp"

namespace toccata::deformable {
namespace {

using elementary::DoublePair;
using elementary::exact_difference;
using elementary::two_product;

constexpr double steps = 0x1p46;  // places are multiples of its inverse
constexpr double reach = 0x1p-42;
constexpr double value_error = 1024 * impact_filter::unit_roundoff * impact_filter::unit_roundoff;
static_assert(2 * reach <= impact_filter::bracket_width);

// a, b and c at both ends, exact.
struct RelativeEnds {
  DoublePair at[2][3][3];  // [end][a, b, c][axis]
  double error = 0;        // of a value of F
  bool usable = true;

  explicit RelativeEnds(const LinearMotion4& motion) {
    double size = 1;
    for (int k = 0; k < 3; ++k) {
      double most = 0;
      for (std::size_t p = 0; p < 3; ++p) {
        at[0][p][k] = exact_difference(motion.t0[p + 1][k], motion.t0[0][k]);
        at[1][p][k] = exact_difference(motion.t1[p + 1][k], motion.t1[0][k]);
        most = std::max({most, std::abs(at[0][p][k].high), std::abs(at[1][p][k].high)});
      }
      usable = usable && most > 0x1p-200 && most < 0x1p200;
      size *= most;
    }
    error = value_error * size;
  }

  // F at t, whose sign is certain if it is beyond the error.
  double value(double t) const {
    const double s = 1.0 - t;
    DoublePair v[3][3];
    for (std::size_t p = 0; p < 3; ++p) {
      for (std::size_t k = 0; k < 3; ++k) {
        const DoublePair &x0 = at[0][p][k], &x1 = at[1][p][k];
        const DoublePair h0 = two_product(s, x0.high), h1 = two_product(t, x1.high);
        v[p][k] = DoublePair{h0.high, h0.low + s * x0.low} + DoublePair{h1.high, h1.low + t * x1.low};
      }
    }
    DoublePair f{0, 0};
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t i = (k + 1) % 3, j = (k + 2) % 3;
      f = f + v[0][k] * (v[1][i] * v[2][j] - v[1][j] * v[2][i]);
    }
    return f.high;
  }
};

}  // namespace

std::optional<TimeBracket> narrowed_root(const LinearMotion4& motion, TimeBracket around) {
  const RelativeEnds ends(motion);
  if (!ends.usable) return std::nullopt;
  double left = std::ceil(around.lower * steps) / steps, right = std::floor(around.upper * steps) / steps;
  if (!(left >= 0.0 && left < right && right <= 1.0)) return std::nullopt;
  double at_left = ends.value(left), at_right = ends.value(right);
  const double sign = at_left < 0 ? -1.0 : 1.0;
  const auto is_before = [&](double value) { return sign * value > ends.error; };
  const auto is_after = [&](double value) { return -sign * value > ends.error; };
  if (!is_before(at_left) || !is_after(at_right)) return std::nullopt;
  for (int i = 0; i < 8; ++i) {
    const double share = std::clamp(at_left / (at_left - at_right), 0.0, 1.0);
    const double t = std::round((left + share * (right - left)) * steps) / steps;
    const double before = std::max(left, t - reach), after = std::min(right, t + reach);
    const double at_before = before > left ? ends.value(before) : at_left;
    const double at_after = after < right ? ends.value(after) : at_right;
    if (is_before(at_before) && is_after(at_after)) return TimeBracket{before, after};
    if (is_after(at_before)) {
      right = before;
      at_right = at_before;
    } else if (is_before(at_after)) {
      left = after;
      at_left = at_after;
    } else {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

}  // namespace toccata::deformable
