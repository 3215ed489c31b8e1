// The search in time for the queries that the filters leave, on a number or on SIMD lanes: first the signs of
// the weights over the whole step, then the one root of the coplanarity cubic F, guessed by Newton's method
// and proven by signs. Nearly every query ends here; the rest goes to certified_search.
//
// Included once per Highway target (no #pragma once). Notation as in exact_impact.hpp.
//
// Beside it stands lane_search-inl.hpp, the search of candidates that share their vertices, and measurement
// keeps the two apart: with this one in place of that, the contacts of a step of the cloth-ball scene take
// 592 million instructions instead of 450 million. That one here would change the brackets, which are part of
// the answer.
//
// What is proven rests on polar values (de Casteljau) of F and of the weights alone, with the error bounds of
// filter_bounds.hpp; the guess needs no accuracy.
#include <hwy/highway.h>

#include "base/lane_ops-inl.hpp"
#include "impact/coplanarity-inl.hpp"
#include "impact/filter_bounds.hpp"
#include "impact/weights-inl.hpp"

#if defined(TOCCATA_IMPACT_ROOT_BRACKET_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TOCCATA_IMPACT_ROOT_BRACKET_INL
#undef TOCCATA_IMPACT_ROOT_BRACKET_INL
#else
#define TOCCATA_IMPACT_ROOT_BRACKET_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace toccata::impact {
namespace HWY_NAMESPACE {
using namespace lanes::HWY_NAMESPACE;

// What the search needs of a query.
template <typename V>
struct SearchTerms {
  // Bernstein coefficients of F, and the error of its polar values.
  V cubic[4];
  V cubic_error;
  Weights<V> weights;
};

template <bool edge_edge, typename V>
HWY_INLINE void make_terms(const RelativeMotion<V>& m, const Cubic<V>& f, const V* extent,
                           SearchTerms<V>& out) {
  const V three = number<V>(3.0);
  out.cubic[0] = f.c[0];
  out.cubic[1] = f.c[1] / three;
  out.cubic[2] = f.c[2] / three;
  out.cubic[3] = f.c[3];
  out.cubic_error = number<V>(cubic_polar_error) * ((extent[0] * extent[1]) * extent[2]);
  make_weights<edge_edge>(m, extent, out.weights);
}

// separated: no contact in [0, 1]. contact: the first one is in [lower, upper]. Neither: undecided.
template <typename V>
struct RootBracket {
  MaskOf<V> separated;
  MaskOf<V> contact;
  // No contact before `lower`.
  MaskOf<V> free_before;
  V lower, upper;
};

// Decides where F has opposite signs at the ends of the step and one simple root between.
template <bool edge_edge, typename V>
HWY_INLINE RootBracket<V> bracket_root(const SearchTerms<V>& terms) {
  const V* b = terms.cubic;
  const V e = terms.cubic_error;
  const V zero = number<V>(0.0), one = number<V>(1.0), three = number<V>(3.0), minus_e = negated(e);
  const V s = choose(above(b[0], zero), one, number<V>(-1.0));
  const V c[4] = {s * b[0], s * b[1], s * b[2], s * b[3]};

  // Newton's method in power form, from the secant of the ends. Only a guess: nothing rests on it.
  const V d0 = c[1] - c[0], d1 = c[2] - c[1], d2 = c[3] - c[2];
  const V k1 = three * d0, k2 = three * (d1 - d0), k3 = (d2 - d1) - (d1 - d0);
  const V k22 = k2 + k2, k33 = three * k3;
  V t = c[0] / (c[0] - c[3]);
  V slope = one;
  for (int step = 0; step < newton_steps; ++step) {
    const V f = ((k3 * t + k2) * t + k1) * t + c[0];
    slope = (k33 * t + k22) * t + k1;
    t = t - f / slope;
  }
  // Far enough from the root that the signs can be told (F moves by 2.5 e over that way; the rest is the
  // guess's own rounding), near enough for the bracket.
  const V far = number<V>(2.5) * e / magnitude(slope) + number<V>(0x1p-51);
  const V h = smaller(far, number<V>(0.49 * bracket_width));
  RootBracket<V> out;
  out.lower = t - h;
  out.upper = t + h;

  // De Casteljau's scheme at both: its left edge has the coefficients of F on [0, l], its right edge those on
  // [r, 1].
  const V l = out.lower, r = out.upper, sl = one - l, sr = one - r;
  const V lx = mix(c[0], c[1], l, sl), ly = mix(c[1], c[2], l, sl), lz = mix(c[2], c[3], l, sl);
  const V lxy = mix(lx, ly, l, sl), lyz = mix(ly, lz, l, sl), at_l = mix(lxy, lyz, l, sl);
  const V rx = mix(c[0], c[1], r, sr), ry = mix(c[1], c[2], r, sr), rz = mix(c[2], c[3], r, sr);
  const V rxy = mix(rx, ry, r, sr), ryz = mix(ry, rz, r, sr), at_r = mix(rxy, ryz, r, sr);

  // F > e on all of [0, l], so no root there; F < -e at r, so one in [l, r]; F < -e from r on, so no other.
  const auto in_step = both(above(l, zero), above(one, r));
  out.free_before = both(in_step, above(smaller(smaller(c[0], lx), smaller(lxy, at_l)), e));
  const auto bracketed = both(out.free_before, above(minus_e, at_r));
  const auto free_after = above(minus_e, larger(larger(c[3], rz), larger(ryz, at_r)));
  const Side<V> at = side_on<edge_edge>(terms.weights, l, r);
  out.separated = both(bracketed, both(free_after, at.outside));
  out.contact = both(bracketed, at.inside);
  return out;
}

}  // namespace HWY_NAMESPACE
}  // namespace toccata::impact
HWY_AFTER_NAMESPACE();
#endif
