#include "ccd/search/box_steps.hpp"

#include <cstddef>
#include <type_traits>

#ifndef TOCCATA_BOX_STEPS_INPUT  // the rest is compiled once an instruction set
#define TOCCATA_BOX_STEPS_INPUT
namespace toccata::search {
namespace {

// The other box seen from the node; its axes are beta_i. Fourth coordinates are unused.
struct alignas(16) OtherBox {
  float center[4];
  float velocity[4];  // of this body at the node's origin minus that of the other box's centre
  float axis[3][4];   // axis[i][coordinate]
  float half[3];
  float acceleration;   // K > 0
  float own_spin[4];    // angular velocity of this body
  float other_spin[4];  // and of the other one
  // Subtracted from s: rounding, pose errors, minimum distance; added to r. A constant, and lengths or speeds
  // of which roundings are a share.
  float padding[4];
};

}  // namespace
}  // namespace toccata::search
#endif

// SSE4, AVX2 and AVX-512 beside the baseline: the targets between them gain nothing here.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ccd/search/box_steps.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace toccata::search {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr double v = 0x1p-24;  // unit roundoff of float

// Four coordinates in double, in as many vectors as it takes.
struct Coordinates4 {
  using Tag = hn::CappedTag<double, 4>;
  static constexpr std::size_t lanes = hn::MaxLanes(Tag()), vectors = 4 / lanes;
  hn::Vec<Tag> part[vectors];

  HWY_INLINE void load(const double* from) {
    for (std::size_t i = 0; i < vectors; ++i) part[i] = hn::Load(Tag(), from + i * lanes);
  }
  HWY_INLINE void add(double factor, const double* column) {
    const auto f = hn::Set(Tag(), factor);
    for (std::size_t i = 0; i < vectors; ++i)
      part[i] = hn::MulAdd(f, hn::Load(Tag(), column + i * lanes), part[i]);
  }
  HWY_INLINE void load_product(const double* factors, const double (&columns)[3][4]) {
    for (std::size_t i = 0; i < vectors; ++i)
      part[i] = hn::Mul(hn::Set(Tag(), factors[0]), hn::Load(Tag(), columns[0] + i * lanes));
    add(factors[1], columns[1]);
    add(factors[2], columns[2]);
  }
  HWY_INLINE void add_all(const double* factors, const double (&columns)[3][4]) {
    for (int k = 0; k < 3; ++k) add(factors[k], columns[k]);
  }
  HWY_INLINE void add(const double* other) {
    for (std::size_t i = 0; i < vectors; ++i) part[i] = hn::Add(part[i], hn::Load(Tag(), other + i * lanes));
  }
  HWY_INLINE void add(const Coordinates4& other) {
    for (std::size_t i = 0; i < vectors; ++i) part[i] = hn::Add(part[i], other.part[i]);
  }
  HWY_INLINE void subtract(const Coordinates4& other) {
    for (std::size_t i = 0; i < vectors; ++i) part[i] = hn::Sub(part[i], other.part[i]);
  }
  HWY_INLINE void store(float* to) const {
    const hn::Rebind<float, Tag> floats;
    for (std::size_t i = 0; i < vectors; ++i)
      hn::StoreU(hn::DemoteTo(floats, part[i]), floats, to + i * lanes);
  }
  // Without the fourth.
  HWY_INLINE double length() const {
    HWY_ALIGN double x[4];
    for (std::size_t i = 0; i < vectors; ++i) hn::Store(part[i], Tag(), x + i * lanes);
    const hn::CappedTag<double, 1> one;
    return hn::GetLane(hn::Sqrt(hn::Set(one, x[0] * x[0] + x[1] * x[1] + x[2] * x[2])));
  }
};

HWY_INLINE void copy_four(const float* from, float* to) {
  const hn::CappedTag<float, 4> d;
  for (std::size_t i = 0; i < 4; i += hn::Lanes(d)) hn::StoreU(hn::LoadU(d, from + i), d, to + i);
}

