// What the search of candidates in SIMD lanes (lane_search-inl.hpp) knows about roots: Halley's method says
// where the cubic vanishes, and the signs of the cubic on both sides of that place prove it. What a lane
// decides depends on its own numbers only, so the answer is the same on every instruction set and in any
// order of the queries; what it cannot prove is left to the single call. Lanes of double or of single
// precision.
//
// F has the Bernstein coefficients b0..b3, known up to e. If F changes its sign over an interval and its
// coefficients there have exactly one variation of sign, for certain, it has exactly one root in it
// (Descartes); F > e at one point and F < -e at another between which lies nothing else enclose that root.
// The weights' signs over the enclosure then decide (docs/notes/impact_bounds.md).
//
// Included once per Highway target (no #pragma once). Notation as in exact_impact.hpp.
#include <hwy/highway.h>

#include "impact/coplanarity-inl.hpp"
#include "impact/filter_bounds.hpp"
#include "impact/weights-inl.hpp"

#if defined(TOCCATA_IMPACT_LANE_ROOTS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TOCCATA_IMPACT_LANE_ROOTS_INL
#undef TOCCATA_IMPACT_LANE_ROOTS_INL
#else
#define TOCCATA_IMPACT_LANE_ROOTS_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace toccata::impact {
namespace HWY_NAMESPACE {

// The cubic with b0 > 0 after multiplication by its sign (exact), and its errors. In lanes of double or of
// single precision.
template <typename V>
struct SignedCubic {
  V g[4];
  // Bounds the error of a polar value (docs/notes/impact_bounds.md), and its negative.
  V e, minus_e;
};

template <typename V>
HWY_INLINE V zero_of() {
  return hn::Zero(hn::DFromV<V>());
}

// F at t by de Casteljau's scheme: the polar value (t, t, t), whose error is cubic_polar_error.
template <typename V>
HWY_INLINE V cubic_at(const V* g, V t) {
  const V s = number<V>(1.0) - t;
  const V x0 = mix(g[0], g[1], t, s), x1 = mix(g[1], g[2], t, s), x2 = mix(g[2], g[3], t, s);
  return mix(mix(x0, x1, t, s), mix(x1, x2, t, s), t, s);
}

// proven: F > e at left and F < -e at right, or the other way round where it rises.
template <typename V>
struct Enclosure {
  V left, right;
  MaskOf<V> proven;
};

// Halley's method for a root of g in [low, high], where it falls from above zero to below (Rising: rises).
// Steps that leave what the signs seen so far allow are replaced by halving. Only a hint: nothing rests on
// it.
template <bool Rising, typename V>
class RootHint {
 public:
  HWY_INLINE RootHint(const V* g, V low, V high, V value_low, V value_high) : low_(low), high_(high) {
    const V three = number<V>(3.0);
    k0_ = g[0];
    k1_ = three * (g[1] - g[0]);
    k2_ = three * ((g[0] - g[1]) + (g[2] - g[1]));
    k3_ = (g[3] - g[0]) + three * (g[1] - g[2]);
    time = low + (high - low) * (value_low / (value_low - value_high));
  }

  template <int Steps>
  HWY_INLINE void refine() {
    const V zero = zero_of<V>(), two = number<V>(2.0);
    const V k2_twice = two * k2_, k3_thrice = number<V>(3.0) * k3_;
    for (int i = 0; i < Steps; ++i) {
      const V value = ((k3_ * time + k2_) * time + k1_) * time + k0_;
      slope = (k3_thrice * time + k2_twice) * time + k1_;
      const V half_bend = k3_thrice * time + k2_;
      const MaskOf<V> before = Rising ? hn::Lt(value, zero) : hn::Gt(value, zero);
      low_ = hn::IfThenElse(before, time, low_);
      high_ = hn::IfThenElse(before, high_, time);
      const V next = time - (value * slope) / (slope * slope - value * half_bend);
      const MaskOf<V> allowed = hn::And(hn::Ge(next, low_), hn::Le(next, high_));  // false for NaN
      time = hn::IfThenElse(allowed, next, number<V>(0.5) * (low_ + high_));
    }
  }

  V time, slope;

