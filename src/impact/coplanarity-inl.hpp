// The first two filters of vertex-face and edge-edge impact on any number type: double, or a SIMD vector
// with the same operators. The same operations in the same order give the same bits on every target.
//
// Included once a Highway target (no #pragma once). Notation as in exact_impact.hpp.
//
// Error bounds (u = 2^-53; derivation in docs/impact_bounds.md). x, y, z bound the magnitudes of all
// components of a, b, c at both ends on their axis. With c_i the homogeneous coefficients of F,
//   |computed c_0 - c_0|, |c_3 ...| <= 8 u 6 x y z,   |c_1 ...|, |c_2 ...| <= 10 u 18 x y z,
// provided that x, y, z are in (2^-300, 2^300), where neither overflow nor underflow matters.
#include <hwy/highway.h>

#if defined(TOCCATA_IMPACT_COPLANARITY_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TOCCATA_IMPACT_COPLANARITY_INL
#undef TOCCATA_IMPACT_COPLANARITY_INL
#else
#define TOCCATA_IMPACT_COPLANARITY_INL
#endif

#include <algorithm>
#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace toccata::impact_filter {
namespace HWY_NAMESPACE {

HWY_INLINE double smaller(double a, double b) {
  return a < b ? a : b;
}
HWY_INLINE double larger(double a, double b) {
  return a > b ? a : b;
}

HWY_INLINE double negated(double a) {
  return -a;
}

template <typename V>
HWY_INLINE V smaller(V a, V b) {
  return hwy::HWY_NAMESPACE::Min(a, b);
}
template <typename V>
HWY_INLINE V larger(V a, V b) {
  return hwy::HWY_NAMESPACE::Max(a, b);
}

template <typename V>
HWY_INLINE V negated(V a) {
  return hwy::HWY_NAMESPACE::Neg(a);
}

template <typename V>
struct RelativeMotion {
  V a0[3], a1[3], b0[3], b1[3], c0[3], c1[3];  // [axis]
};

// The range of the gaps between the two features on each axis over both ends, and the magnitudes.
template <typename V>
struct AxisRange {
  V low[3], high[3];  // every gap is in [low, high]; its sign is exact
  V magnitude[3];     // of all components of a, b, c
};

// x[12 * end + 3 * point + axis]
template <typename V>
HWY_INLINE void vertex_face_relative(const V* HWY_RESTRICT x, RelativeMotion<V>& m, AxisRange<V>& range) {
  for (int k = 0; k < 3; ++k) {
    m.a0[k] = x[3 + k] - x[k];
    m.b0[k] = x[6 + k] - x[k];
    m.c0[k] = x[9 + k] - x[k];
    m.a1[k] = x[15 + k] - x[12 + k];
    m.b1[k] = x[18 + k] - x[12 + k];
    m.c1[k] = x[21 + k] - x[12 + k];
    range.low[k] =
        smaller(smaller(smaller(m.a0[k], m.b0[k]), smaller(m.c0[k], m.a1[k])), smaller(m.b1[k], m.c1[k]));
    range.high[k] =
        larger(larger(larger(m.a0[k], m.b0[k]), larger(m.c0[k], m.a1[k])), larger(m.b1[k], m.c1[k]));
    range.magnitude[k] = larger(range.high[k], negated(range.low[k]));
  }
}

template <typename V>
HWY_INLINE void edge_edge_relative(const V* HWY_RESTRICT x, RelativeMotion<V>& m, AxisRange<V>& range) {
  for (int k = 0; k < 3; ++k) {
    m.a0[k] = x[3 + k] - x[k];
    m.b0[k] = x[6 + k] - x[k];
    m.c0[k] = x[9 + k] - x[k];
    m.a1[k] = x[15 + k] - x[12 + k];
    m.b1[k] = x[18 + k] - x[12 + k];
    m.c1[k] = x[21 + k] - x[12 + k];
    const V d0 = x[6 + k] - x[3 + k], e0 = x[9 + k] - x[3 + k];
    const V d1 = x[18 + k] - x[15 + k], e1 = x[21 + k] - x[15 + k];
    const V low = smaller(smaller(m.b0[k], m.c0[k]), smaller(m.b1[k], m.c1[k]));
    const V high = larger(larger(m.b0[k], m.c0[k]), larger(m.b1[k], m.c1[k]));
    range.low[k] = smaller(low, smaller(smaller(d0, e0), smaller(d1, e1)));
    range.high[k] = larger(high, larger(larger(d0, e0), larger(d1, e1)));
    const V a = larger(larger(m.a0[k], negated(m.a0[k])), larger(m.a1[k], negated(m.a1[k])));
    range.magnitude[k] = larger(a, larger(high, negated(low)));
  }
}

template <typename V>
struct Cubic {
  V c[4];  // F = sum c_i t^i (1-t)^(3-i)
};

template <typename V>
HWY_INLINE V dot(const V* p, const V* q) {
  return (p[0] * q[0] + p[1] * q[1]) + p[2] * q[2];
}

template <typename V>
HWY_INLINE Cubic<V> coplanarity(const RelativeMotion<V>& m) {
  V p0[3], p1[3], p2[3];
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    p0[k] = m.b0[i] * m.c0[j] - m.b0[j] * m.c0[i];
    p2[k] = m.b1[i] * m.c1[j] - m.b1[j] * m.c1[i];
    p1[k] = (m.b0[i] * m.c1[j] - m.b0[j] * m.c1[i]) + (m.b1[i] * m.c0[j] - m.b1[j] * m.c0[i]);
  }
  Cubic<V> f;
  f.c[0] = dot(m.a0, p0);
  f.c[1] = dot(m.a1, p0) + dot(m.a0, p1);
  f.c[2] = dot(m.a0, p2) + dot(m.a1, p1);
  f.c[3] = dot(m.a1, p2);
  return f;
}

}  // namespace HWY_NAMESPACE
}  // namespace toccata::impact_filter
HWY_AFTER_NAMESPACE();
#endif