// The other box's axes in this frame, in float: v for the matrix, 3v for the products.
HWY_INLINE void put_axes(const BoxView& view, const BoxNode& theirs, std::uint32_t slot, OtherBox& box) {
  const hn::CappedTag<float, 4> d;
  for (std::size_t at = 0; at < 4; at += hn::Lanes(d)) {
    const auto x = hn::LoadU(d, view.float_rotation[0] + at), y = hn::LoadU(d, view.float_rotation[1] + at),
               z = hn::LoadU(d, view.float_rotation[2] + at);
    for (int i = 0; i < 3; ++i) {
      const auto turned = hn::MulAdd(z, hn::Set(d, theirs.axis[i][2][slot]),
                                     hn::MulAdd(y, hn::Set(d, theirs.axis[i][1][slot]),
                                                hn::Mul(x, hn::Set(d, theirs.axis[i][0][slot]))));
      hn::StoreU(turned, d, box.axis[i] + at);
    }
  }
}

// A node's origin, and behind it its reach.
HWY_INLINE void load_origin(const BoxNode& node, Coordinates4& to) {
  static_assert(offsetof(BoxNode, reach) == offsetof(BoxNode, origin) + 3 * sizeof(float));
  const auto* from =
      reinterpret_cast<const float*>(reinterpret_cast<const char*>(&node) + offsetof(BoxNode, origin));
  const hn::Rebind<float, Coordinates4::Tag> floats;
  for (std::size_t i = 0; i < Coordinates4::vectors; ++i)
    to.part[i] = hn::PromoteTo(Coordinates4::Tag(), hn::LoadU(floats, from + i * Coordinates4::lanes));
}

HWY_INLINE void put_box(const BoxView& view, const BoxNode& node, const BoxNode& theirs, std::uint32_t slot,
                        double distance, OtherBox& box) {
  put_axes(view, theirs, slot, box);
  double place[3], origin[3];
  for (int k = 0; k < 3; ++k) {
    place[k] = static_cast<double>(theirs.origin[k]) + static_cast<double>(theirs.center[k][slot]);
    origin[k] = static_cast<double>(node.origin[k]);
    box.half[k] = theirs.half[k][slot];
  }
  const float extent = box.half[0] + box.half[1] + box.half[2], reach = node.reach;
  // In double: terms may cancel.
  Coordinates4 center, velocity, turn;
  load_origin(node, turn);
  center.load(view.translation);
  center.subtract(turn);
  center.add_all(place, view.rotation);
  center.store(box.center);
  velocity.load(view.velocity);
  double acceleration = view.acceleration;
  float swing = 0.0F;  // speed that spins bring into the box test, for the padding
  if (view.own.bound.spins) {
    turn.load_product(origin, view.own.arms);
    velocity.add(turn);
    turn.add(view.own.turning);
    swing += static_cast<float>(view.own.bound.spin) * reach;
    acceleration += view.own.bound.rate * turn.length() + view.own.bound.axial * static_cast<double>(reach);
  }
  if (view.other.bound.spins) {
    turn.load_product(place, view.other.arms);
    velocity.subtract(turn);
    turn.add(view.other.turning);
    const hn::CappedTag<float, 1> one;
    const float squared = box.half[0] * box.half[0] + box.half[1] * box.half[1] + box.half[2] * box.half[2];
    const float radius = hn::GetLane(hn::Sqrt(hn::Set(one, squared)));
    swing += static_cast<float>(view.other.bound.spin) * extent;
    acceleration +=
        view.other.bound.rate * turn.length() + view.other.bound.axial * static_cast<double>(radius);
  }
  velocity.store(box.velocity);
  box.acceleration = rounded_up(acceleration * (1.0 + 0x1p-18)) + 1e-30F;
  box.padding[0] = rounded_up(view.gap_padding + distance);
  box.padding[1] = reach + extent;
  box.padding[2] = rounded_up(view.rate_padding);
  box.padding[3] = swing;
  copy_four(view.own.float_spin, box.own_spin);
  copy_four(view.other.float_spin, box.other_spin);
}

// One group of eight in the lanes, or parts of it; or two groups, the second one in the upper lanes.
template <typename D, bool kSpins, bool kOtherSpins>
struct BoxLanes {
  static constexpr D d = {};
  static constexpr std::size_t lanes = hn::MaxLanes(D());
  static constexpr bool is_pair = lanes > box_width;
  using V = hn::Vec<D>;
  struct V3 {
    V x, y, z;
  };
  using Part = hn::CappedTag<float, box_width>;

