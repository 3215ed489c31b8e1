// Rounding. The angle is at most 12: its multiple of a quarter turn comes off exactly but for 2^-90 and one
// rounding, the series end below half a rounding, sine and cosine are right to 4 u. Rodrigues' entries are
// right to 16 u then, products of two turns to 64 u; whoever makes the motion takes that off (`error`).
#include "ccd/search/box_moments.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ccd/search/box_moments.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace toccata::search {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<double, 8>;
using V = hn::Vec<Tag>;
constexpr std::size_t lanes = hn::MaxLanes(Tag());

HWY_INLINE V all(double x) {
  return hn::Set(Tag(), x);
}
HWY_INLINE V dot(const V* a, const V* b) {
  return hn::Add(hn::Add(hn::Mul(a[0], b[0]), hn::Mul(a[1], b[1])), hn::Mul(a[2], b[2]));
}

// A quarter of a turn in two parts, the first of 46 bits: up to eight times that is exact.
constexpr double quarter = 0x1.921fb54442dp0, quarter_rest = 0x1.8469898cc5170p-48;
constexpr double quarters_of_radian = 0.63661977236758134308;

// Taylor's, from the highest power down; of x^2 up to half a rounding at an eighth of a turn.
constexpr double sine_terms[] = {
    -1.0 / 1307674368000.0, 1.0 / 6227020800.0, -1.0 / 39916800.0, 1.0 / 362880.0,
    -1.0 / 5040.0,          1.0 / 120.0,        -1.0 / 6.0};
constexpr double cosine_terms[] = {
    1.0 / 20922789888000.0, -1.0 / 87178291200.0, 1.0 / 479001600.0, -1.0 / 3628800.0,
    1.0 / 40320.0,          -1.0 / 720.0,         1.0 / 24.0,        -0.5};

// Odd and even powers apart: half the way for both.
template <std::size_t N>
HWY_INLINE V series(const double (&terms)[N], V x, V squared) {
  V even = all(terms[(N - 1) % 2]), odd = all(terms[N % 2]);
  for (std::size_t i = 2; i < N; i += 2) {
    if (i + (N - 1) % 2 < N) even = hn::Add(hn::Mul(even, squared), all(terms[i + (N - 1) % 2]));
    if (i + N % 2 < N) odd = hn::Add(hn::Mul(odd, squared), all(terms[i + N % 2]));
  }
  return hn::Add(hn::Mul(odd, x), even);
}

HWY_INLINE void sine_cosine(V angle, V& sine, V& cosine) {
  const V quarters = hn::Round(hn::Mul(angle, all(quarters_of_radian)));
  const V rest =
      hn::Sub(hn::Sub(angle, hn::Mul(quarters, all(quarter))), hn::Mul(quarters, all(quarter_rest)));
  const V squared = hn::Mul(rest, rest), fourth = hn::Mul(squared, squared);
  const V s = hn::Add(rest, hn::Mul(hn::Mul(rest, squared), series(sine_terms, squared, fourth)));
  const V c = hn::Add(all(1.0), hn::Mul(squared, series(cosine_terms, squared, fourth)));
  // Of the turn that is left over after whole ones: 0, 1/4, 1/2 or 3/4.
  const V turns = hn::Mul(quarters, all(0.25));
  const V part = hn::Sub(turns, hn::Floor(turns));
  const auto is_first = hn::Eq(part, all(0.25)), is_half = hn::Eq(part, all(0.5)),
             is_third = hn::Eq(part, all(0.75));
  const auto is_odd = hn::Or(is_first, is_third);
  const V x = hn::IfThenElse(is_odd, c, s), y = hn::IfThenElse(is_odd, s, c);
  sine = hn::IfThenElse(hn::Or(is_half, is_third), hn::Neg(x), x);
  cosine = hn::IfThenElse(hn::Or(is_first, is_half), hn::Neg(y), y);
}

struct Turn {
  V row[3][3];
};

