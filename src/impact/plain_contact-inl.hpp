// Where and in which direction two features meet at a known time, in the ordinary case: coordinates of
// ordinary size, edges that are longer than rounding and not nearly parallel, the meeting point inside both
// features. On a number or on SIMD lanes. The other cases are describe_contact's.
//
// Included once per Highway target (no #pragma once).
#include <hwy/highway.h>

#include "base/lane_ops-inl.hpp"

#if defined(TOCCATA_IMPACT_PLAIN_CONTACT_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TOCCATA_IMPACT_PLAIN_CONTACT_INL
#undef TOCCATA_IMPACT_PLAIN_CONTACT_INL
#else
#define TOCCATA_IMPACT_PLAIN_CONTACT_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace toccata::impact {
namespace HWY_NAMESPACE {
using namespace lanes::HWY_NAMESPACE;

template <typename V>
struct PlainContact {
  MaskOf<V> valid;  // else the fields say nothing
  V weights[4], point[3], normal[3];
};

// x[12 * end + 3 * point + axis]
template <bool edge_edge, typename V, typename Source>
HWY_INLINE void plain_contact(const Source& x, V t, PlainContact<V>& out) {
  const V zero = number<V>(0.0), one = number<V>(1.0), s = one - t;
  V largest = zero, at[4][3], velocity[4][3];
  for (int i = 0; i < 12; ++i) {
    const V from = x[i], to = x[12 + i];
    largest = larger(largest, larger(magnitude(from), magnitude(to)));
    at[i / 3][i % 3] = s * from + t * to;
    velocity[i / 3][i % 3] = to - from;
  }

  // Two edges that span the plane of contact, and their normal.
  V e[3], f[3], n[3];
  for (int k = 0; k < 3; ++k) {
    e[k] = edge_edge ? at[1][k] - at[0][k] : at[2][k] - at[1][k];
    f[k] = edge_edge ? at[3][k] - at[2][k] : at[3][k] - at[1][k];
  }
  cross(e, f, n);
  // The edges are longer than the rounding of their ends and the weights good to about 1e-10; no product
  // below leaves the range of double. Descriptions only: no decision rests on these limits.
  const V ee = dot(e, e), ff = dot(f, f), nn = dot(n, n);
  const V shortest = number<V>(1e-5) * largest;
  auto valid = both(above(largest, number<V>(1e-60)), above(number<V>(1e60), largest));
  valid = both(valid, above(smaller(ee, ff), shortest * shortest));
  valid = both(valid, above(nn, number<V>(1e-10) * (ee * ff)));

  V* w = out.weights;
  V first[3], second[3];
  if constexpr (edge_edge) {
    V r[3];
    for (int k = 0; k < 3; ++k) r[k] = at[2][k] - at[0][k];
    cross(r, f, first);
    cross(r, e, second);
    // The points of both lines nearest to each other; at a contact they meet.
    const V share = one / nn;
    w[1] = dot(first, n) * share;
    w[3] = dot(second, n) * share;
    w[0] = one - w[1];
    w[2] = one - w[3];
    valid = both(valid, at_least(smaller(smaller(w[0], w[1]), smaller(w[2], w[3])), zero));
  } else {
    V a[3], b[3], c[3], third[3];
    for (int k = 0; k < 3; ++k) {
      a[k] = at[1][k] - at[0][k];
      b[k] = at[2][k] - at[0][k];
      c[k] = at[3][k] - at[0][k];
    }
    // Areas opposite the corners, seen along the normal: barycentric up to their sum.
    cross(b, c, first);
    cross(c, a, second);
    cross(a, b, third);
    const V w0 = dot(first, n), w1 = dot(second, n), w2 = dot(third, n);
    valid = both(valid, at_least(smaller(smaller(w0, w1), w2), zero));
    const V share = one / ((w0 + w1) + w2);
    w[0] = one;
    w[1] = w0 * share;
    w[2] = w1 * share;
    w[3] = w2 * share;
  }

  // The speed at which the second feature's point leaves the first's along the normal tells its side.
  V apart = zero;
  const V length = one / square_root(nn);
  for (int k = 0; k < 3; ++k) {
    V leaving = w[3] * velocity[3][k] + w[2] * velocity[2][k];
    if constexpr (edge_edge) {
      leaving = leaving - (w[1] * velocity[1][k] + w[0] * velocity[0][k]);
      out.point[k] = w[0] * at[0][k] + w[1] * at[1][k];
    } else {
      leaving = (leaving + w[1] * velocity[1][k]) - velocity[0][k];
      out.point[k] = at[0][k];
    }
    apart = apart + leaving * n[k];
  }
  const V sign = choose(above(apart, zero), negated(length), length);
  for (int k = 0; k < 3; ++k) out.normal[k] = sign * n[k];
  out.valid = valid;
}

}  // namespace HWY_NAMESPACE
}  // namespace toccata::impact
HWY_AFTER_NAMESPACE();
#endif
