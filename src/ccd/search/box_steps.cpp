#include "ccd/search/box_steps.hpp"

#include <cmath>
#include <limits>

// SSE4, AVX2 and AVX-512 beside the baseline: the targets between them gain nothing here.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ccd/search/box_steps.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "hierarchy/box_lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace toccata::search {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using namespace toccata::hierarchy::HWY_NAMESPACE;

// The other box seen from the node; its axes are beta_i.
struct OtherBox {
  float center[3];
  float axis[3][4];  // axis[coordinate][i]
  float half[4];
  float velocity[3];          // of this body at the node's origin minus that of the other box's centre
  float spin[3];              // angular velocity of this body
  float spin_along[4];        // spin . beta_i
  float other_spin[3];        // angular velocity of the other body
  float other_spin_along[4];  // other_spin . beta_i
  float acceleration;         // K > 0
  float gap_padding;          // subtracted from s: rounding, pose errors, minimum distance
  float rate_padding;         // added to r
};

constexpr double v = 0x1p-24;  // unit roundoff of float

HWY_INLINE double cross_at(int k, const double* a, const double* b) {
  const int k1 = k == 2 ? 0 : k + 1, k2 = k == 0 ? 2 : k - 1;
  return a[k1] * b[k2] - a[k2] * b[k1];
}
HWY_INLINE double length(const double* x) {
  return std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

// The other box's axes in this frame, in float: v for the matrix, 3v for the products.
HWY_INLINE void put_axes(const BoxView& view, const BoxNode& theirs, std::uint32_t slot, OtherBox& box) {
  Four turned[3];
  turn_axes(view.float_rotation, theirs, slot, turned);
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < 4; ++i) box.axis[k][i] = turned[k].x[i];
    box.spin[k] = static_cast<float>(view.own.spin[k]);
    box.other_spin[k] = static_cast<float>(view.other.spin[k]);
    box.half[k] = theirs.half[k][slot];
  }
  combine(box.spin, turned, box.spin_along);
  combine(box.other_spin, turned, box.other_spin_along);
}

