// One vocabulary for a number and a SIMD vector of numbers, so that a kernel is written once and its lanes
// give the bits of the single call.
//
// Included once per Highway target (no #pragma once).
#include <hwy/highway.h>

#if defined(TOCCATA_BASE_LANE_OPS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TOCCATA_BASE_LANE_OPS_INL
#undef TOCCATA_BASE_LANE_OPS_INL
#else
#define TOCCATA_BASE_LANE_OPS_INL
#endif

#include <cmath>
#include <limits>
#include <type_traits>

HWY_BEFORE_NAMESPACE();
namespace toccata::lanes {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using LaneTag = hn::ScalableTag<double>;
using Lane = hn::Vec<LaneTag>;
using LaneMask = hn::Mask<LaneTag>;
inline constexpr std::size_t lane_count = hn::MaxLanes(LaneTag());

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
HWY_INLINE bool any(bool condition) {
  return condition;
}
HWY_INLINE double choose(bool condition, double yes, double no) {
  return condition ? yes : no;
}
HWY_INLINE double with_sign(double size, double sign) {
  return std::copysign(size, sign);
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
// In any lane, of as many as Lane has.
HWY_INLINE bool any(LaneMask condition) {
  return !hn::AllFalse(LaneTag(), condition);
}
template <typename M, typename V>
HWY_INLINE V choose(M condition, V yes, V no) {
  return hn::IfThenElse(condition, yes, no);
}
// size >= 0
template <typename V>
HWY_INLINE V with_sign(V size, V sign) {
  return hn::CopySignToAbs(size, sign);
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

// From and to as many neighbouring doubles as V has lanes.
template <typename V>
HWY_INLINE V load(const double* from) {
  if constexpr (std::is_same_v<V, double>) {
    return *from;
  } else {
    return hn::LoadU(hn::DFromV<V>(), from);
  }
}
template <typename V>
HWY_INLINE void store(V value, double* to) {
  if constexpr (std::is_same_v<V, double>) {
    *to = value;
  } else {
    hn::StoreU(value, hn::DFromV<V>(), to);
  }
}

#if HWY_TARGET == HWY_SCALAR
HWY_INLINE void load_two(const double* const* p, std::size_t offset, Lane& a, Lane& b) {
  a = hn::LoadU(LaneTag(), p[0] + offset);
  b = hn::LoadU(LaneTag(), p[0] + offset + 1);
}
#else
// Two neighbouring doubles of every other array from Start on, 128 bits each.
template <std::size_t Lanes, std::size_t Start>
HWY_INLINE auto load_every_other(const double* const* p, std::size_t offset) {
  const hn::FixedTag<double, Lanes> d;
  if constexpr (Lanes == 2) {
    return hn::LoadU(d, p[Start] + offset);
  } else {
    return hn::Combine(d, load_every_other<Lanes / 2, Start + Lanes / 2>(p, offset),
                       load_every_other<Lanes / 2, Start>(p, offset));
  }
}

// a = doubles `offset` and b = `offset + 1` of all arrays, one per lane.
HWY_INLINE void load_two(const double* const* p, std::size_t offset, Lane& a, Lane& b) {
  const LaneTag d;
  const auto even = load_every_other<lane_count, 0>(p, offset);
  const auto odd = load_every_other<lane_count, 1>(p, offset);
  a = hn::InterleaveLower(d, even, odd);
  b = hn::InterleaveUpper(d, even, odd);
}
#endif
HWY_INLINE void load_two(const double* const* p, std::size_t offset, double& a, double& b) {
  a = p[0][offset];
  b = p[0][offset + 1];
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
}  // namespace toccata::lanes
HWY_AFTER_NAMESPACE();
#endif
