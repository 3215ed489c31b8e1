// Pairs of placed shapes in lanes, one pair in each: their poses from wherever they lie, and their contacts
// to wherever these go.
//
// Included once per Highway target (no #pragma once).
#include <hwy/highway.h>

#include "base/lane_ops-inl.hpp"

#if defined(TOCCATA_PROXIMITY_PAIR_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TOCCATA_PROXIMITY_PAIR_LANES_INL
#undef TOCCATA_PROXIMITY_PAIR_LANES_INL
#else
#define TOCCATA_PROXIMITY_PAIR_LANES_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace toccata::proximity {
namespace HWY_NAMESPACE {
using namespace lanes::HWY_NAMESPACE;

template <typename V>
struct LanePose {
  V r[3][3];  // columns
  V t[3];
};

// Four neighbouring doubles of all arrays, one array per lane.
#if HWY_TARGET == HWY_AVX3
HWY_INLINE void load_four(const double* const* p, std::size_t offset, Lane& a, Lane& b, Lane& c, Lane& d) {
  const LaneTag tag;
  const hn::FixedTag<double, 4> half;
  Lane rows[4];  // of lanes 0 and 2, 1 and 3, 4 and 6, 5 and 7
  for (std::size_t k = 0; k < 4; ++k) {
    const std::size_t i = k < 2 ? k : k + 2;
    rows[k] = hn::Combine(tag, hn::LoadU(half, p[i + 2] + offset), hn::LoadU(half, p[i] + offset));
  }
  const Lane even = hn::InterleaveLower(tag, rows[0], rows[1]),
             even_after = hn::InterleaveLower(tag, rows[2], rows[3]);
  const Lane odd = hn::InterleaveUpper(tag, rows[0], rows[1]),
             odd_after = hn::InterleaveUpper(tag, rows[2], rows[3]);
  a = Lane{_mm512_shuffle_f64x2(even.raw, even_after.raw, _MM_SHUFFLE(2, 0, 2, 0))};
  b = Lane{_mm512_shuffle_f64x2(odd.raw, odd_after.raw, _MM_SHUFFLE(2, 0, 2, 0))};
  c = Lane{_mm512_shuffle_f64x2(even.raw, even_after.raw, _MM_SHUFFLE(3, 1, 3, 1))};
  d = Lane{_mm512_shuffle_f64x2(odd.raw, odd_after.raw, _MM_SHUFFLE(3, 1, 3, 1))};
}
#else
HWY_INLINE void load_four(const double* const* p, std::size_t offset, Lane& a, Lane& b, Lane& c, Lane& d) {
  load_two(p, offset, a, b);
  load_two(p, offset + 2, c, d);
}
#endif
HWY_INLINE void load_four(const double* const* p, std::size_t offset, double& a, double& b, double& c,
                          double& d) {
  load_two(p, offset, a, b);
  load_two(p, offset + 2, c, d);
}

// As load_two, the other way round: a to the doubles `offset` and b to `offset + 1` of all arrays.
#if HWY_TARGET == HWY_SCALAR
HWY_INLINE void store_two(Lane a, Lane b, double* const* p, std::size_t offset) {
  hn::StoreU(a, LaneTag(), p[0] + offset);
  hn::StoreU(b, LaneTag(), p[0] + offset + 1);
}
#else
// Two neighbouring doubles to every other array from Start on, 128 bits each.
template <std::size_t Lanes, std::size_t Start, typename V>
HWY_INLINE void store_every_other(V v, double* const* p, std::size_t offset) {
  const hn::FixedTag<double, Lanes> d;
  if constexpr (Lanes == 2) {
    hn::StoreU(v, d, p[Start] + offset);
  } else {
    store_every_other<Lanes / 2, Start>(hn::LowerHalf(v), p, offset);
    store_every_other<Lanes / 2, Start + Lanes / 2>(hn::UpperHalf(hn::Half<decltype(d)>(), v), p, offset);
  }
}

HWY_INLINE void store_two(Lane a, Lane b, double* const* p, std::size_t offset) {
  const LaneTag d;
  store_every_other<lane_count, 0>(hn::InterleaveLower(d, a, b), p, offset);
  store_every_other<lane_count, 1>(hn::InterleaveUpper(d, a, b), p, offset);
}
#endif
HWY_INLINE void store_two(double a, double b, double* const* p, std::size_t offset) {
  p[0][offset] = a;
  p[0][offset + 1] = b;
}

#if HWY_TARGET == HWY_AVX3
HWY_INLINE void store_halves(__m512d rows, double* first, double* second) {
  const hn::FixedTag<double, 4> half;
  hn::StoreU(hn::LowerHalf(Lane{rows}), half, first);
  hn::StoreU(hn::UpperHalf(half, Lane{rows}), half, second);
}

HWY_INLINE void store_four(Lane a, Lane b, Lane c, Lane d, double* const* p, std::size_t offset) {
  const LaneTag tag;
  const __m512i first_two = _mm512_set_epi64(11, 10, 3, 2, 9, 8, 1, 0);
  const __m512i last_two = _mm512_set_epi64(15, 14, 7, 6, 13, 12, 5, 4);
  const __m512d even = hn::InterleaveLower(tag, a, b).raw, even_after = hn::InterleaveLower(tag, c, d).raw;
  const __m512d odd = hn::InterleaveUpper(tag, a, b).raw, odd_after = hn::InterleaveUpper(tag, c, d).raw;
  store_halves(_mm512_permutex2var_pd(even, first_two, even_after), p[0] + offset, p[2] + offset);
  store_halves(_mm512_permutex2var_pd(odd, first_two, odd_after), p[1] + offset, p[3] + offset);
  store_halves(_mm512_permutex2var_pd(even, last_two, even_after), p[4] + offset, p[6] + offset);
  store_halves(_mm512_permutex2var_pd(odd, last_two, odd_after), p[5] + offset, p[7] + offset);
}
#else
HWY_INLINE void store_four(Lane a, Lane b, Lane c, Lane d, double* const* p, std::size_t offset) {
  store_two(a, b, p, offset);
  store_two(c, d, p, offset + 2);
}
#endif
HWY_INLINE void store_four(double a, double b, double c, double d, double* const* p, std::size_t offset) {
  store_two(a, b, p, offset);
  store_two(c, d, p, offset + 2);
}

template <typename V>
HWY_INLINE LanePose<V> load_pose(const double* const* from) {
  LanePose<V> pose;
  load_four(from, 0, pose.r[0][0], pose.r[0][1], pose.r[0][2], pose.r[1][0]);
  load_four(from, 4, pose.r[1][1], pose.r[1][2], pose.r[2][0], pose.r[2][1]);
  load_four(from, 8, pose.r[2][2], pose.t[0], pose.t[1], pose.t[2]);
  return pose;
}

template <typename V>
HWY_INLINE void store_contact(const V* point_a, const V* point_b, const V* normal, V distance,
                              double* const* to) {
  store_four(point_a[0], point_a[1], point_a[2], point_b[0], to, 0);
  store_four(point_b[1], point_b[2], normal[0], normal[1], to, 4);
  store_two(normal[2], distance, to, 8);
}

// The upper and the lower distance, and the contact after them.
template <typename V>
HWY_INLINE void store_distance(V lower, const V* point_a, const V* point_b, const V* normal, V upper,
                               double* const* to) {
  store_four(upper, lower, point_a[0], point_a[1], to, 0);
  store_four(point_a[2], point_b[0], point_b[1], point_b[2], to, 4);
  store_four(normal[0], normal[1], normal[2], upper, to, 8);
}

}  // namespace HWY_NAMESPACE
}  // namespace toccata::proximity
HWY_AFTER_NAMESPACE();
#endif
