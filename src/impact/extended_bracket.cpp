#include "impact/extended_bracket.hpp"

#include <algorithm>
#include <cmath>

#include "elementary/double_pair.hpp"
#include "impact/coplanarity-inl.hpp"
#include "impact/filter_bounds.hpp"

namespace toccata::impact {
namespace {

namespace kernel = HWY_NAMESPACE;
using elementary::DoublePair;
using elementary::exact_difference;

// Three times F in Bernstein form, so that nothing is divided.
class ExtendedCubic {
 public:
  explicit ExtendedCubic(const LinearMotion4& motion) {
    kernel::RelativeMotion<DoublePair> m;
    for (int k = 0; k < 3; ++k) {
      // Differences of doubles are exact as pairs.
      const auto relative = [k](const auto& points, int i) {
        return exact_difference(points[i][k], points[0][k]);
      };
      m.a0[k] = relative(motion.t0, 1);
      m.b0[k] = relative(motion.t0, 2);
      m.c0[k] = relative(motion.t0, 3);
      m.a1[k] = relative(motion.t1, 1);
      m.b1[k] = relative(motion.t1, 2);
      m.c1[k] = relative(motion.t1, 3);
      for (const DoublePair* p : {&m.a0[k], &m.b0[k], &m.c0[k], &m.a1[k], &m.b1[k], &m.c1[k]}) {
        magnitude_[k] = std::max(magnitude_[k], std::abs(p->high));
      }
    }
    const kernel::Cubic<DoublePair> f = kernel::coplanarity(m);
    const DoublePair three{3.0, 0.0};
    c_[0] = three * f.c[0];
    c_[1] = f.c[1];
    c_[2] = f.c[2];
    c_[3] = three * f.c[3];
    error_ = extended_cubic_error * ((magnitude_[0] * magnitude_[1]) * magnitude_[2]);
  }

  const double* magnitude() const { return magnitude_; }

  // The polar value at r, s, t.
  DoublePair at(double r, double s, double t) const {
    const DoublePair p0 = mix(c_[0], c_[1], r), p1 = mix(c_[1], c_[2], r), p2 = mix(c_[2], c_[3], r);
    return mix(mix(p0, p1, s), mix(p1, p2, s), t);
  }
  DoublePair at(double t) const { return at(t, t, t); }

  // The sign of a value; 0 if it is within the error of one (docs/notes/impact_bounds.md, two doubles).
  int sign(const DoublePair& value) const { return sign_beyond(value, error_); }
  int sign_at(double t) const { return sign(at(t)); }

  // In plain double: a hint.
  double slope(double t) const {
    const double s = 1.0 - t;
    const double d0 = c_[1].high - c_[0].high, d1 = c_[2].high - c_[1].high, d2 = c_[3].high - c_[2].high;
    return 3.0 * (s * (s * d0 + t * d1) + t * (s * d1 + t * d2));
  }

 private:
  static DoublePair mix(const DoublePair& x, const DoublePair& y, double t) {
    return exact_difference(1.0, t) * x + DoublePair{t, 0.0} * y;
  }

  DoublePair c_[4];
  double magnitude_[3] = {0.0, 0.0, 0.0};
  double error_ = 0.0;
};

// The magnitudes for which candidates in lanes are narrowed; the others are the single call's.
bool is_ordinary(const double* magnitude) {
  const auto ordinary = [](double x) { return x > 0x1p-200 && x < 0x1p200; };
  return ordinary(magnitude[0]) && ordinary(magnitude[1]) && ordinary(magnitude[2]);
}

}  // namespace

std::optional<TimeBracket> narrow_first_root(const LinearMotion4& motion, TimeBracket wide, double guess) {
  const ExtendedCubic f(motion);
  for (int step = 0; step < 2; ++step) guess -= f.at(guess).high / f.slope(guess);
  const double l = wide.lower, a = guess - 0.45 * bracket_width, b = guess + 0.45 * bracket_width;
  if (!(a > l && b < wide.upper)) return std::nullopt;
  // All Bernstein coefficients on [l, a] have one sign: no root there. The other sign at b: one in [a, b].
  const int before = f.sign_at(l);
  const bool free = before != 0 && f.sign(f.at(l, l, a)) == before && f.sign(f.at(l, a, a)) == before &&
                    f.sign_at(a) == before;
  if (!free || f.sign_at(b) != -before) return std::nullopt;
  return TimeBracket{a, b};
}

std::optional<TimeBracket> narrow_only_root(const LinearMotion4& motion, TimeBracket wide) {
  constexpr double places = 0x1p46;  // those looked at are multiples of its inverse
  constexpr double reach = 0x1p-42;
  static_assert(2 * reach <= bracket_width);
  const ExtendedCubic f(motion);
  if (!is_ordinary(f.magnitude())) return std::nullopt;
  double left = std::ceil(wide.lower * places) / places, right = std::floor(wide.upper * places) / places;
  if (!(left >= 0.0 && left < right && right <= 1.0)) return std::nullopt;
  DoublePair at_left = f.at(left), at_right = f.at(right);
  const int before_root = f.sign(at_left);
  if (before_root == 0 || f.sign(at_right) != -before_root) return std::nullopt;
  // Secant steps; F is nearly linear in an interval this short, so that the first one usually hits.
  for (int i = 0; i < 8; ++i) {
    const double share = std::clamp(at_left.high / (at_left.high - at_right.high), 0.0, 1.0);
    const double t = std::round((left + share * (right - left)) * places) / places;
    const double before = std::max(left, t - reach), after = std::min(right, t + reach);
    const DoublePair at_before = before > left ? f.at(before) : at_left;
    const DoublePair at_after = after < right ? f.at(after) : at_right;
    const int sign_before = f.sign(at_before), sign_after = f.sign(at_after);
    if (sign_before == before_root && sign_after == -before_root) return TimeBracket{before, after};
    if (sign_before == -before_root) {
      right = before;
      at_right = at_before;
    } else if (sign_after == before_root) {
      left = after;
      at_left = at_after;
    } else {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

}  // namespace toccata::impact
