// The usual course of certified_search in SIMD lanes: clip, look at the weights, clip again. A lane performs
// the operations of the scalar search in the same order, so what it decides is the same to the bit; a lane
// that would have to split, or whose start is uncertain, is left to the scalar search.
//
// Included once a Highway target (no #pragma once). Notation as in exact_impact.hpp.
#include <hwy/highway.h>

#include "impact/coplanarity-inl.hpp"
#include "impact/filter_bounds.hpp"

#if defined(TOCCATA_IMPACT_LANE_SEARCH_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TOCCATA_IMPACT_LANE_SEARCH_INL
#undef TOCCATA_IMPACT_LANE_SEARCH_INL
#else
#define TOCCATA_IMPACT_LANE_SEARCH_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace toccata::impact_filter {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using LaneTag = hn::ScalableTag<double>;
using Lane = hn::Vec<LaneTag>;
using LaneMask = hn::Mask<LaneTag>;

HWY_INLINE Lane lane(double value) {
  return hn::Set(LaneTag(), value);
}

HWY_INLINE Lane mix(Lane x, Lane y, Lane t, Lane s) {  // s = 1 - t
  return s * x + t * y;
}

HWY_INLINE LaneMask all_above(const Lane* p, int count, Lane e) {
  LaneMask m = hn::Gt(p[0], e);
  for (int i = 1; i < count; ++i) m = hn::And(m, hn::Gt(p[i], e));
  return m;
}

HWY_INLINE LaneMask all_below(const Lane* p, int count, Lane minus_e) {
  LaneMask m = hn::Lt(p[0], minus_e);
  for (int i = 1; i < count; ++i) m = hn::And(m, hn::Lt(p[i], minus_e));
  return m;
}

// Bernstein coefficients of the cubic on [l, r].
HWY_INLINE void cubic_polars(const Lane* b, Lane l, Lane r, Lane* p) {
  const Lane one = lane(1.0), sl = one - l, sr = one - r;
  const Lane x0 = mix(b[0], b[1], l, sl), x1 = mix(b[1], b[2], l, sl), x2 = mix(b[2], b[3], l, sl);
  const Lane y0 = mix(b[0], b[1], r, sr), y1 = mix(b[1], b[2], r, sr), y2 = mix(b[2], b[3], r, sr);
  const Lane ll0 = mix(x0, x1, l, sl), ll1 = mix(x1, x2, l, sl);
  const Lane lr0 = mix(x0, x1, r, sr), lr1 = mix(x1, x2, r, sr);
  const Lane rr0 = mix(y0, y1, r, sr), rr1 = mix(y1, y2, r, sr);
  p[0] = mix(ll0, ll1, l, sl);
  p[1] = mix(ll0, ll1, r, sr);
  p[2] = mix(lr0, lr1, r, sr);
  p[3] = mix(rr0, rr1, r, sr);
}

HWY_INLINE Lane first_zero(const Lane* q) {
  const Lane zero = hn::Zero(LaneTag()), one = lane(1.0), third = lane(1.0 / 3.0);
  Lane first = one;
  for (int i = 0; i < 3; ++i) {
    const LaneMask above = hn::Gt(q[i], zero);
    for (int j = i + 1; j < 4; ++j) {
      const Lane t = (lane(i) + lane(j - i) * (q[i] / (q[i] - q[j]))) * third;
      const LaneMask counts = hn::And(hn::AndNot(hn::Gt(q[j], zero), above), hn::Lt(t, first));
      first = hn::IfThenElse(counts, t, first);
    }
  }
  return first - lane(0x1p-50);
}

struct LaneWeights {
  Lane q[4][3];
  Lane error[4];
};

