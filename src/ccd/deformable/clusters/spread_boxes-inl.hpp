// Two features of clusters on the eight spread axes, on the grid: all axes, both ends and both sides in one
// vector, or in as few as it takes.
//
// Included once per Highway target (no #pragma once).
#include <hwy/highway.h>

#include "ccd/deformable/clusters/row_lanes-inl.hpp"

#if defined(TOCCATA_DEFORMABLE_SPREAD_BOXES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TOCCATA_DEFORMABLE_SPREAD_BOXES_INL
#undef TOCCATA_DEFORMABLE_SPREAD_BOXES_INL
#else
#define TOCCATA_DEFORMABLE_SPREAD_BOXES_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace toccata::deformable::clusters::HWY_NAMESPACE {

// The corners of a feature on the spread axes: rows [t0, t1][axis] of `points`, by local index; or, swept,
// [lower, -upper][axis].
struct Corners {
  const std::int16_t* points;
  const std::uint8_t* local;
  std::size_t stride;
  const std::int32_t* vertices;  // by local index; only where they are asked for
  HWY_INLINE const std::int16_t* operator[](std::size_t c) const {
    return points + std::size_t{2 * spread_axis_count} * local[c * stride];
  }
};

using SpreadTag = hn::CappedTag<std::int16_t, 2 * spread_axis_count>;
using SpreadVector = hn::Vec<SpreadTag>;
inline constexpr std::size_t spread_lanes = hn::MaxLanes(SpreadTag());

template <std::size_t N>
HWY_INLINE SpreadVector least(const Corners& corners, std::size_t at) {
  const SpreadTag d;
  SpreadVector result = hn::LoadU(d, corners[0] + at);
  HWY_UNROLL(2)
  for (std::size_t c = 1; c < N; ++c) result = hn::Min(result, hn::LoadU(d, corners[c] + at));
  return result;
}

template <std::size_t N>
HWY_INLINE SpreadVector greatest(const Corners& corners, std::size_t at) {
  const SpreadTag d;
  SpreadVector result = hn::LoadU(d, corners[0] + at);
  HWY_UNROLL(2)
  for (std::size_t c = 1; c < N; ++c) result = hn::Max(result, hn::LoadU(d, corners[c] + at));
  return result;
}

inline constexpr std::size_t spread_parts = 2 * spread_axis_count / spread_lanes;

// A feature on the spread axes at both ends, or swept: [lower, -upper][axis].
template <bool Relative>
struct SpreadBox {
  static constexpr std::size_t ends = end_count<Relative>;
  SpreadVector at[ends][spread_parts];
};

template <bool Relative, std::size_t N>
HWY_INLINE SpreadBox<Relative> spread_box(const Corners& corners) {
  SpreadBox<Relative> box;
  if constexpr (!Relative) {  // they are stored as such
    HWY_UNROLL(2)
    for (std::size_t p = 0; p < spread_parts; ++p) box.at[0][p] = least<N>(corners, p * spread_lanes);
#if HWY_TARGET != HWY_SCALAR
  } else if constexpr (spread_parts == 1) {
    const SpreadTag d;
    const auto lower = least<N>(corners, 0), upper = hn::Neg(greatest<N>(corners, 0));
    box.at[0][0] = hn::ConcatLowerLower(d, upper, lower);
    box.at[1][0] = hn::ConcatUpperUpper(d, upper, lower);
#endif
  } else {
    constexpr std::size_t half = spread_parts / 2;
    for (std::size_t end = 0; end < 2; ++end) {
      for (std::size_t p = 0; p < half; ++p) {
        const std::size_t from = end * spread_axis_count + p * spread_lanes;
        box.at[end][p] = least<N>(corners, from);
        box.at[end][half + p] = hn::Neg(greatest<N>(corners, from));
      }
    }
  }
  return box;
}

// What another box must exceed on some axis, at both ends, to be separated from this one, moved and grown.
// Saturation keeps the order: boxes are within +-8192.
template <bool Relative>
HWY_INLINE SpreadBox<Relative> limits(const SpreadBox<Relative>& box, const Shift<Relative>& shift) {
  const SpreadTag d;
  SpreadBox<Relative> result;
  HWY_UNROLL(2)
  for (std::size_t end = 0; end < end_count<Relative>; ++end) {
    HWY_UNROLL(2)
    for (std::size_t p = 0; p < spread_parts; ++p) {
      const auto least_gap = hn::LoadU(d, shift.spread + spread_place<Relative>(end, 0) + p * spread_lanes);
#if HWY_TARGET != HWY_SCALAR
      if constexpr (spread_parts == 1) {
        const auto opposite = hn::ConcatLowerUpper(d, box.at[end][0], box.at[end][0]);
        result.at[end][0] = hn::SaturatedSub(least_gap, opposite);
        continue;
      }
#endif
      result.at[end][p] = hn::SaturatedSub(least_gap, box.at[end][(p + spread_parts / 2) % spread_parts]);
    }
  }
  return result;
}

