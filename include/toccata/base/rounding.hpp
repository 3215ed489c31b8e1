#pragma once
// Directed rounding without touching the processor's rounding mode: take the result rounded to nearest and
// step to the neighbouring floating-point number. Optimisers cannot break this, since no hidden state is
// involved (libraries that switch the mode lose their enclosures when inlined).
#include <bit>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <limits>

#ifdef __FAST_MATH__
#error "Toccata's proofs count roundings: do not compile it with -ffast-math"
#endif
static_assert(FLT_EVAL_METHOD == 0, "double operations must round to double");

namespace toccata {

// u, the unit roundoff of double: an operation rounded to nearest is off by at most this share of its result.
inline constexpr double unit_roundoff = 0x1p-53;

// The smallest double above x, the largest below; infinities and NaN stay what they are on the far side
// (next_up(inf) = inf, next_up(-inf) = -DBL_MAX). A result rounded to nearest, r, of an operation whose exact
// value is v has next_down(r) <= v <= next_up(r), underflow and overflow included.
inline double next_up(double x) {
  std::int64_t bits = std::bit_cast<std::int64_t>(x + 0.0);  // -0 becomes 0
  bits += (bits >> 63) | 1;                                  // one away from zero if x >= 0, else towards it
  return x < std::numeric_limits<double>::infinity() ? std::bit_cast<double>(bits) : x;
}
inline double next_down(double x) {
  return -next_up(-x);
}

inline float next_up(float x) {
  std::int32_t bits = std::bit_cast<std::int32_t>(x + 0.0f);
  bits += (bits >> 31) | 1;
  return x < std::numeric_limits<float>::infinity() ? std::bit_cast<float>(bits) : x;
}
inline float next_down(float x) {
  return -next_up(-x);
}

// The nearest float not below (not above) x. Beyond the range of floats: an infinity on the outer side, the
// largest float on the inner.
inline float float_above(double x) {
  const auto nearest = static_cast<float>(x);
  return static_cast<double>(nearest) < x ? next_up(nearest) : nearest;
}
inline float float_below(double x) {
  return -float_above(-x);
}

}  // namespace toccata
