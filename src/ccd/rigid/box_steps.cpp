#include "ccd/rigid/box_steps.hpp"

// SSE4, AVX2 and AVX-512 beside the baseline: the targets between them gain nothing here.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ccd/rigid/box_steps.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace toccata {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<float, box_width>;
using V = hn::Vec<D>;

struct V3 {
  V x, y, z;
};

HWY_INLINE V dot(const V3& a, const V3& b) {
  return hn::Add(hn::Add(hn::Mul(a.x, b.x), hn::Mul(a.y, b.y)), hn::Mul(a.z, b.z));
}
// a b - c d.
HWY_INLINE V determinant(V a, V b, V c, V d) {
  return hn::Sub(hn::Mul(a, b), hn::Mul(c, d));
}
HWY_INLINE V3 load3(D d, const float (*p)[box_width], std::size_t at) {
  return {hn::Load(d, p[0] + at), hn::Load(d, p[1] + at), hn::Load(d, p[2] + at)};
}
HWY_INLINE V3 set3(D d, const float* p) {
  return {hn::Set(d, p[0]), hn::Set(d, p[1]), hn::Set(d, p[2])};
}
// x with its sign flipped where `sense` is negative.
HWY_INLINE V toward(D d, V x, V sense) {
  return hn::Xor(x, hn::And(sense, hn::Set(d, -0.0F)));
}

// The positive root of s = r x + K x^2 / 2, less sixteen roundings; 0 where s <= 0. K > 0.
HWY_INLINE V step_of(D d, V s, V r, V k) {
  const V zero = hn::Zero(d);
  const V two_s = hn::Max(hn::Add(s, s), zero);
  const V radicand = hn::Add(hn::Mul(r, r), hn::Mul(k, two_s));
  const V speed = hn::Abs(r);
  const V sum = hn::Add(speed, hn::Max(hn::Sqrt(radicand), speed));  // r * r may have underflowed
  const auto closing = hn::Ge(r, zero);
  const V numerator = hn::IfThenElse(closing, two_s, sum);
  const V denominator = hn::IfThenElse(closing, sum, k);
  const V step = hn::Mul(hn::Div(numerator, denominator), hn::Set(d, 1.0F - 0x1p-20F));
  return hn::IfThenElseZero(hn::Gt(s, zero), step);
}

// The direction whose line is highest at `when`, without paddings.
struct Choice {
  V when, height, s, r;
  V gap;  // the largest s of all

  HWY_INLINE void start(V now, V first_s, V first_r) {
    when = now;
    s = first_s;
    r = first_r;
    height = hn::Sub(s, hn::Mul(r, when));
  }
  HWY_INLINE void take(V other_s, V other_r) {
    gap = hn::Max(gap, other_s);
    const V other = hn::Sub(other_s, hn::Mul(other_r, when));
    const auto better = hn::Gt(other, height);
    height = hn::Max(height, other);
    s = hn::IfThenElse(better, other_s, s);
    r = hn::IfThenElse(better, other_r, r);
  }
};

// The boxes in terms of each other. With these nothing else of the axes is needed: a direction n is known by
// its coordinates n . b_j and n . beta_i, and products of directions become determinants of coordinates.
struct Coordinates {
  V h[3];          // half extents of the child
  V g[3];          // and of the other box
  V cosine[3][3];  // [other axis][child's axis]
  V own[3];        // from centre to centre along the child's axes
  V other[3];      // and along the other's
  V speed_own[3];  // velocity of the child's centre relative to the other's, along the same
  V speed_other[3];
  V spin[3];   // angular velocity of the child's body along its axes
  V swing[3];  // and of the other's body along its axes
};

