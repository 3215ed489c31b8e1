#include "ccd/rigid/box_steps.hpp"

// SSE4, AVX2 and AVX-512 beside the baseline: the targets between them gain nothing here.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
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

// What is known of the eight pairs, and the best answer so far.
template <bool kSpins, bool kOtherSpins>
struct Lanes {
  V3 b[3], beta[3];
  V h[3], g[3];  // half extents: this side, other side
  V3 w, other_w;
  V3 d;  // from the child's centre to the other's
  V3 u;  // velocity of the child's centre minus that of the other's
  V k, gap_padding, rate_padding;
  V step, gap;

  HWY_INLINE void take(D tag, V s, V r) {
    s = hn::Sub(s, gap_padding);
    gap = hn::Max(gap, s);
    step = hn::Max(step, step_of(tag, s, hn::Add(r, rate_padding), k));
  }

  // Any direction of length at most one, pointing from the child to the other box.
  HWY_INLINE void along(D tag, const V3& n) {
    V s = dot(n, d);
    V r = dot(n, u);
    V3 q = n, p = n;
    if constexpr (kSpins) q = cross(n, w);
    if constexpr (kOtherSpins) p = cross(n, other_w);
    for (int i = 0; i < 3; ++i) {
      s = hn::Sub(s, hn::Add(hn::Mul(h[i], hn::Abs(dot(n, b[i]))), hn::Mul(g[i], hn::Abs(dot(n, beta[i])))));
      if constexpr (kSpins) r = hn::Add(r, hn::Mul(h[i], hn::Abs(dot(q, b[i]))));
      if constexpr (kOtherSpins) r = hn::Add(r, hn::Mul(g[i], hn::Abs(dot(p, beta[i]))));
    }
    take(tag, s, r);
  }
};

