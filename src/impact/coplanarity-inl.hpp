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

#include "impact/filter_bounds.hpp"
#include "impact/lane_ops-inl.hpp"

#if defined(TOCCATA_IMPACT_COPLANARITY_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TOCCATA_IMPACT_COPLANARITY_INL
#undef TOCCATA_IMPACT_COPLANARITY_INL
#else
#define TOCCATA_IMPACT_COPLANARITY_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace toccata::impact_filter {
namespace HWY_NAMESPACE {

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

// Where the coordinates of a query are: x[12 * end + 3 * point + axis].
struct OneQuery {
  const double* x;
  HWY_INLINE double operator[](int i) const { return x[i]; }
};

// The gaps of vertex-face are those of one vertex; edge-edge has four at each end.
template <bool edge_edge, typename V, typename Source>
HWY_INLINE void relative_motion(const Source& x, RelativeMotion<V>& m, AxisRange<V>& range) {
  for (int k = 0; k < 3; ++k) {
    const V x0 = x[k], x1 = x[3 + k], x2 = x[6 + k], x3 = x[9 + k];
    const V y0 = x[12 + k], y1 = x[15 + k], y2 = x[18 + k], y3 = x[21 + k];
    m.a0[k] = x1 - x0;
    m.b0[k] = x2 - x0;
    m.c0[k] = x3 - x0;
    m.a1[k] = y1 - y0;
    m.b1[k] = y2 - y0;
    m.c1[k] = y3 - y0;
    const V low = smaller(smaller(m.b0[k], m.c0[k]), smaller(m.b1[k], m.c1[k]));
    const V high = larger(larger(m.b0[k], m.c0[k]), larger(m.b1[k], m.c1[k]));
    if constexpr (edge_edge) {
      const V d0 = x2 - x1, e0 = x3 - x1, d1 = y2 - y1, e1 = y3 - y1;
      range.low[k] = smaller(low, smaller(smaller(d0, e0), smaller(d1, e1)));
      range.high[k] = larger(high, larger(larger(d0, e0), larger(d1, e1)));
      const V a = larger(magnitude(m.a0[k]), magnitude(m.a1[k]));
      range.magnitude[k] = larger(a, larger(high, negated(low)));
    } else {
      range.low[k] = smaller(low, smaller(m.a0[k], m.a1[k]));
      range.high[k] = larger(high, larger(m.a0[k], m.a1[k]));
      range.magnitude[k] = larger(range.high[k], negated(range.low[k]));
    }
  }
}

template <typename V>
struct Cubic {
  V c[4];  // F = sum c_i t^i (1-t)^(3-i)
};

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

template <typename V>
HWY_INLINE MaskOf<V> axis_separates(const AxisRange<V>& range) {
  const V* l = range.low;
  const V* h = range.high;
  const V zero = number<V>(0.0);
  return either(above(larger(larger(l[0], l[1]), l[2]), zero),
                above(zero, smaller(smaller(h[0], h[1]), h[2])));
}

template <typename V>
HWY_INLINE MaskOf<V> magnitudes_in_range(const V* r) {
  return both(above(smaller(smaller(r[0], r[1]), r[2]), number<V>(smallest_magnitude)),
              above(number<V>(largest_magnitude), larger(larger(r[0], r[1]), r[2])));
}

// Provided that the magnitudes are in range.
template <typename V>
HWY_INLINE MaskOf<V> keeps_one_sign(const Cubic<V>& f, const V* magnitude) {
  const V product = (magnitude[0] * magnitude[1]) * magnitude[2];
  const V ends = number<V>(cubic_end_error) * product, inner = number<V>(cubic_inner_error) * product;
  const auto positive = both(above(smaller(f.c[0], f.c[3]), ends), above(smaller(f.c[1], f.c[2]), inner));
  const auto negative =
      both(above(negated(ends), larger(f.c[0], f.c[3])), above(negated(inner), larger(f.c[1], f.c[2])));
  return either(positive, negative);
}

}  // namespace HWY_NAMESPACE
}  // namespace toccata::impact_filter
HWY_AFTER_NAMESPACE();
#endif