 private:
  V low_, high_;
  V k0_, k1_, k2_, k3_;  // power form
};

// How far from the root a hint may be by its own rounding.
template <typename V>
inline constexpr double hint_rounding = sizeof(hn::TFromV<V>) == 8 ? 0x1p-50 : 0x1p-21;

template <bool Rising, typename V>
HWY_INLINE Enclosure<V> enclose(const SignedCubic<V>& f, const RootHint<Rising, V>& hint) {
  // The value beside the root must exceed e; the rest covers the hint's own rounding.
  const V reach = number<V>(1.5) * (f.e / hn::Abs(hint.slope)) + number<V>(hint_rounding<V>);
  Enclosure<V> root;
  root.left = hn::Max(hint.time - reach, zero_of<V>());
  root.right = hn::Min(hint.time + reach, number<V>(1.0));
  const V at_left = cubic_at(f.g, root.left), at_right = cubic_at(f.g, root.right);
  root.proven = Rising ? hn::And(hn::Lt(at_left, f.minus_e), hn::Gt(at_right, f.e))
                       : hn::And(hn::Gt(at_left, f.e), hn::Lt(at_right, f.minus_e));
  return root;
}

struct LaneQuery {
  RelativeMotion<Lane> motion;
  // Of all components of a, b, c, and their product.
  Lane magnitude[3];
  Lane product;
  // An axis separates the features; only with axes.
  LaneMask apart;
  Cubic<Lane> cubic;
  // The error bounds hold.
  LaneMask in_range;
};

// Axes: also look for an axis that separates, for queries that were not tested so before.
template <bool edge_edge, bool axes>
HWY_INLINE void prepare(const Lane* x, LaneQuery& query) {
  RelativeMotion<Lane>& m = query.motion;
  if constexpr (axes) {
    AxisRange<Lane> range;
    relative_motion<edge_edge>(x, m, range);
    query.apart = axis_separates(range);
  } else {
    for (int k = 0; k < 3; ++k) {
      m.a0[k] = x[3 + k] - x[k];
      m.b0[k] = x[6 + k] - x[k];
      m.c0[k] = x[9 + k] - x[k];
      m.a1[k] = x[15 + k] - x[12 + k];
      m.b1[k] = x[18 + k] - x[12 + k];
      m.c1[k] = x[21 + k] - x[12 + k];
    }
    query.apart = hn::Lt(lane(1.0), lane(0.0));
  }
  for (int k = 0; k < 3; ++k) {
    const Lane a = larger(hn::Abs(m.a0[k]), hn::Abs(m.a1[k]));
    const Lane b = larger(hn::Abs(m.b0[k]), hn::Abs(m.b1[k]));
    const Lane c = larger(hn::Abs(m.c0[k]), hn::Abs(m.c1[k]));
    query.magnitude[k] = larger(larger(a, b), c);
  }
  query.cubic = coplanarity(m);
  const Lane* r = query.magnitude;
  query.in_range = magnitudes_in_range(r);
  query.product = (r[0] * r[1]) * r[2];
}

HWY_INLINE SignedCubic<Lane> signed_cubic(const LaneQuery& query) {
  const Lane* c = query.cubic.c;
  const Lane sign = hn::IfThenElse(hn::Lt(c[0], hn::Zero(LaneTag())), lane(-1.0), lane(1.0));
  SignedCubic<Lane> f;
  f.g[0] = sign * c[0];
  f.g[1] = sign * (c[1] / lane(3.0));
  f.g[2] = sign * (c[2] / lane(3.0));
  f.g[3] = sign * c[3];
  f.e = lane(cubic_polar_error) * query.product;
  f.minus_e = hn::Neg(f.e);
  return f;
}

// Lanes whose cubic is proven not to vanish in [0, limit]: its coefficients there have one sign.
HWY_INLINE LaneMask no_root_before(const LaneQuery& query, Lane limit) {
  const SignedCubic<Lane> f = signed_cubic(query);
  const Lane* g = f.g;
  const Lane s = lane(1.0) - limit;
  const Lane x0 = mix(g[0], g[1], limit, s), x1 = mix(g[1], g[2], limit, s), x2 = mix(g[2], g[3], limit, s);
  const Lane y0 = mix(x0, x1, limit, s), y1 = mix(x1, x2, limit, s);
  const Lane last = mix(y0, y1, limit, s);
  return hn::And(hn::And(hn::Gt(g[0], f.e), hn::Gt(x0, f.e)), hn::And(hn::Gt(y0, f.e), hn::Gt(last, f.e)));
}

// Lanes whose coefficients, +, -, +, - or uncertain, have one root only, for certain, by a look at the two
// halves: one variation in one of them, none in the other.
template <typename V>
HWY_INLINE MaskOf<V> one_root_by_halves(const SignedCubic<V>& f) {
  const V* g = f.g;
  const V h = number<V>(0.5);
  const V x0 = mix(g[0], g[1], h, h), x1 = mix(g[1], g[2], h, h), x2 = mix(g[2], g[3], h, h);
  const V y0 = mix(x0, x1, h, h), y1 = mix(x1, x2, h, h), middle = mix(y0, y1, h, h);
  const MaskOf<V> left_up = hn::And(hn::Gt(middle, f.e), hn::And(hn::Gt(x0, f.e), hn::Gt(y0, f.e)));
  const MaskOf<V> right_falls = hn::Or(hn::Gt(y1, f.e), hn::Lt(x2, f.minus_e));
  const MaskOf<V> right_down =
      hn::And(hn::Lt(middle, f.minus_e), hn::And(hn::Lt(y1, f.minus_e), hn::Lt(x2, f.minus_e)));
  const MaskOf<V> left_falls = hn::Or(hn::Gt(x0, f.e), hn::Lt(y0, f.minus_e));
  return hn::Or(hn::And(left_up, right_falls), hn::And(left_falls, right_down));
}

// Where a cubic that starts and ends above zero is lowest inside, as a hint; 1/2 where there is no such
// place.
template <typename V>
HWY_INLINE V lowest_place(const V* g) {
  const V d0 = g[1] - g[0], d1 = g[2] - g[1], d2 = g[3] - g[2];
  const V h = d1 - d0, a = (d0 - d1) + (d2 - d1);
  const V zero = zero_of<V>();
  const V root = hn::Sqrt(hn::Max(h * h - a * d0, zero));
  const V t = hn::IfThenElse(hn::Gt(h, zero), hn::Neg(d0) / (h + root), (root - h) / a);
  const MaskOf<V> inside = hn::And(hn::Gt(t, zero), hn::Lt(t, number<V>(1.0)));  // false for NaN
  return hn::IfThenElse(inside, t, number<V>(0.5));
}

// A cubic that starts and ends above zero, split at its extremum: two roots, one on each side, or none.
template <typename V>
struct SplitCubic {
  SignedCubic<V> f;
  V place, lowest;
  MaskOf<V> above, two_roots, one_right;  // no root; one for certain on the left; if so, also on the right