// exp(angle [axis]).
HWY_INLINE Turn turn_of(const double* axis, V sine, V cosine) {
  const V rest = hn::Sub(all(1.0), cosine);
  V u[3], k[3], across[3];
  for (std::size_t i = 0; i < 3; ++i) {
    u[i] = all(axis[i]);
    k[i] = hn::Mul(rest, u[i]);
    across[i] = hn::Mul(sine, u[i]);
  }
  Turn t;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3, l = (i + 2) % 3;
    t.row[i][i] = hn::Add(cosine, hn::Mul(k[i], u[i]));
    const V both = hn::Mul(k[i], u[j]);
    t.row[i][j] = hn::Sub(both, across[l]);
    t.row[j][i] = hn::Add(both, across[l]);
  }
  return t;
}

HWY_INLINE void apply(const Turn& turn, const V* x, V* y) {
  for (std::size_t i = 0; i < 3; ++i) y[i] = dot(turn.row[i], x);
}

// The edges of a and its middle, in b's coordinates.
HWY_INLINE void place(const BoxMotion& in, V time, V (&edge)[3][3], V* middle) {
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t i = 0; i < 3; ++i) edge[i][k] = all(in.rotation[i][k]);
    middle[k] = hn::Neg(hn::Add(all(in.between[k]), hn::Mul(time, all(in.velocity[k]))));
  }
  V turned[3];
  for (int side = 0; side < 2; ++side) {
    if (!(in.spin[side] > 0.0)) continue;
    V sine, cosine;
    sine_cosine(hn::Mul(time, all(in.spin[side])), sine, cosine);
    const Turn turn = turn_of(in.axis[side], side == 0 ? sine : hn::Neg(sine), cosine);
    for (std::size_t i = 0; i < 3; ++i) {
      apply(turn, edge[i], turned);
      for (std::size_t k = 0; k < 3; ++k) edge[i][k] = turned[k];
    }
    if (side == 0) {
      const V lever[3] = {all(in.lever[0][0]), all(in.lever[0][1]), all(in.lever[0][2])};
      apply(turn, lever, turned);
      for (std::size_t k = 0; k < 3; ++k) middle[k] = hn::Add(turned[k], middle[k]);
    } else {
      apply(turn, middle, turned);
      for (std::size_t k = 0; k < 3; ++k) middle[k] = hn::Sub(turned[k], all(in.lever[1][k]));
    }
  }
}

// Eight moments, or as many as there are lanes, while they are looked at.
struct Look {
  const double* bend;
  V edge[3][3], size[3][3], middle[3], half_a[3], half_b[3];
  V error, squared;  // of the span from the moment before
  V widest, room;
};

// One lane up; the lowest from the slot before.
HWY_INLINE V before(V x, const double* at) {
  const Tag tag;
  alignas(64) static constexpr std::int64_t below[8] = {0, 0, 1, 2, 3, 4, 5, 6};
  const V up = hn::TableLookupLanes(x, hn::SetTableIndices(tag, below));
  return hn::IfThenElse(hn::FirstN(tag, 1), all(at[-1]), up);
}

// With gaps g0 and g1 > 0 the parabola stays above zero if K/2 h^2 is below (sqrt g0 + sqrt g1)^2, which is
// at least g0 + g1 + 2 min(g0, g1). The bends have room for these roundings. All of it only with the middle
// on the same side at both ends.
template <std::size_t axis>
HWY_INLINE void add(Look& look, V middle, V reach, std::size_t at, BoxMoments& out) {
  const Tag tag;
  double *const gaps = out.gap[axis] + at, *const middles = out.middle[axis] + at;
  const V gap = hn::Sub(hn::Abs(middle), hn::Add(reach, look.error));
  hn::Store(gap, tag, gaps);
  hn::Store(middle, tag, middles);
  look.widest = hn::Max(look.widest, gap);
  const V gap0 = before(gap, gaps), side = hn::Mul(middle, before(middle, middles));
  const V least = hn::Min(gap0, gap);
  const V both = hn::Add(hn::Add(gap0, gap), hn::Add(least, least));
  const V left = hn::Sub(both, hn::Mul(all(look.bend[axis]), look.squared));
  look.room = hn::Max(look.room, hn::Min(hn::Min(left, least), side));
}

