// One vocabulary for a number and a SIMD vector of numbers, so that a kernel is written once and its lanes
// give the bits of the single call.
//
// Included once per Highway target (no #pragma once).
#include <hwy/highway.h>

#if defined(TOCCATA_IMPACT_LANE_OPS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TOCCATA_IMPACT_LANE_OPS_INL
#undef TOCCATA_IMPACT_LANE_OPS_INL
#else
#define TOCCATA_IMPACT_LANE_OPS_INL
#endif

#include <cmath>
#include <limits>
#include <type_traits>

HWY_BEFORE_NAMESPACE();
namespace toccata::impact {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using LaneTag = hn::ScalableTag<double>;
using Lane = hn::Vec<LaneTag>;
using LaneMask = hn::Mask<LaneTag>;

HWY_INLINE Lane lane(double value) {
  return hn::Set(LaneTag(), value);
}

HWY_INLINE double smaller(double a, double b) {
  return a < b ? a : b;
}
HWY_INLINE double larger(double a, double b) {
  return a > b ? a : b;
}
HWY_INLINE double negated(double a) {
  return -a;
}
HWY_INLINE double magnitude(double a) {
  return std::abs(a);
}
HWY_INLINE double square_root(double a) {
  return std::sqrt(a);
}
HWY_INLINE bool above(double a, double b) {
  return a > b;
}
HWY_INLINE bool at_least(double a, double b) {
  return a >= b;
}
HWY_INLINE bool both(bool a, bool b) {
  return a && b;
}
HWY_INLINE bool either(bool a, bool b) {
  return a || b;
}
HWY_INLINE bool without(bool a, bool b) {
  return a && !b;
}
HWY_INLINE double choose(bool condition, double yes, double no) {
  return condition ? yes : no;
}

template <typename V>
HWY_INLINE V smaller(V a, V b) {
  return hn::Min(a, b);
}
template <typename V>
HWY_INLINE V larger(V a, V b) {
  return hn::Max(a, b);
}
template <typename V>
HWY_INLINE V negated(V a) {
  return hn::Neg(a);
}
template <typename V>
HWY_INLINE V magnitude(V a) {
  return hn::Abs(a);
}
template <typename V>
HWY_INLINE V square_root(V a) {
  return hn::Sqrt(a);
}
template <typename V>
HWY_INLINE auto above(V a, V b) {
  return hn::Gt(a, b);
}
template <typename V>
HWY_INLINE auto at_least(V a, V b) {
  return hn::Ge(a, b);
}
template <typename M>
HWY_INLINE M both(M a, M b) {
  return hn::And(a, b);
}
template <typename M>
HWY_INLINE M either(M a, M b) {
  return hn::Or(a, b);
}
// a and not b
template <typename M>
HWY_INLINE M without(M a, M b) {
  return hn::AndNot(b, a);
}
template <typename M, typename V>
HWY_INLINE V choose(M condition, V yes, V no) {
  return hn::IfThenElse(condition, yes, no);
}

// The same number in every lane of V.
template <typename V>
HWY_INLINE V number(double value) {
  if constexpr (std::is_same_v<V, double>) {
    return value;
  } else {
    return hn::Set(hn::DFromV<V>(), static_cast<hn::TFromV<V>>(value));
  }
}

// The largest finite number of the type of V's lanes.
template <typename V>
struct NumberOf {
  using type = hn::TFromV<V>;
};
template <>
struct NumberOf<double> {
  using type = double;
};
template <typename V>
inline constexpr double largest_of = std::numeric_limits<typename NumberOf<V>::type>::max();

template <typename V>
using MaskOf = decltype(above(V(), V()));

template <typename V>
HWY_INLINE V dot(const V* p, const V* q) {
  return (p[0] * q[0] + p[1] * q[1]) + p[2] * q[2];
}

template <typename V>
HWY_INLINE void cross(const V* p, const V* q, V* out) {
  out[0] = p[1] * q[2] - p[2] * q[1];
  out[1] = p[2] * q[0] - p[0] * q[2];
  out[2] = p[0] * q[1] - p[1] * q[0];
}

// s = 1 - t
template <typename V>
HWY_INLINE V mix(V x, V y, V t, V s) {
  return s * x + t * y;
}

}  // namespace HWY_NAMESPACE
}  // namespace toccata::impact
HWY_AFTER_NAMESPACE();
#endif