HWY_INLINE void put_box(const BoxView& view, const BoxNode& node, const BoxNode& theirs, std::uint32_t slot,
                        double distance, OtherBox& box) {
  put_axes(view, theirs, slot, box);
  double arm[3], origin[3], center[3], velocity[3], own[3], other[3];
  turn_center(view.rotation, theirs, slot, arm);
  for (int k = 0; k < 3; ++k) {
    origin[k] = static_cast<double>(node.origin[k]);
    center[k] = arm[k] + view.translation[k] - origin[k];
    velocity[k] = view.velocity[k];
  }
  const double half[3] = {static_cast<double>(box.half[0]), static_cast<double>(box.half[1]),
                          static_cast<double>(box.half[2])};
  const double extent = half[0] + half[1] + half[2];
  const auto reach = static_cast<double>(node.reach);
  double acceleration = view.acceleration;
  double swing = 0.0;  // speed that spins bring into the box test, for the padding
  if (view.own.bound.spins) {
    for (int k = 0; k < 3; ++k) {
      const double turn = cross_at(k, view.own.spin, origin);
      velocity[k] += turn;
      own[k] = view.own.turning[k] + turn;
    }
    swing += view.own.bound.spin * reach;
    acceleration += view.own.bound.rate * length(own) + view.own.bound.axial * reach;
  }
  if (view.other.bound.spins) {
    for (int k = 0; k < 3; ++k) {
      const double turn = cross_at(k, view.other.spin, arm);
      velocity[k] -= turn;
      other[k] = view.other.turning[k] + turn;
    }
    swing += view.other.bound.spin * extent;
    acceleration += view.other.bound.rate * length(other) + view.other.bound.axial * length(half);
  }
  for (int k = 0; k < 3; ++k) {
    box.center[k] = static_cast<float>(center[k]);
    box.velocity[k] = static_cast<float>(velocity[k]);
  }
  box.acceleration = rounded_up(acceleration * (1.0 + 0x1p-18)) + 1e-30F;
  box.gap_padding =
      rounded_up(128.0 * v * (length_bound(center) + reach + extent) + view.gap_padding + distance);
  box.rate_padding = rounded_up(128.0 * v * (length_bound(velocity) + swing) + view.rate_padding);
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

  HWY_INLINE void start(V now, V first_s, V first_r) {
    when = now;
    s = first_s;
    r = first_r;
    height = hn::NegMulAdd(r, when, s);
  }
  HWY_INLINE void take(V other_s, V other_r) {
    const V other = hn::NegMulAdd(other_r, when, other_s);
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
  const V xy = hn::MulAdd(h[1], hn::Abs(determinant(n[2], w[0], n[0], w[2])), x);
  return hn::MulAdd(h[2], hn::Abs(determinant(n[0], w[1], n[1], w[0])), xy);
}
// The same along the box's own axis i.
HWY_INLINE V turning_along(const V (&w)[3], const V (&h)[3], int i) {
  const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
  return hn::MulAdd(h[i1], hn::Abs(w[i2]), hn::Mul(h[i2], hn::Abs(w[i1])));
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

// Gaps and closing speeds along the six faces.
struct Faces {
  V s[6], r[6];

  // Takes the one along which the gap is widest now.
  HWY_INLINE void widest(V& gap, V& speed) const {
    gap = s[0];
    speed = r[0];
    for (int i = 1; i < 6; ++i) {
      speed = hn::IfThenElse(hn::Gt(s[i], gap), r[i], speed);
      gap = hn::Max(gap, s[i]);
    }
  }
};

template <bool kSpins, bool kOtherSpins>
HWY_INLINE Faces faces_of(const Coordinates& x) {
  const D tag;
  Faces faces;
  for (int i = 0; i < 3; ++i) {
    faces.s[i] = hn::Sub(hn::Sub(hn::Abs(x.other[i]), x.g[i]), support(x.cosine[i], x.h));
    V r = toward(tag, x.speed_other[i], x.other[i]);
    if constexpr (kSpins) r = hn::Add(r, spread(x.cosine[i], x.spin, x.h));
    if constexpr (kOtherSpins) r = hn::Add(r, turning_along(x.swing, x.g, i));
    faces.r[i] = r;
  }
  for (int j = 0; j < 3; ++j) {
    const V column[3] = {x.cosine[0][j], x.cosine[1][j], x.cosine[2][j]};
    faces.s[3 + j] = hn::Sub(hn::Sub(hn::Abs(x.own[j]), x.h[j]), support(column, x.g));
    V r = toward(tag, x.speed_own[j], x.own[j]);
    if constexpr (kSpins) r = hn::Add(r, turning_along(x.spin, x.h, j));
    if constexpr (kOtherSpins) r = hn::Add(r, spread(column, x.swing, x.g));
    faces.r[3 + j] = r;
  }
  return faces;
}

// The line across the relative motion: d - lambda u, of which the part along u vanishes.
template <bool kSpins, bool kOtherSpins>
HWY_INLINE void take_across(const Coordinates& x, V dd, V du, V uu, Choice& choice) {
  const D tag;
  const V lambda = hn::Div(du, hn::Max(uu, hn::Set(tag, 1e-30F)));
  const V squared = hn::NegMulAdd(lambda, du, dd);
  // Short ones are dropped: neither their length nor their coordinates would be known well enough.
  const auto known =
      hn::And(hn::Gt(squared, hn::Mul(dd, hn::Set(tag, 0x1p-4F))),
              hn::And(hn::Gt(squared, hn::Set(tag, 1e-30F)), hn::Gt(uu, hn::Set(tag, 1e-30F))));
  const V inverse = hn::Div(hn::Set(tag, 1.0F - 0x1p-14F), hn::Sqrt(squared));
  V own[3], other[3];
  for (int i = 0; i < 3; ++i) {
    own[i] = hn::NegMulAdd(lambda, x.speed_own[i], x.own[i]);
    other[i] = hn::NegMulAdd(lambda, x.speed_other[i], x.other[i]);
  }
  const V reach = hn::Add(support(own, x.h), support(other, x.g));
  const V s = hn::Mul(hn::Sub(squared, reach), inverse);
  const V r =
      hn::Mul(turning<kSpins, kOtherSpins>(x, own, other), hn::Mul(inverse, hn::Set(tag, 1.0F + 0x1p-12F)));
  choice.take(hn::IfThenElse(known, s, hn::Set(tag, -1e30F)), hn::IfThenElseZero(known, r));
}

// n = b_j x beta_i; n . (w x b_k) = (b_j . w)(beta_i . b_k) - (b_j . b_k)(beta_i . w), and so for the other.
template <bool kSpins, bool kOtherSpins>
HWY_INLINE void take_edges(const Coordinates& x, const V (&spin_of_other)[3], const OtherBox& in,
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
      const V own_reach = hn::MulAdd(x.h[j1], size[i][j2], hn::Mul(x.h[j2], size[i][j1]));
      const V reach = hn::MulAdd(x.g[i1], size[i2][j], hn::MulAdd(x.g[i2], size[i1][j], own_reach));
      const V s = hn::Sub(hn::Abs(distance), reach);
      V r = toward(tag, speed, distance);
      if constexpr (kSpins) {
        const V own = hn::Abs(hn::Sub(hn::Mul(x.spin[j], x.cosine[i][j]), hn::Set(tag, in.spin_along[i])));
        const V rest = hn::MulAdd(x.h[j1], size[i][j1], hn::Mul(x.h[j2], size[i][j2]));
        r = hn::MulAdd(hn::Abs(x.spin[j]), rest, hn::MulAdd(x.h[j], own, r));
      }
      if constexpr (kOtherSpins) {
        const V own = hn::Abs(hn::NegMulAdd(x.cosine[i][j], x.swing[i], spin_of_other[j]));
        const V rest = hn::MulAdd(x.g[i1], size[i1][j], hn::Mul(x.g[i2], size[i2][j]));
        r = hn::MulAdd(hn::Abs(x.swing[i]), rest, hn::MulAdd(x.g[i], own, r));
      }
      choice.take(s, r);
    }
  }
}