// How much the turning of the box with half extents h brings its points ahead along n, at most: the sum of
// h_i |n . (w x b_i)|, n and w given by their coordinates along the b_i.
HWY_INLINE V spread(const V (&n)[3], const V (&w)[3], const V (&h)[3]) {
  const V x = hn::Mul(h[0], hn::Abs(determinant(n[1], w[2], n[2], w[1])));
  const V y = hn::Mul(h[1], hn::Abs(determinant(n[2], w[0], n[0], w[2])));
  const V z = hn::Mul(h[2], hn::Abs(determinant(n[0], w[1], n[1], w[0])));
  return hn::Add(hn::Add(x, y), z);
}
HWY_INLINE V support(const V (&n)[3], const V (&h)[3]) {
  return hn::Add(hn::Add(hn::Mul(h[0], hn::Abs(n[0])), hn::Mul(h[1], hn::Abs(n[1]))),
                 hn::Mul(h[2], hn::Abs(n[2])));
}

template <bool kSpins, bool kOtherSpins>
HWY_INLINE V turning(const Coordinates& x, const V (&own)[3], const V (&other)[3]) {
  if constexpr (kSpins && kOtherSpins)
    return hn::Add(spread(own, x.spin, x.h), spread(other, x.swing, x.g));
  else if constexpr (kSpins)
    return spread(own, x.spin, x.h);
  else if constexpr (kOtherSpins)
    return spread(other, x.swing, x.g);
  else
    return hn::Zero(D());
}

template <bool kSpins, bool kOtherSpins>
HWY_INLINE void take_faces(const Coordinates& x, const BoxStepsInput& in, Choice& choice) {
  const D tag;
  for (int i = 0; i < 3; ++i) {
    const V s = hn::Sub(hn::Sub(hn::Abs(x.other[i]), x.g[i]), support(x.cosine[i], x.h));
    V r = toward(tag, x.speed_other[i], x.other[i]);
    if constexpr (kSpins) r = hn::Add(r, spread(x.cosine[i], x.spin, x.h));
    if constexpr (kOtherSpins) r = hn::Add(r, hn::Set(tag, in.own_swing[i]));
    choice.take(s, r);
  }
  for (int j = 0; j < 3; ++j) {
    const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
    const V column[3] = {x.cosine[0][j], x.cosine[1][j], x.cosine[2][j]};
    const V s = hn::Sub(hn::Sub(hn::Abs(x.own[j]), x.h[j]), support(column, x.g));
    V r = toward(tag, x.speed_own[j], x.own[j]);
    if constexpr (kSpins) {
      r = hn::Add(r, hn::Add(hn::Mul(x.h[j1], hn::Abs(x.spin[j2])), hn::Mul(x.h[j2], hn::Abs(x.spin[j1]))));
    }
    if constexpr (kOtherSpins) r = hn::Add(r, spread(column, x.swing, x.g));
    choice.take(s, r);
  }
}

// The line across the relative motion: d - lambda u, of which the part along u vanishes.
template <bool kSpins, bool kOtherSpins>
HWY_INLINE void take_across(const Coordinates& x, V dd, V du, V uu, Choice& choice) {
  const D tag;
  const V lambda = hn::Div(du, hn::Max(uu, hn::Set(tag, 1e-30F)));
  const V squared = hn::Sub(dd, hn::Mul(lambda, du));
  // Short ones are dropped: neither their length nor their coordinates would be known well enough.
  const auto known =
      hn::And(hn::Gt(squared, hn::Mul(dd, hn::Set(tag, 0x1p-4F))),
              hn::And(hn::Gt(squared, hn::Set(tag, 1e-30F)), hn::Gt(uu, hn::Set(tag, 1e-30F))));
  const V inverse = hn::Div(hn::Set(tag, 1.0F - 0x1p-14F), hn::Sqrt(squared));
  V own[3], other[3];
  for (int i = 0; i < 3; ++i) {
    own[i] = hn::Sub(x.own[i], hn::Mul(lambda, x.speed_own[i]));
    other[i] = hn::Sub(x.other[i], hn::Mul(lambda, x.speed_other[i]));
  }
  const V reach = hn::Add(support(own, x.h), support(other, x.g));
  const V s = hn::Mul(hn::Sub(squared, reach), inverse);
  const V r =
      hn::Mul(turning<kSpins, kOtherSpins>(x, own, other), hn::Mul(inverse, hn::Set(tag, 1.0F + 0x1p-12F)));
  choice.take(hn::IfThenElse(known, s, hn::Set(tag, -1e30F)), hn::IfThenElseZero(known, r));
}