template <bool edge_edge>
HWY_INLINE LaneWeights lane_weights(const RelativeMotion<Lane>& m, const Lane* magnitude) {
  Lane e[3], f[3], n[3];
  for (int k = 0; k < 3; ++k) {
    const Lane a = m.a0[k] + m.a1[k], b = m.b0[k] + m.b1[k], c = m.c0[k] + m.c1[k];
    e[k] = edge_edge ? a : b - a;
    f[k] = edge_edge ? c - b : c - a;
  }
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    n[k] = hn::Abs(e[i] * f[j] - e[j] * f[i]);
  }
  // The plane with the largest normal component; i and j are its axes.
  const LaneMask second = hn::Gt(n[1], n[0]);
  const LaneMask third = hn::Gt(n[2], hn::IfThenElse(second, n[1], n[0]));
  const auto at_i = [&](const Lane* v) {
    return hn::IfThenElse(third, v[0], hn::IfThenElse(second, v[2], v[1]));
  };
  const auto at_j = [&](const Lane* v) {
    return hn::IfThenElse(third, v[1], hn::IfThenElse(second, v[0], v[2]));
  };
  const Lane ai0 = at_i(m.a0), aj0 = at_j(m.a0), ai1 = at_i(m.a1), aj1 = at_j(m.a1);
  const Lane bi0 = at_i(m.b0), bj0 = at_j(m.b0), bi1 = at_i(m.b1), bj1 = at_j(m.b1);
  const Lane ci0 = at_i(m.c0), cj0 = at_j(m.c0), ci1 = at_i(m.c1), cj1 = at_j(m.c1);
  LaneWeights w;
  const auto quadratic = [&](Lane ui0, Lane uj0, Lane ui1, Lane uj1, Lane vi0, Lane vj0, Lane vi1, Lane vj1,
                             double sign, Lane* q) {
    q[0] = lane(sign) * (ui0 * vj0 - uj0 * vi0);
    q[1] = lane(sign * 0.5) * ((ui0 * vj1 - uj0 * vi1) + (ui1 * vj0 - uj1 * vi0));
    q[2] = lane(sign) * (ui1 * vj1 - uj1 * vi1);
  };
  const double sign = edge_edge ? -1.0 : 1.0;
  quadratic(bi0, bj0, bi1, bj1, ci0, cj0, ci1, cj1, 1.0, w.q[0]);
  quadratic(ci0, cj0, ci1, cj1, ai0, aj0, ai1, aj1, sign, w.q[1]);
  quadratic(ai0, aj0, ai1, aj1, bi0, bj0, bi1, bj1, sign, w.q[2]);
  const Lane area = at_i(magnitude) * at_j(magnitude);
  w.error[0] = w.error[1] = w.error[2] = lane(quadratic_polar_error) * area;
  if constexpr (edge_edge) {
    for (int k = 0; k < 3; ++k) w.q[3][k] = (w.q[1][k] + w.q[2][k]) - w.q[0][k];
    w.error[3] = lane(quadratic_sum_polar_error) * area;
  }
  return w;
}

// Which lanes the weights prove free, or proven to touch wherever F = 0, on [l, r].
template <bool edge_edge>
HWY_INLINE void lane_side(const LaneWeights& w, Lane l, Lane r, LaneMask& outside, LaneMask& inside) {
  const Lane one = lane(1.0), sl = one - l, sr = one - r;
  LaneMask positive = hn::Lt(one, hn::Zero(LaneTag())), negative = positive, known = hn::Not(positive);
  for (int n = 0; n < (edge_edge ? 4 : 3); ++n) {
    const Lane* q = w.q[n];
    const Lane l0 = mix(q[0], q[1], l, sl), l1 = mix(q[1], q[2], l, sl);
    const Lane r0 = mix(q[0], q[1], r, sr), r1 = mix(q[1], q[2], r, sr);
    const Lane p[3] = {mix(l0, l1, l, sl), mix(l0, l1, r, sr), mix(r0, r1, r, sr)};
    const LaneMask above = all_above(p, 3, w.error[n]), below = all_below(p, 3, hn::Neg(w.error[n]));
    positive = hn::Or(positive, above);
    negative = hn::Or(negative, below);
    known = hn::And(known, hn::Or(above, below));
  }
  outside = hn::And(positive, negative);
  inside = hn::AndNot(outside, known);
}

struct LaneAnswer {
  LaneMask separated, contact;  // neither: ask the scalar search
  Lane lower, upper;
};

