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
HWY_INLINE V3 cross(const V3& a, const V3& b) {
  return {hn::Sub(hn::Mul(a.y, b.z), hn::Mul(a.z, b.y)), hn::Sub(hn::Mul(a.z, b.x), hn::Mul(a.x, b.z)),
          hn::Sub(hn::Mul(a.x, b.y), hn::Mul(a.y, b.x))};
}
HWY_INLINE V3 add(const V3& a, const V3& b) {
  return {hn::Add(a.x, b.x), hn::Add(a.y, b.y), hn::Add(a.z, b.z)};
}
HWY_INLINE V3 sub(const V3& a, const V3& b) {
  return {hn::Sub(a.x, b.x), hn::Sub(a.y, b.y), hn::Sub(a.z, b.z)};
}
HWY_INLINE V3 scaled(const V3& a, V s) {
  return {hn::Mul(a.x, s), hn::Mul(a.y, s), hn::Mul(a.z, s)};
}
HWY_INLINE V3 set3(D d, const float* p) {
  return {hn::Set(d, p[0]), hn::Set(d, p[1]), hn::Set(d, p[2])};
}

// The positive root of s = r x + K x^2 / 2, less sixteen roundings; 0 where s <= 0. K > 0.
HWY_INLINE V step_of(D d, V s, V r, V k) {
  const V zero = hn::Zero(d);
  const V two_s = hn::Add(s, s);
  const V radicand = hn::Add(hn::Mul(r, r), hn::Mul(k, hn::Max(two_s, zero)));
  const V root = hn::Max(hn::Sqrt(radicand), hn::Abs(r));  // r * r may have underflowed
  const auto closing = hn::Ge(r, zero);
  const V numerator = hn::IfThenElse(closing, two_s, hn::Sub(root, r));
  const V denominator = hn::IfThenElse(closing, hn::Add(r, root), k);
  const V step = hn::Mul(hn::Div(numerator, denominator), hn::Set(d, 1.0F - 0x1p-20F));
  return hn::IfThenElseZero(hn::Gt(s, zero), step);
}

// The best answer so far of the eight pairs, and what every direction needs.
struct Best {
  V k, half_k, gap_padding, rate_padding;
  V step, gap;

  // One direction: the gap s along it, the closing speed r. The root is only computed where the parabola is
  // still positive at the best step so far, that is, where this direction improves it.
  HWY_INLINE void take(D tag, V s, V r) {
    s = hn::Sub(s, gap_padding);
    r = hn::Add(r, rate_padding);
    gap = hn::Max(gap, s);
    const V left = hn::Sub(s, hn::Mul(step, hn::Add(r, hn::Mul(half_k, step))));
    if (!hn::AllFalse(tag, hn::Gt(left, hn::Zero(tag)))) step = hn::Max(step, step_of(tag, s, r, k));
  }
};