template <std::size_t j>
HWY_INLINE void add_faces(Look& look, std::size_t at, BoxMoments& out) {
  const V column[3] = {look.size[0][j], look.size[1][j], look.size[2][j]};
  add<j>(look, look.middle[j], hn::Add(look.half_b[j], dot(look.half_a, column)), at, out);
  add<3 + j>(look, dot(look.edge[j], look.middle), hn::Add(look.half_a[j], dot(look.half_b, look.size[j])),
             at, out);
}

template <std::size_t i, std::size_t j>
HWY_INLINE void add_edges(Look& look, std::size_t at, BoxMoments& out) {
  // The reach of a's other edges is told by each other's coordinate j.
  constexpr std::size_t i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
  const V middle =
      hn::Sub(hn::Mul(look.edge[i][j2], look.middle[j1]), hn::Mul(look.edge[i][j1], look.middle[j2]));
  const V of_a =
      hn::Add(hn::Mul(look.half_a[i1], look.size[i2][j]), hn::Mul(look.half_a[i2], look.size[i1][j]));
  const V of_b =
      hn::Add(hn::Mul(look.half_b[j1], look.size[i][j2]), hn::Mul(look.half_b[j2], look.size[i][j1]));
  add<6 + 3 * i + j>(look, middle, hn::Add(of_a, of_b), at, out);
  hn::Store(look.edge[i][j], Tag(), out.cosine[3 * i + j] + at);
}

template <std::size_t i>
HWY_INLINE void add_edges_of(Look& look, std::size_t at, BoxMoments& out) {
  add_edges<i, 0>(look, at, out);
  add_edges<i, 1>(look, at, out);
  add_edges<i, 2>(look, at, out);
}

// Bits of the moments up to which, from the one before, the boxes are proven apart.
HWY_INLINE std::uint32_t look_from(const BoxMotion& in, std::size_t at, BoxMoments& out) {
  const Tag tag;
  const V time = hn::Load(tag, out.time + at);
  const V span = hn::Sub(time, before(time, out.time + at));
  Look look;
  look.bend = in.bend;
  look.squared = hn::Mul(span, span);
  look.error = all(in.error);
  look.room = hn::Zero(tag);
  look.widest = all(-1e300);
  place(in, time, look.edge, look.middle);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) look.size[i][j] = hn::Abs(look.edge[i][j]);
    look.half_a[i] = all(in.half_a[i]);
    look.half_b[i] = all(in.half_b[i]);
  }
  add_faces<0>(look, at, out);
  add_faces<1>(look, at, out);
  add_faces<2>(look, at, out);
  add_edges_of<0>(look, at, out);
  add_edges_of<1>(look, at, out);
  add_edges_of<2>(look, at, out);
  hn::Store(look.widest, tag, out.widest + at);
  std::uint8_t bits[8] = {0};
  hn::StoreMaskBits(tag, hn::Gt(look.room, hn::Zero(tag)), bits);
  return bits[0];
}

std::uint32_t look_kernel(const BoxMotion& motion, BoxMoments& moments) {
  constexpr std::size_t from = BoxMoments::first + 1;
  std::uint32_t bits = 0;
  for (std::size_t at = from; at < BoxMoments::slots; at += lanes)
    bits |= look_from(motion, at, moments) << (at - from);
  return bits;
}

}  // namespace HWY_NAMESPACE
}  // namespace toccata::search
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toccata::search {

HWY_EXPORT(look_kernel);

std::uint32_t look_at_moments(const BoxMotion& motion, BoxMoments& moments) {
  return HWY_DYNAMIC_DISPATCH(look_kernel)(motion, moments);
}

}  // namespace toccata::search
#endif