// Apart for so long.
template <bool kSpins, bool kOtherSpins>
HWY_INLINE V steps_for(const BoxNode& node, const OtherBox& in, float near_step, float most, std::size_t at) {
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
  V3 beta[3];
  for (int i = 0; i < 3; ++i) {
    beta[i] = {hn::Set(tag, in.axis[0][i]), hn::Set(tag, in.axis[1][i]), hn::Set(tag, in.axis[2][i])};
    x.g[i] = hn::Set(tag, in.half[i]);
    x.other[i] = dot(d, beta[i]);
    x.speed_other[i] = dot(u, beta[i]);
    if constexpr (kOtherSpins) x.swing[i] = hn::Set(tag, in.other_spin_along[i]);
  }
  for (int j = 0; j < 3; ++j) {
    const V3 b = load3(tag, node.axis[j], at);
    x.h[j] = hn::Load(tag, node.half[j] + at);
    x.own[j] = dot(d, b);
    x.speed_own[j] = dot(u, b);
    for (int i = 0; i < 3; ++i) x.cosine[i][j] = dot(beta[i], b);
    if constexpr (kSpins) x.spin[j] = dot(set3(tag, in.spin), b);
    if constexpr (kOtherSpins) spin_of_other[j] = dot(set3(tag, in.other_spin), b);
  }
  const V k = hn::Set(tag, in.acceleration);
  const V gap_padding = hn::Set(tag, in.gap_padding);
  const V rate_padding = hn::Set(tag, in.rate_padding);
  const V enough = hn::Set(tag, most);
  const auto root = [&](V s, V r) HWY_ATTR {
    return step_of(tag, hn::Sub(s, gap_padding), hn::Add(r, rate_padding), k);
  };
  const Faces faces = faces_of<kSpins, kOtherSpins>(x);
  // Without a root it is not known when lines should be compared; the widest gap is hardly ever worse.
  V gap, speed;
  faces.widest(gap, speed);
  V step = root(gap, speed);
  // Unused lanes need no answer.
  const auto count = static_cast<std::size_t>(node.count);
  const auto used = hn::FirstN(tag, count > at ? count - at : 0);
  step = hn::IfThenElse(used, step, hn::Set(tag, 1e30F));
  if (!hn::AllFalse(tag, hn::Lt(step, enough))) {
    Choice choice;
    choice.start(hn::Min(step, enough), faces.s[0], faces.r[0]);
    for (int i = 1; i < 6; ++i) choice.take(faces.s[i], faces.r[i]);
    take_across<kSpins, kOtherSpins>(x, dot(d, d), dot(d, u), dot(u, u), choice);
    if (!hn::AllFalse(tag, hn::Lt(step, hn::Min(enough, hn::Set(tag, near_step))))) {
      take_edges<kSpins, kOtherSpins>(x, spin_of_other, in, choice);
    }
    step = hn::Max(step, root(choice.s, choice.r));
  }
  return step;
}