template <bool edge_edge>
HWY_INLINE LaneAnswer lane_search(const Lane* x, bool boolean_only) {
  RelativeMotion<Lane> m;
  AxisRange<Lane> range;
  if constexpr (edge_edge) {
    edge_edge_relative(x, m, range);
  } else {
    vertex_face_relative(x, m, range);
  }
  const Cubic<Lane> f = coplanarity(m);
  const Lane* r = range.magnitude;
  const Lane product = (r[0] * r[1]) * r[2];
  const Lane e = lane(cubic_polar_error) * product, minus_e = hn::Neg(e);
  const Lane b[4] = {f.c[0], f.c[1] / lane(3.0), f.c[2] / lane(3.0), f.c[3]};
  const LaneWeights weights = lane_weights<edge_edge>(m, r);

  const Lane zero = hn::Zero(LaneTag()), one = lane(1.0), half = lane(0.5);
  const Lane lowest = smaller(smaller(r[0], r[1]), r[2]), highest = larger(larger(r[0], r[1]), r[2]);
  LaneMask active =
      hn::And(hn::Gt(lowest, lane(smallest_magnitude)), hn::Lt(highest, lane(largest_magnitude)));
  // Where F is uncertain at the start the features may touch there.
  active = hn::And(active, hn::Or(hn::Gt(b[0], e), hn::Lt(b[0], minus_e)));

  LaneAnswer answer;
  answer.separated = answer.contact = hn::Lt(one, zero);
  answer.lower = zero;
  answer.upper = one;
  LaneMask has_root = answer.contact;
  Lane left = zero, right = one;
  for (int round = 0; round < 7; ++round) {
    Lane p[4] = {b[0], b[1], b[2], b[3]};
    if (round > 0) cubic_polars(b, left, right, p);
    const LaneMask one_signed = hn::Or(all_above(p, 4, e), all_below(p, 4, minus_e));
    answer.separated = hn::Or(answer.separated, hn::And(active, one_signed));
    active = hn::AndNot(one_signed, active);
    const LaneMask left_up = hn::Gt(p[0], e), left_down = hn::Lt(p[0], minus_e);
    const LaneMask right_up = hn::Gt(p[3], e), right_down = hn::Lt(p[3], minus_e);
    has_root = hn::Or(has_root, hn::Or(hn::And(left_up, right_down), hn::And(left_down, right_up)));

    const Lane width = right - left;
    const Lane sl = hn::IfThenElse(hn::Gt(p[0], zero), one, lane(-1.0));
    const Lane ql[4] = {sl * p[0] - e, sl * p[1] - e, sl * p[2] - e, sl * p[3] - e};
    Lane new_left = (left + first_zero(ql) * width) - lane(0x1p-52);
    new_left = hn::IfThenElse(hn::And(hn::Or(left_up, left_down), hn::Gt(new_left, left)), new_left, left);
    const Lane sr = hn::IfThenElse(hn::Gt(p[3], zero), one, lane(-1.0));
    const Lane qr[4] = {sr * p[3] - e, sr * p[2] - e, sr * p[1] - e, sr * p[0] - e};
    Lane new_right = (right - first_zero(qr) * width) + lane(0x1p-52);
    new_right =
        hn::IfThenElse(hn::And(hn::Or(right_up, right_down), hn::Lt(new_right, right)), new_right, right);

    LaneMask outside, inside;
    lane_side<edge_edge>(weights, new_left, new_right, outside, inside);
    answer.separated = hn::Or(answer.separated, hn::And(active, outside));
    active = hn::AndNot(outside, active);
    const Lane new_width = new_right - new_left;
    LaneMask found = hn::And(active, hn::And(has_root, inside));
    if (!boolean_only) found = hn::And(found, hn::Le(new_width, lane(bracket_width)));
    answer.contact = hn::Or(answer.contact, found);
    answer.lower = hn::IfThenElse(found, new_left, answer.lower);
    answer.upper = hn::IfThenElse(found, new_right, answer.upper);
    active = hn::AndNot(found, active);
    active = hn::AndNot(hn::Le(new_width, lane(0.5 * bracket_width)), active);
    active = hn::AndNot(hn::Gt(new_width, half * width), active);
    if (hn::AllFalse(LaneTag(), active)) break;
    left = new_left;
    right = new_right;
  }
  return answer;
}

}  // namespace HWY_NAMESPACE
}  // namespace toccata::impact_filter
HWY_AFTER_NAMESPACE();
#endif