// n = b_j x beta_i; n . (w x b_k) = (b_j . w)(beta_i . b_k) - (b_j . b_k)(beta_i . w), and so for the other.
template <bool kSpins, bool kOtherSpins>
HWY_INLINE void take_edges(const Coordinates& x, const V (&spin_of_other)[3], const BoxStepsInput& in,
                           Choice& choice) {
  const D tag;
  V size[3][3];  // |cosine|
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) size[i][j] = hn::Abs(x.cosine[i][j]);
  }
  for (int i = 0; i < 3; ++i) {
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    for (int j = 0; j < 3; ++j) {
      const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      const V distance = determinant(x.cosine[i][j1], x.own[j2], x.cosine[i][j2], x.own[j1]);
      const V speed = determinant(x.cosine[i][j1], x.speed_own[j2], x.cosine[i][j2], x.speed_own[j1]);
      const V reach = hn::Add(hn::Mul(x.h[j1], size[i][j2]), hn::Mul(x.h[j2], size[i][j1]));
      const V other_reach = hn::Add(hn::Mul(x.g[i1], size[i2][j]), hn::Mul(x.g[i2], size[i1][j]));
      const V s = hn::Sub(hn::Abs(distance), hn::Add(reach, other_reach));
      V r = toward(tag, speed, distance);
      if constexpr (kSpins) {
        const V own = hn::Abs(hn::Sub(hn::Mul(x.spin[j], x.cosine[i][j]), hn::Set(tag, in.spin_along[i])));
        const V rest = hn::Add(hn::Mul(x.h[j1], size[i][j1]), hn::Mul(x.h[j2], size[i][j2]));
        r = hn::Add(r, hn::Add(hn::Mul(x.h[j], own), hn::Mul(hn::Abs(x.spin[j]), rest)));
      }
      if constexpr (kOtherSpins) {
        const V own = hn::Abs(hn::Sub(spin_of_other[j], hn::Mul(x.cosine[i][j], x.swing[i])));
        const V rest = hn::Add(hn::Mul(x.g[i1], size[i1][j]), hn::Mul(x.g[i2], size[i2][j]));
        r = hn::Add(r, hn::Add(hn::Mul(x.g[i], own), hn::Mul(hn::Abs(x.swing[i]), rest)));
      }
      choice.take(s, r);
    }
  }
}