// The times of a group as PendingGroup keeps them.
HWY_INLINE void schedule(V step, const BoxTestLimits& limits, std::size_t at, float* when) {
  const D tag;
  const hn::RebindToUnsigned<D> bits;
  const V never = hn::Set(tag, PendingGroup::never);
  const V time = hn::Mul(hn::Add(hn::Set(tag, limits.now), step), hn::Set(tag, 1.0F - 0x1p-19F));
  const auto slot = hn::Iota(bits, static_cast<std::uint32_t>(at));
  const V marked = hn::BitCast(
      tag, hn::Or(hn::AndNot(hn::Set(bits, PendingGroup::slot_bits), hn::BitCast(bits, time)), slot));
  const auto wanted =
      hn::And(hn::Le(time, hn::Set(tag, limits.last)), hn::Lt(hn::LoadU(tag, when + at), never));
  hn::StoreU(hn::IfThenElse(wanted, marked, never), tag, when + at);
}

template <bool kSpins, bool kOtherSpins>
HWY_INLINE void steps_of_all(const BoxNode& node, const OtherBox& in, const BoxTestLimits& limits,
                             float* when) {
  const float enough = (limits.last - limits.now) * (1.0F + 0x1p-20F) + 1e-30F;
  for (std::size_t at = 0; at < box_width; at += hn::Lanes(D())) {
    schedule(steps_for<kSpins, kOtherSpins>(node, in, limits.near_step, enough, at), limits, at, when);
  }
}

void box_steps_kernel(const BoxView& view, const BoxNode& node, const BoxNode& theirs, std::uint32_t slot,
                      const BoxTestLimits& limits, float* when) {
  OtherBox box;
  put_box(view, node, theirs, slot, limits.distance, box);
  if (view.own.bound.spins) {
    view.other.bound.spins ? steps_of_all<true, true>(node, box, limits, when)
                           : steps_of_all<true, false>(node, box, limits, when);
  } else {
    view.other.bound.spins ? steps_of_all<false, true>(node, box, limits, when)
                           : steps_of_all<false, false>(node, box, limits, when);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace toccata::search
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toccata::search {

HWY_EXPORT(box_steps_kernel);

void box_steps(const BoxView& view, const BoxNode& node, const BoxNode& theirs, std::uint32_t slot,
               const BoxTestLimits& limits, PendingGroup& group) {
  HWY_DYNAMIC_DISPATCH(box_steps_kernel)(view, node, theirs, slot, limits, group.when.data());
}

}  // namespace toccata::search
#endif
