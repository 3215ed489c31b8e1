// Three coordinates in lanes. Products and sums are rounded one by one: the same bits on all instruction
// sets.
//
// Included once per Highway target (no #pragma once).
#include <hwy/highway.h>

#if defined(TOCCATA_FIELD_LANE_VECTOR_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TOCCATA_FIELD_LANE_VECTOR_INL
#undef TOCCATA_FIELD_LANE_VECTOR_INL
#else
#define TOCCATA_FIELD_LANE_VECTOR_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace toccata::field {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <typename V>
struct LaneVector {
  V x, y, z;
};

template <typename V>
HWY_INLINE V dot(const LaneVector<V>& a, const LaneVector<V>& b) {
  return hn::Add(hn::Add(hn::Mul(a.x, b.x), hn::Mul(a.y, b.y)), hn::Mul(a.z, b.z));
}
template <typename V>
HWY_INLINE LaneVector<V> minus(const LaneVector<V>& a, const LaneVector<V>& b) {
  return {hn::Sub(a.x, b.x), hn::Sub(a.y, b.y), hn::Sub(a.z, b.z)};
}
template <typename V>
HWY_INLINE LaneVector<V> times(const LaneVector<V>& a, V s) {
  return {hn::Mul(a.x, s), hn::Mul(a.y, s), hn::Mul(a.z, s)};
}
template <typename V>
HWY_INLINE LaneVector<V> cross(const LaneVector<V>& a, const LaneVector<V>& b) {
  return {hn::Sub(hn::Mul(a.y, b.z), hn::Mul(a.z, b.y)), hn::Sub(hn::Mul(a.z, b.x), hn::Mul(a.x, b.z)),
          hn::Sub(hn::Mul(a.x, b.y), hn::Mul(a.y, b.x))};
}
template <typename V>
HWY_INLINE V sum_of(const LaneVector<V>& a) {
  return hn::Add(hn::Add(hn::Abs(a.x), hn::Abs(a.y)), hn::Abs(a.z));
}
template <typename V, typename Mask>
HWY_INLINE LaneVector<V> choose(Mask mask, const LaneVector<V>& yes, const LaneVector<V>& no) {
  return {hn::IfThenElse(mask, yes.x, no.x), hn::IfThenElse(mask, yes.y, no.y),
          hn::IfThenElse(mask, yes.z, no.z)};
}

}  // namespace HWY_NAMESPACE
}  // namespace toccata::field
HWY_AFTER_NAMESPACE();
#endif
