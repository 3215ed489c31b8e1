// The weights of the features' vertices where F = 0, and what their signs prove (docs/notes/impact_bounds.md,
// notation and weights). On a number or on SIMD lanes.
//
// Included once per Highway target (no #pragma once). Notation as in exact_impact.hpp.
#include <hwy/highway.h>

#include "base/lane_ops-inl.hpp"
#include "impact/coplanarity-inl.hpp"
#include "impact/filter_bounds.hpp"

#if defined(TOCCATA_IMPACT_WEIGHTS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TOCCATA_IMPACT_WEIGHTS_INL
#undef TOCCATA_IMPACT_WEIGHTS_INL
#else
#define TOCCATA_IMPACT_WEIGHTS_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace toccata::impact {
namespace HWY_NAMESPACE {
using namespace lanes::HWY_NAMESPACE;

// Where F = 0 the features touch if all weights have one sign or vanish, and are apart if two have opposite
// signs: of the three vertices of the face; of the ends of both edges.
template <typename V>
struct Weights {
  // Bernstein coefficients over the step.
  V q[4][3];
  // Of their polar values.
  V error[4];
};

template <bool edge_edge>
constexpr int weight_count = edge_edge ? 4 : 3;

// How far polar values of the weights may be off on a plane where the components of a, b, c are at most x and
// y: one weight, and the sum of three.
struct WeightErrors {
  template <typename V>
  HWY_INLINE V of_one(V x, V y) const {
    return number<V>(quadratic_polar_error) * (x * y);
  }
  template <typename V>
  HWY_INLINE V of_sum(V x, V y) const {
    return number<V>(quadratic_sum_polar_error) * (x * y);
  }
};

// On the coordinate plane on which the normal is largest at mid-time: there they are best conditioned.
template <bool edge_edge, typename V, typename Errors = WeightErrors>
HWY_INLINE void make_weights(const RelativeMotion<V>& m, const V* extent, Weights<V>& w,
                             const Errors& errors = {}) {
  V e[3], f[3], n[3];
  for (int k = 0; k < 3; ++k) {
    const V a = m.a0[k] + m.a1[k], b = m.b0[k] + m.b1[k], c = m.c0[k] + m.c1[k];
    e[k] = edge_edge ? a : b - a;
    f[k] = edge_edge ? c - b : c - a;
  }
  cross(e, f, n);
  for (V& component : n) component = magnitude(component);
  const auto second = above(n[1], n[0]);
  const auto third = above(n[2], choose(second, n[1], n[0]));
  const auto at_i = [&](const V* v) { return choose(third, v[0], choose(second, v[2], v[1])); };
  const auto at_j = [&](const V* v) { return choose(third, v[1], choose(second, v[0], v[2])); };
  const V ai0 = at_i(m.a0), aj0 = at_j(m.a0), ai1 = at_i(m.a1), aj1 = at_j(m.a1);
  const V bi0 = at_i(m.b0), bj0 = at_j(m.b0), bi1 = at_i(m.b1), bj1 = at_j(m.b1);
  const V ci0 = at_i(m.c0), cj0 = at_j(m.c0), ci1 = at_i(m.c1), cj1 = at_j(m.c1);
  const V half = number<V>(0.5);
  const auto quadratic = [&](V ui0, V uj0, V ui1, V uj1, V vi0, V vj0, V vi1, V vj1, V* q) {
    q[0] = ui0 * vj0 - uj0 * vi0;
    q[1] = half * ((ui0 * vj1 - uj0 * vi1) + (ui1 * vj0 - uj1 * vi0));
    q[2] = ui1 * vj1 - uj1 * vi1;
  };
  quadratic(bi0, bj0, bi1, bj1, ci0, cj0, ci1, cj1, w.q[0]);
  if constexpr (edge_edge) {  // the opposite signs, by the order of the factors
    quadratic(ai0, aj0, ai1, aj1, ci0, cj0, ci1, cj1, w.q[1]);
    quadratic(bi0, bj0, bi1, bj1, ai0, aj0, ai1, aj1, w.q[2]);
  } else {
    quadratic(ci0, cj0, ci1, cj1, ai0, aj0, ai1, aj1, w.q[1]);
    quadratic(ai0, aj0, ai1, aj1, bi0, bj0, bi1, bj1, w.q[2]);
  }
  const V extent_i = at_i(extent), extent_j = at_j(extent);
  w.error[0] = w.error[1] = w.error[2] = errors.of_one(extent_i, extent_j);
  if constexpr (edge_edge) {
    for (int k = 0; k < 3; ++k) w.q[3][k] = (w.q[1][k] + w.q[2][k]) - w.q[0][k];
    w.error[3] = errors.of_sum(extent_i, extent_j);
  }
}

// Which lanes are proven apart, or proven to touch, wherever F = 0.
template <typename V>
struct Side {
  MaskOf<V> outside, inside;
};

// Two weights of opposite signs: apart. All of one sign, none of them within its error: they touch.
// p[n][i]: the coefficients of weight n on the interval in question.
template <bool edge_edge, typename V>
HWY_INLINE Side<V> side(const V (*p)[3], const V* error) {
  const auto up = [&](int n) { return above(smaller(smaller(p[n][0], p[n][1]), p[n][2]), error[n]); };
  const auto down = [&](int n) {
    return above(negated(error[n]), larger(larger(p[n][0], p[n][1]), p[n][2]));
  };
  MaskOf<V> positive = up(0), negative = down(0), known = either(positive, negative);
  for (int n = 1; n < weight_count<edge_edge>; ++n) {
    const MaskOf<V> u = up(n), d = down(n);
    positive = either(positive, u);
    negative = either(negative, d);
    known = both(known, either(u, d));
  }
  const MaskOf<V> outside = both(positive, negative);
  return {outside, without(known, outside)};
}

// The same on [l, r], by the polar values there.
template <bool edge_edge, typename V>
HWY_INLINE Side<V> side_on(const Weights<V>& w, V l, V r) {
  const V one = number<V>(1.0), sl = one - l, sr = one - r;
  V p[4][3];
  for (int n = 0; n < weight_count<edge_edge>; ++n) {
    const V* q = w.q[n];
    const V l0 = mix(q[0], q[1], l, sl), l1 = mix(q[1], q[2], l, sl);
    const V r0 = mix(q[0], q[1], r, sr), r1 = mix(q[1], q[2], r, sr);
    p[n][0] = mix(l0, l1, l, sl);
    p[n][1] = mix(l0, l1, r, sr);
    p[n][2] = mix(r0, r1, r, sr);
  }
  return side<edge_edge>(p, w.error);
}

}  // namespace HWY_NAMESPACE
}  // namespace toccata::impact
HWY_AFTER_NAMESPACE();
#endif