  BoxLanes(const BoxNode& low, const BoxNode& high, const OtherBox& low_box, const OtherBox& high_box,
           std::size_t first)
      : node(low), other_node(high), box(low_box), other_box(high_box), at(first) {}

  const BoxNode& node;
  const BoxNode& other_node;  // of the upper lanes
  const OtherBox& box;
  const OtherBox& other_box;
  std::size_t at;

  // What follows has h, g: half extents of the child and of the other box; cosine[i][j]: of the other's axis
  // i and the child's axis j. With these nothing else of the axes is needed: a direction n is known by its
  // coordinates n . b_j and n . beta_i, and products of directions become determinants of coordinates.
  V h[3], g[3], cosine[3][3];
  V own[3], other[3];              // from centre to centre along the child's axes, and along the other's
  V speed_own[3], speed_other[3];  // velocity of the child's centre relative to the other's, along the same
  V spin[3],
      spin_of_other[3];       // angular velocities of the child's and the other's body along the child's axes
  V spin_along[3], swing[3];  // and along the other's

  static HWY_INLINE V two_of(hn::Vec<Part> low, hn::Vec<Part> high) {
#if HWY_MAX_BYTES >= 64
    return hn::Combine(d, high, low);
#else
    (void)high;
    return low;
#endif
  }
  HWY_INLINE V set(const float& low, const float& high) const {
    if constexpr (is_pair) {
      return hn::IfThenElse(hn::FirstN(d, box_width), hn::Set(d, low), hn::Set(d, high));
    } else {
      return hn::Set(d, low);
    }
  }
  HWY_INLINE V3 set3(const float* low, const float* high) const {
    return {set(low[0], high[0]), set(low[1], high[1]), set(low[2], high[2])};
  }
  HWY_INLINE V load(const float* low, const float* high) const {
    if constexpr (is_pair) {
      return two_of(hn::Load(Part(), low), hn::Load(Part(), high));
    } else {
      return hn::Load(d, low + at);
    }
  }
  HWY_INLINE V3 load3(const float (&low)[3][box_width], const float (&high)[3][box_width]) const {
    return {load(low[0], high[0]), load(low[1], high[1]), load(low[2], high[2])};
  }

  static HWY_INLINE V dot(const V3& a, const V3& b) {
    return hn::MulAdd(a.z, b.z, hn::MulAdd(a.y, b.y, hn::Mul(a.x, b.x)));
  }
  // a b - c d.
  static HWY_INLINE V determinant(V a, V b, V c, V e) {
    return hn::NegMulAdd(c, e, hn::Mul(a, b));
  }
  // How far a box with half extents s reaches along a direction with coordinates n along its axes.
  static HWY_INLINE V support(const V (&n)[3], const V (&s)[3]) {
    return hn::MulAdd(s[2], hn::Abs(n[2]), hn::MulAdd(s[1], hn::Abs(n[1]), hn::Mul(s[0], hn::Abs(n[0]))));
  }
  // x with its sign flipped where `sense` is negative.
  static HWY_INLINE V toward(V x, V sense) {
    return hn::Xor(x, hn::And(sense, hn::Set(d, -0.0F)));
  }

