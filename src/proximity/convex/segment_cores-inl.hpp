// The distance of two segments, one pair per lane: balls and capsules in all combinations. A point is a
// segment of length zero. As box_cores-inl.hpp: a number and a vector of numbers give the same bits.
//
// Included once per Highway target (no #pragma once).
#include <hwy/highway.h>

#include "base/lane_ops-inl.hpp"
#include "toccata/base/rounding.hpp"

#if defined(TOCCATA_PROXIMITY_SEGMENT_CORES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TOCCATA_PROXIMITY_SEGMENT_CORES_INL
#undef TOCCATA_PROXIMITY_SEGMENT_CORES_INL
#else
#define TOCCATA_PROXIMITY_SEGMENT_CORES_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace toccata::convex {
namespace HWY_NAMESPACE {
using namespace lanes::HWY_NAMESPACE;

template <typename V>
struct SegmentCores {
  V p[3], p_end[3];  // a's ends, all in b's coordinates
  V q[3], q_end[3];  // b's
  V height_error, point_error;
  // Found: the shares of the nearest points, from the first ends on, and the points.
  V share_a, share_b;
  V y[3], x[3];
};

template <typename V>
struct SegmentBracket {
  MaskOf<V> is_proven;  // nothing else holds without
  V lower, upper;
  V n[3];  // unit, from a to b
};

template <typename V>
HWY_INLINE V into_unit(V share) {
  return smaller(larger(share, number<V>(0.0)), number<V>(1.0));
}

template <typename V>
HWY_INLINE V inverse_of(V x) {
  return choose(above(x, number<V>(0.0)), number<V>(1.0) / x, number<V>(0.0));
}

// Not proven: cores that meet, or nearly.
template <typename V>
HWY_INLINE SegmentBracket<V> nearest_of_segments(SegmentCores<V>& pair) {
  V u[3], v[3], r[3];
  for (int k = 0; k < 3; ++k) {
    u[k] = pair.p_end[k] - pair.p[k];
    v[k] = pair.q_end[k] - pair.q[k];
    r[k] = pair.p[k] - pair.q[k];
  }
  const V uu = dot(u, u), vv = dot(v, v), uv = dot(u, v), ur = dot(u, r), vr = dot(v, r);
  // The nearest points of the lines, then one share after the other brought into its segment. The three
  // divisions do not wait for each other.
  const V by_both = inverse_of(uu * vv - uv * uv), by_u = inverse_of(uu), by_v = inverse_of(vv);
  const V first = into_unit((uv * vr - ur * vv) * by_both);
  pair.share_b = into_unit((uv * first + vr) * by_v);
  pair.share_a = into_unit((uv * pair.share_b - ur) * by_u);
  V between[3];
  for (int k = 0; k < 3; ++k) {
    pair.y[k] = pair.p[k] + pair.share_a * u[k];
    pair.x[k] = pair.q[k] + pair.share_b * v[k];
    between[k] = pair.x[k] - pair.y[k];
  }
  SegmentBracket<V> result;
  const V length = square_root(dot(between, between));
  const V inverse = number<V>(1.0) / length;
  for (int k = 0; k < 3; ++k) result.n[k] = between[k] * inverse;
  const V zero = number<V>(0.0);
  // From the ends: n . q - n . p and what the segments add or take.
  result.lower = ((smaller(dot(result.n, v), zero) - dot(result.n, r)) - larger(dot(result.n, u), zero)) -
                 pair.height_error;
  result.upper = length * number<V>(1.0 + 4.0 * unit_roundoff) + pair.point_error;
  const V floor = number<V>(2.0) * (pair.height_error + pair.point_error);
  result.is_proven = both(above(result.lower, zero), at_least(floor, result.upper - result.lower));
  return result;
}

// Bit 0: a's point is not its first end, bit 1: it is the other one; 2 and 3 of b.
template <typename V>
HWY_INLINE V features_of(const SegmentCores<V>& pair) {
  const V zero = number<V>(0.0), one = number<V>(1.0);
  const V a = choose(above(pair.share_a, zero), one, zero) +
              choose(at_least(pair.share_a, one), number<V>(2.0), zero);
  const V b = choose(above(pair.share_b, zero), number<V>(4.0), zero) +
              choose(at_least(pair.share_b, one), number<V>(8.0), zero);
  return a + b;
}

}  // namespace HWY_NAMESPACE
}  // namespace toccata::convex
HWY_AFTER_NAMESPACE();
#endif
