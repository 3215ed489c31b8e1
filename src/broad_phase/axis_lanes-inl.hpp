// The three axes of a box side by side in lanes: corners rounded outwards to single precision, and the cells
// that they are in.
//
// Included once per Highway target (no #pragma once).
#include <hwy/highway.h>

#if defined(TOCCATA_BROAD_PHASE_AXIS_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TOCCATA_BROAD_PHASE_AXIS_LANES_INL
#undef TOCCATA_BROAD_PHASE_AXIS_LANES_INL
#else
#define TOCCATA_BROAD_PHASE_AXIS_LANES_INL
#endif

#include <algorithm>
#include <cmath>

#include "broad_phase/cell_pairs.hpp"

HWY_BEFORE_NAMESPACE();
namespace toccata::broad_phase {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr float largest = 3e38F;                    // infinities become this
static_assert(sizeof(Aabb) == 6 * sizeof(double));  // its corners are read as six numbers in a row

// Four numbers: the three axes and one more that tells nothing.
#if HWY_TARGET == HWY_SCALAR
struct Four {
  float of[4];
};
template <class F>
HWY_INLINE Four each(F&& f) {
  return {{f(0), f(1), f(2), f(3)}};
}
HWY_INLINE Four loaded(const float* x) {
  return each([&](int k) { return x[k]; });
}
HWY_INLINE Four axes(const float* x) {
  return {{x[0], x[1], x[2], 0.0F}};
}
HWY_INLINE void store(const Four& x, float* to) {
  for (int k = 0; k < 4; ++k) to[k] = x.of[k];
}
HWY_INLINE Four negative(const Four& x) {
  return each([&](int k) { return -x.of[k]; });
}
HWY_INLINE Four difference(const Four& x, const Four& y) {
  return each([&](int k) { return x.of[k] - y.of[k]; });
}
HWY_INLINE Four larger(const Four& x, const Four& y) {
  return each([&](int k) { return std::max(x.of[k], y.of[k]); });
}
HWY_INLINE bool none_above(const Four& x, const Four& y) {
  return x.of[0] <= y.of[0] && x.of[1] <= y.of[1] && x.of[2] <= y.of[2] && x.of[3] <= y.of[3];
}
HWY_INLINE float rounded(double x, float sign) {
  const float nearest = std::clamp(static_cast<float>(std::clamp(x, -1e39, 1e39)), -largest, largest);
  return nearest + sign * (std::abs(nearest) * 0x1p-23F + 0x1p-140F);
}
HWY_INLINE void round_outwards(const double* corners, Four& low, Four& high) {
  low = each([&](int k) { return rounded(corners[std::min(k, 2)], -1.0F); });
  high = each([&](int k) { return rounded(corners[3 + std::min(k, 2)], 1.0F); });
}
HWY_INLINE void store_cells(const Cells& cells, const Four& x, std::int32_t* to) {
  for (int k = 0; k < 4; ++k) {
    const float place = (x.of[k] - cells.origin[k]) * cells.per_length[k];
    to[k] = static_cast<std::int32_t>(std::min(cells.last[k], std::max(0.0F, place)) + 0.5F);
  }
}
#else
using F4 = hn::CappedTag<float, 4>;
using I4 = hn::CappedTag<std::int32_t, 4>;
using Four = hn::Vec<F4>;

HWY_INLINE Four loaded(const float* x) {
  return hn::LoadU(F4(), x);
}
// The fourth is an id, a tiny number that would slow arithmetic down.
HWY_INLINE Four axes(const float* x) {
  return hn::IfThenElseZero(hn::FirstN(F4(), 3), loaded(x));
}
HWY_INLINE void store(Four x, float* to) {
  hn::StoreU(x, F4(), to);
}
HWY_INLINE Four negative(Four x) {
  return hn::Neg(x);
}
HWY_INLINE Four difference(Four x, Four y) {
  return hn::Sub(x, y);
}
HWY_INLINE Four larger(Four x, Four y) {
  return hn::Max(x, y);
}
HWY_INLINE bool none_above(Four x, Four y) {
  return hn::AllTrue(F4(), hn::Le(x, y));
}
HWY_INLINE void round_outwards(const double* corners, Four& low, Four& high) {
  const F4 f;
  const hn::CappedTag<double, 2> d2;
  const hn::Half<F4> f2;
  const auto within = [&](Four x)
                          HWY_ATTR { return hn::Min(hn::Set(f, largest), hn::Max(hn::Set(f, -largest), x)); };
  const auto margin = [&](Four x) HWY_ATTR {
    return hn::Add(hn::Mul(hn::Abs(x), hn::Set(f, 0x1p-23F)), hn::Set(f, 0x1p-140F));
  };
  const auto xy = hn::DemoteTo(f2, hn::LoadU(d2, corners));
  const auto zx = hn::DemoteTo(f2, hn::LoadU(d2, corners + 2));
  const auto yz = hn::DemoteTo(f2, hn::LoadU(d2, corners + 4));
  const Four lower = within(hn::Combine(f, zx, xy));
  const Four upper = within(hn::Shuffle0321(hn::Combine(f, yz, zx)));
  low = hn::Sub(lower, margin(lower));
  high = hn::Add(upper, margin(upper));
}
template <class D, class V>
HWY_INLINE auto cells_of(D d, V x, V origin, V per_length, V last) {
  const hn::RebindToSigned<D> di;
  const auto place = hn::Mul(hn::Sub(x, origin), per_length);
  const auto within = hn::Min(last, hn::Max(hn::Zero(d), place));
  // The last bits of a number of this size are those of an integer.
  const auto shift = hn::Set(d, 0x1p23F);
  return hn::Sub(hn::BitCast(di, hn::Add(within, shift)), hn::BitCast(di, shift));
}
HWY_INLINE void store_cells(const Cells& cells, Four x, std::int32_t* to) {
  hn::StoreU(cells_of(F4(), x, loaded(cells.origin), loaded(cells.per_length), loaded(cells.last)), I4(), to);
}
#endif

// Of two places at once: first[4] and last[4].
HWY_INLINE void store_cells(const Cells& cells, Four x, Four y, std::int32_t* to) {
#if HWY_TARGET != HWY_SCALAR && HWY_MAX_BYTES >= 32
  const hn::CappedTag<float, 8> f8;
  const auto twice = [&](const float* v) HWY_ATTR { return hn::Combine(f8, loaded(v), loaded(v)); };
  hn::StoreU(
      cells_of(f8, hn::Combine(f8, y, x), twice(cells.origin), twice(cells.per_length), twice(cells.last)),
      hn::RebindToSigned<decltype(f8)>(), to);
#else
  store_cells(cells, x, to);
  store_cells(cells, y, to + 4);
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace toccata::broad_phase
HWY_AFTER_NAMESPACE();

#endif  // TOCCATA_BROAD_PHASE_AXIS_LANES_INL