  // What follows is unrolled by its templates: where an index is known only later, the compiler keeps the
  // vectors in memory.
  template <int i>
  HWY_INLINE void set_other(const V3& apart, const V3& u, const V3& w, const V3& other_w, V3 (&beta)[3]) {
    beta[i] = set3(box.axis[i], other_box.axis[i]);
    g[i] = set(box.half[i], other_box.half[i]);
    other[i] = dot(apart, beta[i]);
    speed_other[i] = dot(u, beta[i]);
    if constexpr (kSpins) spin_along[i] = dot(w, beta[i]);
    if constexpr (kOtherSpins) swing[i] = dot(other_w, beta[i]);
  }
  template <int j>
  HWY_INLINE void set_own(const V3& apart, const V3& u, const V3& w, const V3& other_w, const V3 (&beta)[3]) {
    const V3 b = load3(node.axis[j], other_node.axis[j]);
    h[j] = load(node.half[j], other_node.half[j]);
    own[j] = dot(apart, b);
    speed_own[j] = dot(u, b);
    cosine[0][j] = dot(beta[0], b);
    cosine[1][j] = dot(beta[1], b);
    cosine[2][j] = dot(beta[2], b);
    if constexpr (kSpins) spin[j] = dot(w, b);
    if constexpr (kOtherSpins) spin_of_other[j] = dot(other_w, b);
  }
  HWY_INLINE void set_coordinates() {
    const V3 c = load3(node.center, other_node.center);
    const V3 m = set3(box.center, other_box.center);
    const V3 apart = {hn::Sub(m.x, c.x), hn::Sub(m.y, c.y), hn::Sub(m.z, c.z)};
    V3 u = set3(box.velocity, other_box.velocity);
    V3 w = u, other_w = u;
    if constexpr (kSpins) {
      w = set3(box.own_spin, other_box.own_spin);
      u = {hn::Add(u.x, determinant(w.y, c.z, w.z, c.y)), hn::Add(u.y, determinant(w.z, c.x, w.x, c.z)),
           hn::Add(u.z, determinant(w.x, c.y, w.y, c.x))};
    }
    if constexpr (kOtherSpins) other_w = set3(box.other_spin, other_box.other_spin);
    V3 beta[3];
    set_other<0>(apart, u, w, other_w, beta);
    set_other<1>(apart, u, w, other_w, beta);
    set_other<2>(apart, u, w, other_w, beta);
    set_own<0>(apart, u, w, other_w, beta);
    set_own<1>(apart, u, w, other_w, beta);
    set_own<2>(apart, u, w, other_w, beta);
  }

  // How much the turning of the box with half extents s brings its points ahead along n, at most: the sum of
  // s_i |n . (w x b_i)|, n and w given by their coordinates along the b_i.
  static HWY_INLINE V spread(const V (&n)[3], const V (&w)[3], const V (&s)[3]) {
    const V x = hn::Mul(s[0], hn::Abs(determinant(n[1], w[2], n[2], w[1])));
    const V xy = hn::MulAdd(s[1], hn::Abs(determinant(n[2], w[0], n[0], w[2])), x);
    return hn::MulAdd(s[2], hn::Abs(determinant(n[0], w[1], n[1], w[0])), xy);
  }
  // The same along the box's own axis i.
  template <int i>
  static HWY_INLINE V turning_along(const V (&w)[3], const V (&s)[3]) {
    constexpr int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    return hn::MulAdd(s[i1], hn::Abs(w[i2]), hn::Mul(s[i2], hn::Abs(w[i1])));
  }

  // Gaps and closing speeds along the six faces.
  V face_s[6], face_r[6];

  template <int i>
  HWY_INLINE void set_face_of_other() {
    const V row[3] = {cosine[i][0], cosine[i][1], cosine[i][2]};
    face_s[i] = hn::Sub(hn::Sub(hn::Abs(other[i]), g[i]), support(row, h));
    V r = toward(speed_other[i], other[i]);
    if constexpr (kSpins) r = hn::Add(r, spread(row, spin, h));
    if constexpr (kOtherSpins) r = hn::Add(r, turning_along<i>(swing, g));
    face_r[i] = r;
  }
  template <int j>
  HWY_INLINE void set_own_face() {
    const V column[3] = {cosine[0][j], cosine[1][j], cosine[2][j]};
    face_s[3 + j] = hn::Sub(hn::Sub(hn::Abs(own[j]), h[j]), support(column, g));
    V r = toward(speed_own[j], own[j]);
    if constexpr (kSpins) r = hn::Add(r, turning_along<j>(spin, h));
    if constexpr (kOtherSpins) r = hn::Add(r, spread(column, swing, g));
    face_r[3 + j] = r;
  }
  HWY_INLINE void set_faces() {
    set_face_of_other<0>();
    set_face_of_other<1>();
    set_face_of_other<2>();
    set_own_face<0>();
    set_own_face<1>();
    set_own_face<2>();
  }