template <bool kSpins, bool kOtherSpins>
HWY_INLINE void steps_for(const BoxNode& node, const BoxStepsInput& in, std::size_t at, float* steps,
                          float* gaps) {
  const D tag;
  const V3 c = load3(tag, node.center, at);
  const V3 m = set3(tag, in.center);
  const V3 d = {hn::Sub(m.x, c.x), hn::Sub(m.y, c.y), hn::Sub(m.z, c.z)};
  V3 u = set3(tag, in.velocity);
  if constexpr (kSpins) {
    const V3 w = set3(tag, in.spin);
    u = {hn::Add(u.x, determinant(w.y, c.z, w.z, c.y)), hn::Add(u.y, determinant(w.z, c.x, w.x, c.z)),
         hn::Add(u.z, determinant(w.x, c.y, w.y, c.x))};
  }
  Coordinates x;
  V spin_of_other[3];
  for (int j = 0; j < 3; ++j) {
    const V3 b = load3(tag, node.axis[j], at);
    x.h[j] = hn::Load(tag, node.half[j] + at);
    x.own[j] = dot(d, b);
    x.speed_own[j] = dot(u, b);
    for (int i = 0; i < 3; ++i) x.cosine[i][j] = dot(set3(tag, in.axis[i]), b);
    if constexpr (kSpins) x.spin[j] = dot(set3(tag, in.spin), b);
    if constexpr (kOtherSpins) spin_of_other[j] = dot(set3(tag, in.other_spin), b);
  }
  for (int i = 0; i < 3; ++i) {
    const V3 beta = set3(tag, in.axis[i]);
    x.g[i] = hn::Set(tag, in.half[i]);
    x.other[i] = dot(d, beta);
    x.speed_other[i] = dot(u, beta);
    if constexpr (kOtherSpins) x.swing[i] = hn::Set(tag, in.other_spin_along[i]);
  }
  const V k = hn::Set(tag, in.acceleration);
  const V gap_padding = hn::Set(tag, in.gap_padding);
  const V rate_padding = hn::Set(tag, in.rate_padding);
  const V enough = hn::Set(tag, in.enough);
  const auto root = [&](V s, V r) HWY_ATTR {
    return step_of(tag, hn::Sub(s, gap_padding), hn::Add(r, rate_padding), k);
  };
  // The line of centres; too short a one is dropped, since its length would not be known.
  const V dd = dot(d, d), du = dot(d, u), uu = dot(u, u);
  const V length = hn::Sqrt(dd);
  const V inverse = hn::IfThenElseZero(hn::Gt(dd, hn::Set(tag, 1e-30F)), hn::Div(hn::Set(tag, 1.0F), length));
  const V line_s =
      hn::Sub(hn::Mul(dd, inverse), hn::Mul(hn::Add(support(x.own, x.h), support(x.other, x.g)), inverse));
  const V line_r = hn::Mul(hn::Add(du, turning<kSpins, kOtherSpins>(x, x.own, x.other)), inverse);
  V step = root(line_s, line_r);
  Choice choice;
  choice.gap = line_s;
  choice.start(hn::Min(step, enough), line_s, line_r);
  take_faces<kSpins, kOtherSpins>(x, in, choice);
  step = hn::Max(step, root(choice.s, choice.r));
  // Unused lanes need no answer.
  const auto used = static_cast<std::size_t>(node.count);
  step = hn::IfThenElse(hn::FirstN(tag, used > at ? used - at : 0), step, hn::Set(tag, 1e30F));
  if (!hn::AllFalse(tag, hn::Lt(step, enough))) {
    choice.start(hn::Min(step, enough), choice.s, choice.r);
    take_across<kSpins, kOtherSpins>(x, dd, du, uu, choice);
    if (!hn::AllFalse(tag, hn::Lt(step, hn::Min(enough, hn::Set(tag, in.near_step))))) {
      take_edges<kSpins, kOtherSpins>(x, spin_of_other, in, choice);
    }
    step = hn::Max(step, root(choice.s, choice.r));
  }
  hn::StoreU(step, tag, steps + at);
  hn::StoreU(hn::Sub(choice.gap, gap_padding), tag, gaps + at);
}

template <bool kSpins, bool kOtherSpins>
void all_lanes(const BoxNode& node, const BoxStepsInput& in, float* steps, float* gaps) {
  const D tag;
  for (std::size_t at = 0; at < box_width; at += hn::Lanes(tag)) {
    steps_for<kSpins, kOtherSpins>(node, in, at, steps, gaps);
  }
}

void box_steps_kernel(const BoxNode& node, const BoxStepsInput& in, float* steps, float* gaps) {
  if (in.spins) {
    in.other_spins ? all_lanes<true, true>(node, in, steps, gaps)
                   : all_lanes<true, false>(node, in, steps, gaps);
  } else {
    in.other_spins ? all_lanes<false, true>(node, in, steps, gaps)
                   : all_lanes<false, false>(node, in, steps, gaps);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace toccata
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toccata {

HWY_EXPORT(box_steps_kernel);

void box_steps(const BoxNode& node, const BoxStepsInput& input, float* steps, float* gaps) {
  HWY_DYNAMIC_DISPATCH(box_steps_kernel)(node, input, steps, gaps);
}

}  // namespace toccata
#endif