// The limits of a row's own corners.
template <bool Relative, std::size_t N>
HWY_INLINE SpreadBox<Relative> row_limits(const Corners& corners, const Shift<Relative>& shift) {
  return limits(spread_box<Relative, N>(corners), shift);
}

// Not 0 if a spread axis separates.
template <bool Relative>
HWY_INLINE std::uint32_t spread_separates(const SpreadBox<Relative>& limit, const SpreadBox<Relative>& box) {
  const SpreadTag d;
  SpreadVector any = hn::Zero(d);
  HWY_UNROLL(2)
  for (std::size_t p = 0; p < spread_parts; ++p) {
    auto beyond = hn::VecFromMask(d, hn::Gt(box.at[0][p], limit.at[0][p]));
    if constexpr (Relative)
      beyond = hn::And(beyond, hn::VecFromMask(d, hn::Gt(box.at[1][p], limit.at[1][p])));
    any = p == 0 ? beyond : hn::Or(any, beyond);
  }
#if HWY_TARGET == HWY_SCALAR
  return hn::GetLane(any) != 0 ? 1 : 0;
#else
  const hn::Repartition<std::uint8_t, SpreadTag> bytes;  // tested in one step
  return hn::AllFalse(bytes, hn::MaskFromVec(hn::BitCast(bytes, any))) ? 0 : 1;
#endif
}

#if HWY_TARGET == HWY_AVX3
// All in one vector: [lower, -upper][t0, t1][axis].
template <>
struct SpreadBox<true> {
  ShortVector at;
};

// A feature on the spread axes, [t0, t1][axis] twice.
struct SpreadRange {
  __m512i low, high;
};

template <std::size_t N>
HWY_INLINE SpreadRange spread_range(const Corners& corners) {
  SpreadRange range;
  HWY_UNROLL(3)
  for (std::size_t c = 0; c < N; ++c) {
    const __m512i x =
        _mm512_broadcast_i64x4(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(corners[c])));
    range.low = c == 0 ? x : _mm512_min_epi16(range.low, x);
    range.high = c == 0 ? x : _mm512_max_epi16(range.high, x);
  }
  return range;
}

inline constexpr __mmask32 upper_half = 0xffff0000u;

template <std::size_t N>
HWY_INLINE SpreadBox<true> spread_box_at_both_ends(const Corners& corners) {
  const SpreadRange range = spread_range<N>(corners);
  return {ShortVector{_mm512_mask_sub_epi16(range.low, upper_half, _mm512_setzero_si512(), range.high)}};
}
template <>
HWY_INLINE SpreadBox<true> spread_box<true, 1>(const Corners& corners) {
  return spread_box_at_both_ends<1>(corners);
}
template <>
HWY_INLINE SpreadBox<true> spread_box<true, 2>(const Corners& corners) {
  return spread_box_at_both_ends<2>(corners);
}
template <>
HWY_INLINE SpreadBox<true> spread_box<true, 3>(const Corners& corners) {
  return spread_box_at_both_ends<3>(corners);
}

template <>
HWY_INLINE SpreadBox<true> limits(const SpreadBox<true>& box, const Shift<true>& shift) {
  const auto opposite = hn::ConcatLowerUpper(short_tag, box.at, box.at);
  return {hn::SaturatedSub(hn::LoadU(short_tag, shift.spread), opposite)};
}

template <std::size_t N>
HWY_INLINE SpreadBox<true> limits_at_both_ends(const Corners& corners, const Shift<true>& shift) {
  const SpreadRange range = spread_range<N>(corners);
  const __m512i gap = hn::LoadU(short_tag, shift.spread).raw;
  const __m512i above = _mm512_adds_epi16(gap, range.high);
  return {ShortVector{_mm512_mask_subs_epi16(above, upper_half, gap, range.low)}};
}
template <>
HWY_INLINE SpreadBox<true> row_limits<true, 1>(const Corners& corners, const Shift<true>& shift) {
  return limits_at_both_ends<1>(corners, shift);
}
template <>
HWY_INLINE SpreadBox<true> row_limits<true, 2>(const Corners& corners, const Shift<true>& shift) {
  return limits_at_both_ends<2>(corners, shift);
}

// Masks are numbers: no vector of them is made.
template <>
HWY_INLINE std::uint32_t spread_separates(const SpreadBox<false>& limit, const SpreadBox<false>& box) {
  return hn::Gt(box.at[0][0], limit.at[0][0]).raw;
}

template <>
HWY_INLINE std::uint32_t spread_separates(const SpreadBox<true>& limit, const SpreadBox<true>& box) {
  std::uint32_t beyond = hn::Gt(box.at, limit.at).raw;
  asm("" : "+r"(beyond));  // no code: g++ would move the mask out of its register twice
  return beyond & beyond >> spread_axis_count & 0x00ff00ffu;
}
#endif

}  // namespace toccata::deformable::clusters::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