  // The one along which the gap is widest now.
  HWY_INLINE void widest(V& gap, V& speed) const {
    gap = face_s[0];
    speed = face_r[0];
    widen<1>(gap, speed);
    widen<2>(gap, speed);
    widen<3>(gap, speed);
    widen<4>(gap, speed);
    widen<5>(gap, speed);
  }
  template <int i>
  HWY_INLINE void widen(V& gap, V& speed) const {
    speed = hn::IfThenElse(hn::Gt(face_s[i], gap), face_r[i], speed);
    gap = hn::Max(gap, face_s[i]);
  }

  // The positive root of s = r x + K x^2 / 2, less sixteen roundings; 0 where s <= 0. K > 0.
  V k, gap_padding, rate_padding;

  HWY_INLINE void set_bounds() {
    k = set(box.acceleration, other_box.acceleration);
    const V share = hn::Set(d, static_cast<float>(128.0 * v * (1.0 + 0x1p-16)));
    const V3 m = set3(box.center, other_box.center), u = set3(box.velocity, other_box.velocity);
    gap_padding = hn::MulAdd(share, sum_of(m, set(box.padding[1], other_box.padding[1])),
                             set(box.padding[0], other_box.padding[0]));
    rate_padding = hn::MulAdd(share, sum_of(u, set(box.padding[3], other_box.padding[3])),
                              set(box.padding[2], other_box.padding[2]));
  }
  static HWY_INLINE V sum_of(const V3& x, V more) {
    return hn::Add(hn::Add(hn::Abs(x.x), hn::Abs(x.y)), hn::Add(hn::Abs(x.z), more));
  }

  HWY_INLINE V root(V gap, V speed) const {
    const V zero = hn::Zero(d);
    const V s = hn::Sub(gap, gap_padding), r = hn::Add(speed, rate_padding);
    const V two_s = hn::Max(hn::Add(s, s), zero);
    const V radicand = hn::MulAdd(k, two_s, hn::Mul(r, r));
    const V size = hn::Abs(r);
    const V sum = hn::Add(size, hn::Max(hn::Sqrt(radicand), size));  // r * r may have underflowed
    const auto closing = hn::Ge(r, zero);
    const V numerator = hn::IfThenElse(closing, two_s, sum);
    const V denominator = hn::IfThenElse(closing, sum, k);
    const V step = hn::Mul(hn::Div(numerator, denominator), hn::Set(d, 1.0F - 0x1p-20F));
    return hn::IfThenElseZero(hn::Gt(s, zero), step);
  }

  // The direction whose line is highest at `when`, without paddings.
  V when, height, best_s, best_r;

  HWY_INLINE void start(V now) {
    when = now;
    best_s = face_s[0];
    best_r = face_r[0];
    height = hn::NegMulAdd(best_r, when, best_s);
    take(face_s[1], face_r[1]);
    take(face_s[2], face_r[2]);
    take(face_s[3], face_r[3]);
    take(face_s[4], face_r[4]);
    take(face_s[5], face_r[5]);
  }
  HWY_INLINE void take(V s, V r) {
    const V line = hn::NegMulAdd(r, when, s);
    const auto better = hn::Gt(line, height);
    height = hn::Max(height, line);
    best_s = hn::IfThenElse(better, s, best_s);
    best_r = hn::IfThenElse(better, r, best_r);
  }