  // Nothing is said of lanes that are not `valid`.
  HWY_INLINE SplitCubic(const SignedCubic<V>& cubic, MaskOf<V> valid) : f(cubic) {
    const V* g = f.g;
    const V e = f.e, minus_e = f.minus_e;
    const MaskOf<V> ends = hn::And(valid, hn::And(hn::Gt(g[0], e), hn::Gt(g[3], e)));
    place = lowest_place(g);
    const V s = number<V>(1.0) - place;
    const V x0 = mix(g[0], g[1], place, s), x1 = mix(g[1], g[2], place, s), x2 = mix(g[2], g[3], place, s);
    const V y0 = mix(x0, x1, place, s), y1 = mix(x1, x2, place, s);
    lowest = mix(y0, y1, place, s);
    // The coefficients on the left are g0, x0, y0, lowest; on the right lowest, y1, x2, g3.
    above = hn::And(hn::And(ends, hn::Gt(lowest, e)),
                    hn::And(hn::And(hn::Gt(x0, e), hn::Gt(y0, e)), hn::And(hn::Gt(y1, e), hn::Gt(x2, e))));
    two_roots = hn::And(hn::And(ends, hn::Lt(lowest, minus_e)), hn::Or(hn::Gt(x0, e), hn::Lt(y0, minus_e)));
    one_right = hn::Or(hn::Lt(y1, minus_e), hn::Gt(x2, e));
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace toccata::impact
HWY_AFTER_NAMESPACE();
#endif
