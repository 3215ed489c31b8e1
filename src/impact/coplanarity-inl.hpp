// The first two filters of vertex-face and edge-edge impact on any number type: double, or a SIMD vector
// with the same operators. The same operations in the same order give the same bits on every target.
//
// Included once per Highway target (no #pragma once). Notation as in exact_impact.hpp.
//
// Error bounds (u = 2^-53; derivation in docs/notes/impact_bounds.md). x, y, z bound the magnitudes of all
// components of a, b, c at both ends on their axis. With c_i the homogeneous coefficients of F,
//   |computed c_0 - c_0|, |c_3 ...| <= 8 u 6 x y z,   |c_1 ...|, |c_2 ...| <= 10 u 18 x y z,
// provided that x, y, z are in (2^-300, 2^300), where neither overflow nor underflow matters.
#include <hwy/highway.h>

#include "base/lane_ops-inl.hpp"
#include "impact/filter_bounds.hpp"

#if defined(TOCCATA_IMPACT_COPLANARITY_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TOCCATA_IMPACT_COPLANARITY_INL
#undef TOCCATA_IMPACT_COPLANARITY_INL
#else
#define TOCCATA_IMPACT_COPLANARITY_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace toccata::impact {
namespace HWY_NAMESPACE {
using namespace lanes::HWY_NAMESPACE;

template <typename V>
struct RelativeMotion {
  V a0[3], a1[3], b0[3], b1[3], c0[3], c1[3];  // [axis]
};

// On each axis over both ends.
template <typename V>
struct AxisRange {
  // Every gap between the two features is in [low, high]; the sign of a difference is exact.
  V low[3], high[3];
  // Of all components of a, b, c.
  V magnitude[3];
};

// Where the coordinates of a query are: x[12 * end + 3 * point + axis].
struct OneQuery {
  const double* x;
  HWY_INLINE double operator[](int i) const { return x[i]; }
};

// One end of the motion on one axis: a, b, c and, of two edges, the other two gaps.
template <typename V>
struct Differences {
  V a, b, c, d, e;
};

template <bool edge_edge, typename V>
HWY_INLINE Differences<V> differences(V x0, V x1, V x2, V x3) {
  Differences<V> out;
  out.a = x1 - x0;
  out.b = x2 - x0;
  out.c = x3 - x0;
  if constexpr (edge_edge) {
    out.d = x2 - x1;
    out.e = x3 - x1;
  }
  return out;
}

// The gaps of vertex-face are those of one vertex; edge-edge has four at each end.
template <bool edge_edge, typename V>
HWY_INLINE void range_on_axis(const Differences<V>& first, const Differences<V>& last, int k,
                              AxisRange<V>& range) {
  const V low = smaller(smaller(first.b, first.c), smaller(last.b, last.c));
  const V high = larger(larger(first.b, first.c), larger(last.b, last.c));
  if constexpr (edge_edge) {
    range.low[k] = smaller(low, smaller(smaller(first.d, first.e), smaller(last.d, last.e)));
    range.high[k] = larger(high, larger(larger(first.d, first.e), larger(last.d, last.e)));
    const V a = larger(magnitude(first.a), magnitude(last.a));
    range.magnitude[k] = larger(a, larger(high, negated(low)));
  } else {
    range.low[k] = smaller(low, smaller(first.a, last.a));
    range.high[k] = larger(high, larger(first.a, last.a));
    range.magnitude[k] = larger(range.high[k], negated(range.low[k]));
  }
}

template <typename V>
HWY_INLINE void set_axis(const Differences<V>& first, const Differences<V>& last, int k,
                         RelativeMotion<V>& m) {
  m.a0[k] = first.a;
  m.b0[k] = first.b;
  m.c0[k] = first.c;
  m.a1[k] = last.a;
  m.b1[k] = last.b;
  m.c1[k] = last.c;
}

template <bool edge_edge, typename V, typename Source>
HWY_INLINE void relative_motion(const Source& x, RelativeMotion<V>& m, AxisRange<V>& range) {
  for (int k = 0; k < 3; ++k) {
    const Differences<V> first = differences<edge_edge, V>(x[k], x[3 + k], x[6 + k], x[9 + k]);
    const Differences<V> last = differences<edge_edge, V>(x[12 + k], x[15 + k], x[18 + k], x[21 + k]);
    set_axis(first, last, k, m);
    range_on_axis<edge_edge>(first, last, k, range);
  }
}

// F = sum c_i t^i (1-t)^(3-i)
template <typename V>
struct Cubic {
  V c[4];
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

// Where this holds all coordinates are finite: every difference at t = 0 is in a product of c_0, every one at
// t = 1 in one of c_3, and one that is infinite or NaN makes them so. (Products that overflow do, too: then
// the coordinates must be looked at.) Minima and maxima lose a NaN: axes and weights alone would not notice.
template <typename V>
HWY_INLINE MaskOf<V> ends_are_finite(const Cubic<V>& f) {
  const V sum = magnitude(f.c[0]) + magnitude(f.c[3]);
  return at_least(number<V>(largest_of<V>), sum);
}

template <typename V>
HWY_INLINE MaskOf<V> axis_separates(const AxisRange<V>& range) {
  const V* l = range.low;
  const V* h = range.high;
  const V zero = number<V>(0.0);
  return either(above(larger(larger(l[0], l[1]), l[2]), zero),
                above(zero, smaller(smaller(h[0], h[1]), h[2])));
}

// Whether every magnitude is strictly between the limits.
template <typename V>
HWY_INLINE MaskOf<V> magnitudes_between(const V* r, double smallest, double largest) {
  return both(above(smaller(smaller(r[0], r[1]), r[2]), number<V>(smallest)),
              above(number<V>(largest), larger(larger(r[0], r[1]), r[2])));
}

template <typename V>
HWY_INLINE MaskOf<V> magnitudes_in_range(const V* r) {
  return magnitudes_between(r, smallest_magnitude, largest_magnitude);
}

// Whether all coefficients are beyond their errors on one side, as multiples of the product of magnitudes.
template <typename V>
HWY_INLINE MaskOf<V> signs_agree(const Cubic<V>& f, const V* magnitude, double end_error,
                                 double inner_error) {
  const V product = (magnitude[0] * magnitude[1]) * magnitude[2];
  const V ends = number<V>(end_error) * product, inner = number<V>(inner_error) * product;
  const auto positive = both(above(smaller(f.c[0], f.c[3]), ends), above(smaller(f.c[1], f.c[2]), inner));
  const auto negative =
      both(above(negated(ends), larger(f.c[0], f.c[3])), above(negated(inner), larger(f.c[1], f.c[2])));
  return either(positive, negative);
}

// Provided that the magnitudes are in range.
template <typename V>
HWY_INLINE MaskOf<V> keeps_one_sign(const Cubic<V>& f, const V* magnitude) {
  return signs_agree(f, magnitude, cubic_end_error, cubic_inner_error);
}

}  // namespace HWY_NAMESPACE
}  // namespace toccata::impact
HWY_AFTER_NAMESPACE();
#endif