  // n = b_j x beta_i; n . (w x b_k) = (b_j . w)(beta_i . b_k) - (b_j . b_k)(beta_i . w), and so for the
  // other.
  template <int i, int j>
  HWY_INLINE void take_edge() {
    constexpr int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
    const V size1 = hn::Abs(cosine[i][j1]), size2 = hn::Abs(cosine[i][j2]);
    const V other_size1 = hn::Abs(cosine[i1][j]), other_size2 = hn::Abs(cosine[i2][j]);
    const V distance = determinant(cosine[i][j1], own[j2], cosine[i][j2], own[j1]);
    const V speed = determinant(cosine[i][j1], speed_own[j2], cosine[i][j2], speed_own[j1]);
    const V own_reach = hn::MulAdd(h[j1], size2, hn::Mul(h[j2], size1));
    const V reach = hn::MulAdd(g[i1], other_size2, hn::MulAdd(g[i2], other_size1, own_reach));
    const V s = hn::Sub(hn::Abs(distance), reach);
    V r = toward(speed, distance);
    if constexpr (kSpins) {
      const V along = hn::Abs(hn::Sub(hn::Mul(spin[j], cosine[i][j]), spin_along[i]));
      const V rest = hn::MulAdd(h[j1], size1, hn::Mul(h[j2], size2));
      r = hn::MulAdd(hn::Abs(spin[j]), rest, hn::MulAdd(h[j], along, r));
    }
    if constexpr (kOtherSpins) {
      const V along = hn::Abs(hn::NegMulAdd(cosine[i][j], swing[i], spin_of_other[j]));
      const V rest = hn::MulAdd(g[i1], other_size1, hn::Mul(g[i2], other_size2));
      r = hn::MulAdd(hn::Abs(swing[i]), rest, hn::MulAdd(g[i], along, r));
    }
    take(s, r);
  }
  HWY_INLINE void take_edges() {
    take_edge<0, 0>();
    take_edge<0, 1>();
    take_edge<0, 2>();
    take_edge<1, 0>();
    take_edge<1, 1>();
    take_edge<1, 2>();
    take_edge<2, 0>();
    take_edge<2, 1>();
    take_edge<2, 2>();
  }

  // All lanes of the groups with a lane that is marked.
  static HWY_INLINE hn::Mask<D> groups_of(hn::Mask<D> marks) {
    std::uint8_t bits[8] = {};
    hn::StoreMaskBits(d, marks, bits);
    for (std::uint8_t& group : bits) group = group != 0 ? 0xFF : 0;
    return hn::LoadMaskBits(d, bits);
  }

  // Apart for so long.
  HWY_INLINE V steps(float near_step, float most) {
    set_coordinates();
    set_bounds();
    set_faces();
    const V enough = hn::Set(d, most);
    // Without a root it is not known when lines should be compared; the widest gap is hardly ever worse.
    V gap, speed;
    widest(gap, speed);
    V step = root(gap, speed);
    if (!hn::AllFalse(d, hn::Lt(step, enough))) {
      start(hn::Min(step, enough));
      const auto near = hn::Lt(step, hn::Min(enough, hn::Set(d, near_step)));
      if (!hn::AllFalse(d, near)) {
        const V face = best_s, face_rate = best_r;
        take_edges();
        if constexpr (is_pair) {
          // A group that would not have asked for edges alone goes without.
          const auto asked = groups_of(near);
          best_s = hn::IfThenElse(asked, best_s, face);
          best_r = hn::IfThenElse(asked, best_r, face_rate);
        }
      }
      step = hn::Max(step, root(best_s, best_r));
    }
    return step;
  }
};

// The times of one group as PendingGroup keeps them, from the lane `at` on; the earliest so far.
template <typename D>
HWY_INLINE hn::Vec<D> schedule(D d, hn::Vec<D> step, const BoxTestLimits& limits, std::size_t at,
                               std::int32_t count, float since, bool is_fresh, PendingGroup& group) {
  using V = hn::Vec<D>;
  const hn::RebindToUnsigned<D> bits;
  const V never = hn::Set(d, PendingGroup::never), known = hn::Set(d, since);
  const V before = is_fresh ? known : hn::LoadU(d, group.when.data() + at);
  const V time = hn::Max(before, hn::Mul(hn::Add(hn::Set(d, limits.now), step), hn::Set(d, 1.0F - 0x1p-19F)));
  const auto slot = hn::Iota(bits, static_cast<std::uint32_t>(at));
  const V marked = hn::BitCast(
      d, hn::Or(hn::AndNot(hn::Set(bits, PendingGroup::slot_bits), hn::BitCast(bits, time)), slot));
  const auto used =
      hn::FirstN(d, static_cast<std::size_t>(count) > at ? static_cast<std::size_t>(count) - at : 0);
  const auto wanted = hn::And(used, hn::And(hn::Le(time, hn::Set(d, limits.last)), hn::Ge(before, known)));
  const V when = hn::IfThenElse(wanted, marked, never);
  hn::StoreU(when, d, group.when.data() + at);
  return when;
}

HWY_INLINE float enough_of(const BoxTestLimits& limits) {
  return (limits.last - limits.now) * (1.0F + 0x1p-20F) + 1e-30F;
}

using EightTag = hn::CappedTag<float, box_width>;