template <bool kSpins, bool kOtherSpins>
HWY_INLINE void steps_for(const BoxNode& node, const BoxStepsInput& in, std::size_t at, float* steps,
                          float* gaps) {
  const D tag;
  const V sign_bit = hn::Set(tag, -0.0F);
  const V3 c = {hn::Load(tag, node.center[0] + at), hn::Load(tag, node.center[1] + at),
                hn::Load(tag, node.center[2] + at)};
  V3 b[3];  // this side's axes
  V h[3];
  for (int i = 0; i < 3; ++i) {
    b[i] = {hn::Load(tag, node.axis[i][0] + at), hn::Load(tag, node.axis[i][1] + at),
            hn::Load(tag, node.axis[i][2] + at)};
    h[i] = hn::Load(tag, node.half[i] + at);
  }
  const V3 d = sub(set3(tag, in.center), c);  // from the child's centre to the other's
  V3 u = set3(tag, in.velocity);              // velocity of the child's centre minus that of the other's
  Best best;
  best.gap_padding = hn::Set(tag, in.gap_padding);
  best.rate_padding = hn::Set(tag, in.rate_padding);
  // Unused lanes need no answer.
  const auto used = static_cast<std::size_t>(node.count);
  best.step = hn::IfThenZeroElse(hn::FirstN(tag, used > at ? used - at : 0), hn::Set(tag, 1e30F));
  best.gap = hn::Set(tag, -1e30F);
  best.k = hn::Set(tag, in.acceleration);
  V3 w = u;
  if constexpr (kSpins) {
    w = set3(tag, in.spin);
    const V3 turn = cross(w, c);
    u = add(u, turn);
    const V3 arm = add(set3(tag, in.turning), turn);
    const V radius =
        hn::Sqrt(hn::Add(hn::Add(hn::Mul(h[0], h[0]), hn::Mul(h[1], h[1])), hn::Mul(h[2], h[2])));
    best.k = hn::Add(best.k, hn::Add(hn::Mul(hn::Set(tag, in.turn_rate), hn::Sqrt(dot(arm, arm))),
                                     hn::Mul(hn::Set(tag, in.axial), radius)));
    best.k = hn::Mul(best.k, hn::Set(tag, 1.0F + 0x1p-18F));
  }
  best.half_k = hn::Mul(best.k, hn::Set(tag, 0.5F));
  const auto unit = [&](const V3& n) HWY_ATTR {
    const V squared = dot(n, n);
    const V inverse = hn::Div(hn::Set(tag, 1.0F), hn::Sqrt(squared));
    // Too short ones are dropped, since their length would not be known to a few roundings.
    return scaled(n, hn::IfThenElseZero(hn::Gt(squared, hn::Set(tag, 1e-30F)), inverse));
  };
  // Any direction of length at most one, pointing from the child to the other box.
  const auto along = [&](const V3& n) HWY_ATTR {
    V s = dot(n, d);
    V r = dot(n, u);
    V3 q = n;
    if constexpr (kSpins) q = cross(n, w);
    for (int i = 0; i < 3; ++i) {
      s = hn::Sub(
          s, hn::Add(hn::Mul(h[i], hn::Abs(dot(n, b[i]))), hn::Abs(dot(n, set3(tag, in.scaled_axis[i])))));
      if constexpr (kSpins) r = hn::Add(r, hn::Mul(h[i], hn::Abs(dot(q, b[i]))));
      if constexpr (kOtherSpins) r = hn::Add(r, hn::Abs(dot(n, set3(tag, in.swing[i]))));
    }
    best.take(tag, s, r);
  };
  // The line of centres.
  const V3 line = unit(d);
  along(line);
  // Faces of the other side.
  V cosine[3][3];  // [other axis][this axis]
  for (int i = 0; i < 3; ++i) {
    const V3 beta = set3(tag, in.axis[i]);
    const V distance = dot(d, beta);
    V s = hn::Sub(hn::Abs(distance), hn::Set(tag, in.half[i]));
    V r = hn::Xor(dot(u, beta), hn::And(distance, sign_bit));
    for (int j = 0; j < 3; ++j) {
      cosine[i][j] = dot(beta, b[j]);
      s = hn::Sub(s, hn::Mul(h[j], hn::Abs(cosine[i][j])));
      if constexpr (kSpins) r = hn::Add(r, hn::Mul(h[j], hn::Abs(dot(set3(tag, in.lever[i]), b[j]))));
    }
    if constexpr (kOtherSpins) r = hn::Add(r, hn::Set(tag, in.own_swing[i]));
    best.take(tag, s, r);
  }
  // Faces of this side. b_i x b_j = +-b_k up to rounding, which the padding holds.
  V wb[3];
  if constexpr (kSpins) {
    for (int j = 0; j < 3; ++j) wb[j] = dot(w, b[j]);
  }
  for (int j = 0; j < 3; ++j) {
    const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
    const V distance = dot(d, b[j]);
    V s = hn::Sub(hn::Abs(distance), h[j]);
    V r = hn::Xor(dot(u, b[j]), hn::And(distance, sign_bit));
    for (int i = 0; i < 3; ++i) {
      s = hn::Sub(s, hn::Mul(hn::Set(tag, in.half[i]), hn::Abs(cosine[i][j])));
      if constexpr (kOtherSpins) r = hn::Add(r, hn::Abs(dot(b[j], set3(tag, in.swing[i]))));
    }
    if constexpr (kSpins)
      r = hn::Add(r, hn::Add(hn::Mul(h[j1], hn::Abs(wb[j2])), hn::Mul(h[j2], hn::Abs(wb[j1]))));
    best.take(tag, s, r);
  }
  const V enough = hn::Set(tag, in.enough);
  if (!hn::AllFalse(tag, hn::Lt(best.step, enough))) {
    // The line across the relative motion.
    const V3 heading = unit(u);
    along(unit(sub(line, scaled(heading, dot(line, heading)))));
  }
  if (!hn::AllFalse(tag, hn::Lt(best.step, hn::Min(enough, hn::Set(tag, in.near_step))))) {
    for (int i = 0; i < 3; ++i) {
      const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
      const V3 beta = set3(tag, in.axis[i]);
      for (int j = 0; j < 3; ++j) {
        const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
        const V3 n = cross(b[j], beta);
        const V distance = dot(n, d);
        V s = hn::Sub(hn::Abs(distance), hn::Add(hn::Mul(h[j1], hn::Abs(cosine[i][j2])),
                                                 hn::Mul(h[j2], hn::Abs(cosine[i][j1]))));
        s = hn::Sub(s, hn::Add(hn::Mul(hn::Set(tag, in.half[i1]), hn::Abs(cosine[i2][j])),
                               hn::Mul(hn::Set(tag, in.half[i2]), hn::Abs(cosine[i1][j]))));
        V r = hn::Xor(dot(n, u), hn::And(distance, sign_bit));
        // (b_j x beta_i) . (w x b_k) = (b_j . w)(beta_i . b_k) - (b_j . b_k)(beta_i . w), and so for the
        // other.
        if constexpr (kSpins) {
          const V own = hn::Abs(hn::Sub(hn::Mul(wb[j], cosine[i][j]), hn::Set(tag, in.spin_along[i])));
          const V rest =
              hn::Add(hn::Mul(h[j1], hn::Abs(cosine[i][j1])), hn::Mul(h[j2], hn::Abs(cosine[i][j2])));
          r = hn::Add(r, hn::Add(hn::Mul(h[j], own), hn::Mul(hn::Abs(wb[j]), rest)));
        }
        if constexpr (kOtherSpins) {
          const V ob = dot(set3(tag, in.other_spin), b[j]);
          const V spin = hn::Set(tag, in.other_spin_along[i]);
          const V own = hn::Abs(hn::Sub(ob, hn::Mul(cosine[i][j], spin)));
          const V rest = hn::Add(hn::Mul(hn::Set(tag, in.half[i1]), hn::Abs(cosine[i1][j])),
                                 hn::Mul(hn::Set(tag, in.half[i2]), hn::Abs(cosine[i2][j])));
          r = hn::Add(r, hn::Add(hn::Mul(hn::Set(tag, in.half[i]), own), hn::Mul(hn::Abs(spin), rest)));
        }
        best.take(tag, s, r);
      }
    }
  }
  hn::StoreU(best.step, tag, steps + at);
  hn::StoreU(best.gap, tag, gaps + at);
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