template <bool kSpins, bool kOtherSpins>
HWY_INLINE void steps_for(const BoxNode& node, const BoxStepsInput& in, std::size_t at, float* steps,
                          float* gaps) {
  const D tag;
  Lanes<kSpins, kOtherSpins> l;
  const V3 c = {hn::Load(tag, node.center[0] + at), hn::Load(tag, node.center[1] + at),
                hn::Load(tag, node.center[2] + at)};
  for (int i = 0; i < 3; ++i) {
    l.b[i] = {hn::Load(tag, node.axis[i][0] + at), hn::Load(tag, node.axis[i][1] + at),
              hn::Load(tag, node.axis[i][2] + at)};
    l.h[i] = hn::Load(tag, node.half[i] + at);
    l.beta[i] = set3(tag, in.axis[i]);
    l.g[i] = hn::Set(tag, in.half[i]);
  }
  l.w = set3(tag, in.spin);
  l.other_w = set3(tag, in.other_spin);
  l.d = sub(set3(tag, in.center), c);
  l.u = set3(tag, in.velocity);
  l.gap_padding = hn::Set(tag, in.gap_padding);
  l.rate_padding = hn::Set(tag, in.rate_padding);
  l.step = hn::Zero(tag);
  l.gap = hn::Set(tag, -1e30F);
  l.k = hn::Set(tag, in.acceleration);
  V wb[3], ob[3];  // this spin and the other's along this box's axes
  if constexpr (kSpins) {
    const V3 turn = cross(l.w, c);
    l.u = add(l.u, turn);
    const V3 arm = add(set3(tag, in.turning), turn);
    const V radius =
        hn::Sqrt(hn::Add(hn::Add(hn::Mul(l.h[0], l.h[0]), hn::Mul(l.h[1], l.h[1])), hn::Mul(l.h[2], l.h[2])));
    l.k = hn::Add(l.k, hn::Add(hn::Mul(hn::Set(tag, in.turn_rate), hn::Sqrt(dot(arm, arm))),
                               hn::Mul(hn::Set(tag, in.axial), radius)));
    l.k = hn::Mul(l.k, hn::Set(tag, 1.0F + 0x1p-18F));
    for (int j = 0; j < 3; ++j) wb[j] = dot(l.w, l.b[j]);
  }
  V cosine[3][3];  // [other axis][this axis]
  V distance_b[3], speed_b[3], distance_beta[3], speed_beta[3], other_w_beta[3], w_beta[3];
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) cosine[i][j] = dot(l.beta[i], l.b[j]);
    distance_beta[i] = dot(l.d, l.beta[i]);
    speed_beta[i] = dot(l.u, l.beta[i]);
    distance_b[i] = dot(l.d, l.b[i]);
    speed_b[i] = dot(l.u, l.b[i]);
    if constexpr (kOtherSpins) {
      ob[i] = dot(l.other_w, l.b[i]);
      other_w_beta[i] = dot(l.other_w, l.beta[i]);
    }
    if constexpr (kSpins) w_beta[i] = dot(l.w, l.beta[i]);
  }
  // Faces of this side. b_i x b_j = +-b_k up to rounding, which the padding holds.
  for (int j = 0; j < 3; ++j) {
    const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
    V s = hn::Sub(hn::Abs(distance_b[j]), l.h[j]);
    V r = hn::Xor(speed_b[j], hn::And(distance_b[j], hn::Set(tag, -0.0F)));
    for (int i = 0; i < 3; ++i) s = hn::Sub(s, hn::Mul(l.g[i], hn::Abs(cosine[i][j])));
    if constexpr (kSpins)
      r = hn::Add(r, hn::Add(hn::Mul(l.h[j1], hn::Abs(wb[j2])), hn::Mul(l.h[j2], hn::Abs(wb[j1]))));
    if constexpr (kOtherSpins) {
      const V3 q = cross(l.b[j], l.other_w);
      for (int i = 0; i < 3; ++i) r = hn::Add(r, hn::Mul(l.g[i], hn::Abs(dot(q, l.beta[i]))));
    }
    l.take(tag, s, r);
  }
  // Faces of the other side.
  for (int i = 0; i < 3; ++i) {
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    V s = hn::Sub(hn::Abs(distance_beta[i]), l.g[i]);
    V r = hn::Xor(speed_beta[i], hn::And(distance_beta[i], hn::Set(tag, -0.0F)));
    for (int j = 0; j < 3; ++j) s = hn::Sub(s, hn::Mul(l.h[j], hn::Abs(cosine[i][j])));
    if constexpr (kOtherSpins) {
      r = hn::Add(r, hn::Add(hn::Mul(l.g[i1], hn::Abs(other_w_beta[i2])),
                             hn::Mul(l.g[i2], hn::Abs(other_w_beta[i1]))));
    }
    if constexpr (kSpins) {
      const V3 q = cross(l.beta[i], l.w);
      for (int j = 0; j < 3; ++j) r = hn::Add(r, hn::Mul(l.h[j], hn::Abs(dot(q, l.b[j]))));
    }
    l.take(tag, s, r);
  }
  // The line of centres, and the line across the relative motion. Too short ones are dropped, since their
  // length would not be known to a few roundings.
  const auto unit = [&](const V3& n) HWY_ATTR {
    const V squared = dot(n, n);
    const V inverse = hn::Div(hn::Set(tag, 1.0F), hn::Sqrt(squared));
    return scaled(n, hn::IfThenElseZero(hn::Gt(squared, hn::Set(tag, 1e-30F)), inverse));
  };
  const V3 line = unit(l.d);
  l.along(tag, line);
  const V3 heading = unit(l.u);
  const V along_heading = dot(line, heading);
  l.along(tag, unit(sub(line, scaled(heading, along_heading))));
  const V near = hn::Set(tag, in.near_step);
  if (!hn::AllFalse(tag, hn::Lt(l.step, near))) {
    for (int i = 0; i < 3; ++i) {
      const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
      for (int j = 0; j < 3; ++j) {
        const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
        const V3 n = cross(l.b[j], l.beta[i]);
        const V sd = dot(n, l.d);
        V s = hn::Sub(hn::Abs(sd), hn::Add(hn::Mul(l.h[j1], hn::Abs(cosine[i][j2])),
                                           hn::Mul(l.h[j2], hn::Abs(cosine[i][j1]))));
        s = hn::Sub(
            s, hn::Add(hn::Mul(l.g[i1], hn::Abs(cosine[i2][j])), hn::Mul(l.g[i2], hn::Abs(cosine[i1][j]))));
        V r = hn::Xor(dot(n, l.u), hn::And(sd, hn::Set(tag, -0.0F)));
        // (b_j x beta_i) . (w x b_k) = (b_j . w)(beta_i . b_k) - (b_j . b_k)(beta_i . w), and so for the
        // other.
        if constexpr (kSpins) {
          r = hn::Add(r, hn::Mul(l.h[j], hn::Abs(hn::Sub(hn::Mul(wb[j], cosine[i][j]), w_beta[i]))));
          r = hn::Add(r, hn::Mul(l.h[j1], hn::Abs(hn::Mul(wb[j], cosine[i][j1]))));
          r = hn::Add(r, hn::Mul(l.h[j2], hn::Abs(hn::Mul(wb[j], cosine[i][j2]))));
        }
        if constexpr (kOtherSpins) {
          r = hn::Add(r, hn::Mul(l.g[i], hn::Abs(hn::Sub(ob[j], hn::Mul(cosine[i][j], other_w_beta[i])))));
          r = hn::Add(r, hn::Mul(l.g[i1], hn::Abs(hn::Mul(cosine[i1][j], other_w_beta[i]))));
          r = hn::Add(r, hn::Mul(l.g[i2], hn::Abs(hn::Mul(cosine[i2][j], other_w_beta[i]))));
        }
        l.take(tag, s, r);
      }
    }
  }
  hn::StoreU(l.step, tag, steps + at);
  hn::StoreU(l.gap, tag, gaps + at);
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