// A function for each kind of spins: together their vectors take more than a page of the stack, and stores
// hold up loads whose addresses differ from theirs by a page.
template <bool kSpins, bool kOtherSpins>
HWY_NOINLINE void steps_of_one(const BoxTest& test, const OtherBox& box, const BoxTestLimits& limits) {
  const EightTag d;
  const float since = test.group->earliest;
  auto earliest = hn::Set(d, PendingGroup::never);
  for (std::size_t at = 0; at < box_width; at += hn::Lanes(d)) {
    BoxLanes<EightTag, kSpins, kOtherSpins> lanes(*test.node, *test.node, box, box, at);
    const auto step = lanes.steps(limits.near_step, enough_of(limits));
    earliest =
        hn::Min(earliest, schedule(d, step, limits, at, test.node->count, since, test.is_fresh, *test.group));
  }
  test.group->earliest = hn::GetLane(hn::MinOfLanes(d, earliest));
}

void one_group_kernel(const BoxTest& test, const BoxTestLimits& limits) {
  OtherBox box;
  const BoxView& view = *test.view;
  put_box(view, *test.node, *test.theirs, test.slot, limits.distance, box);
  if (view.own.bound.spins) {
    view.other.bound.spins ? steps_of_one<true, true>(test, box, limits)
                           : steps_of_one<true, false>(test, box, limits);
  } else {
    view.other.bound.spins ? steps_of_one<false, true>(test, box, limits)
                           : steps_of_one<false, false>(test, box, limits);
  }
}

#if HWY_MAX_BYTES >= 64
template <bool kSpins, bool kOtherSpins>
HWY_NOINLINE void steps_of_two(const BoxTest (&tests)[2], const OtherBox (&boxes)[2],
                               const BoxTestLimits& limits) {
  using Tag = hn::CappedTag<float, 2 * box_width>;
  const EightTag d;
  BoxLanes<Tag, kSpins, kOtherSpins> lanes(*tests[0].node, *tests[1].node, boxes[0], boxes[1], 0);
  const auto step = lanes.steps(limits.near_step, enough_of(limits));
  const auto put = [&](const BoxTest& test, hn::Vec<EightTag> own) HWY_ATTR {
    PendingGroup& group = *test.group;
    const auto when = schedule(d, own, limits, 0, test.node->count, group.earliest, test.is_fresh, group);
    group.earliest = hn::GetLane(hn::MinOfLanes(d, when));
  };
  put(tests[0], hn::LowerHalf(d, step));
  put(tests[1], hn::UpperHalf(d, step));
}

// A body that spins for one of them may as well spin for both: its spin is zero where it does not.
void two_groups_kernel(const BoxTest (&tests)[2], const BoxTestLimits& limits) {
  OtherBox boxes[2];
  bool spins = false, other_spins = false;
  for (int i = 0; i < 2; ++i) {
    const BoxTest& test = tests[i];
    put_box(*test.view, *test.node, *test.theirs, test.slot, limits.distance, boxes[i]);
    spins |= test.view->own.bound.spins;
    other_spins |= test.view->other.bound.spins;
  }
  if (spins) {
    other_spins ? steps_of_two<true, true>(tests, boxes, limits)
                : steps_of_two<true, false>(tests, boxes, limits);
  } else {
    other_spins ? steps_of_two<false, true>(tests, boxes, limits)
                : steps_of_two<false, false>(tests, boxes, limits);
  }
}
#else
void two_groups_kernel(const BoxTest (&tests)[2], const BoxTestLimits& limits) {
  for (const BoxTest& test : tests) one_group_kernel(test, limits);
}
#endif

}  // namespace HWY_NAMESPACE
}  // namespace toccata::search
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toccata::search {

HWY_EXPORT(one_group_kernel);
HWY_EXPORT(two_groups_kernel);

void box_steps(const BoxTest& test, const BoxTestLimits& limits) {
  HWY_DYNAMIC_DISPATCH(one_group_kernel)(test, limits);
}

void box_steps(const BoxTest (&tests)[2], const BoxTestLimits& limits) {
  HWY_DYNAMIC_DISPATCH(two_groups_kernel)(tests, limits);
}

}  // namespace toccata::search
#endif
