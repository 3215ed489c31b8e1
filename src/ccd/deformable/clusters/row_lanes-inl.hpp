// Features of clusters on the grid, sixteen 16-bit lanes side by side, against one feature or box of another
// cluster; and two features on the eight spread axes.
//
// A value of cluster A is moved into the frame of cluster B by adding o = origin(A) - origin(B), cut to
// +-farthest_frame, and grown by the threshold T, with saturation. That keeps every order that is asked for:
// values of B are within +-8192. If o was not cut, the sum is exact, or beyond all values of B on its side.
// If it was, the true values of A are beyond those of B by more than 24000 - 2 * 8192 > T, and so are the
// computed ones: 24000 - 8192 - T > 8192.
//
// Included once per Highway target (no #pragma once).
#include <hwy/highway.h>

#include "ccd/deformable/clusters/cluster_boxes.hpp"

#if defined(TOCCATA_DEFORMABLE_ROW_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TOCCATA_DEFORMABLE_ROW_LANES_INL
#undef TOCCATA_DEFORMABLE_ROW_LANES_INL
#else
#define TOCCATA_DEFORMABLE_ROW_LANES_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace toccata::deformable::clusters::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using ShortTag = hn::CappedTag<std::int16_t, feature_lanes>;
using ShortVector = hn::Vec<ShortTag>;
using ShortMask = hn::Mask<ShortTag>;

inline constexpr ShortTag short_tag{};
inline constexpr std::size_t short_lanes = hn::MaxLanes(ShortTag());

// The ends of the step that are kept apart: both, or none, where boxes are swept.
template <bool Relative>
constexpr std::size_t end_count = Relative ? 2 : 1;

// Numbers of a group of features, and of a group of points: swept ones are boxes too.
template <bool Relative>
constexpr std::size_t box_group = 6 * end_count<Relative>* feature_lanes;
constexpr std::size_t point_group = 6 * feature_lanes;

// From one cluster's frame into another's: what to add to lower and to upper ends, threshold included.
template <bool Relative>
struct Shift {
  static constexpr std::size_t ends = end_count<Relative>;
  ShortVector lower[3][ends], upper[3][ends];  // [axis][end]
  // On the spread axes: what lower(b) - upper(a), and lower(a) - upper(b), must exceed.
  alignas(64) std::int16_t spread[ends][2 * spread_axis_count];
};

// from - to, cut, in `count` whole vectors.
HWY_INLINE void cut_distances(const std::int32_t* from, const std::int32_t* to, std::size_t count,
                              std::int16_t* out) {
  using Tag = hn::CappedTag<std::int32_t, 8>;
  using HalfTag = hn::Rebind<std::int16_t, Tag>;
  const Tag d;
  const auto most = hn::Set(d, farthest_frame), least = hn::Set(d, -farthest_frame);
  for (std::size_t i = 0; i < count; i += hn::MaxLanes(d)) {
    const auto o = hn::Sub(hn::LoadU(d, from + i), hn::LoadU(d, to + i));
    hn::StoreU(hn::DemoteTo(HalfTag(), hn::Max(hn::Min(o, most), least)), HalfTag(), out + i);
  }
}

// From a into b, and back.
template <bool Relative>
HWY_INLINE void make_shifts(const ClusterFrame& a, const ClusterFrame& b, const GridThresholds& t,
                            Shift<Relative>& a_to_b, Shift<Relative>& b_to_a) {
  alignas(32) std::int16_t distance[8];
  cut_distances(a.origin, b.origin, 8, distance);
  const auto threshold = hn::Set(short_tag, t.cardinal);
  HWY_UNROLL(3)
  for (std::size_t k = 0; k < 3; ++k) {
    HWY_UNROLL(2)
    for (std::size_t end = 0; end < end_count<Relative>; ++end) {
      const auto o = hn::Set(short_tag, distance[4 * end + k]);
      const auto below = hn::Sub(o, threshold), above = hn::Add(o, threshold);
      a_to_b.lower[k][end] = below;
      a_to_b.upper[k][end] = above;
      b_to_a.lower[k][end] = hn::Neg(above);
      b_to_a.upper[k][end] = hn::Neg(below);
    }
  }
  using Tag = hn::CappedTag<std::int16_t, spread_axis_count>;
  const Tag d;
  alignas(32) std::int16_t spread[2 * spread_axis_count];
  cut_distances(a.spread_origin, b.spread_origin, end_count<Relative> * spread_axis_count, spread);
  HWY_UNROLL(2)
  for (std::size_t end = 0; end < end_count<Relative>; ++end) {
    for (std::size_t i = 0; i < spread_axis_count; i += hn::MaxLanes(d)) {
      const auto o = hn::LoadU(d, spread + end * spread_axis_count + i);
      const auto grown = hn::LoadU(d, t.spread.data() + i);
      const auto forth = hn::Add(grown, o), back = hn::Sub(grown, o);
      hn::StoreU(forth, d, a_to_b.spread[end] + i);
      hn::StoreU(back, d, a_to_b.spread[end] + spread_axis_count + i);
      hn::StoreU(back, d, b_to_a.spread[end] + i);
      hn::StoreU(forth, d, b_to_a.spread[end] + spread_axis_count + i);
    }
  }
}

// One box in all lanes, moved and grown.
template <bool Relative>
struct ShortRow {
  ShortVector lower[3][end_count<Relative>], upper[3][end_count<Relative>];
};

template <bool Relative>
HWY_INLINE void set_axis(ShortRow<Relative>& row, const Shift<Relative>& shift, std::size_t k,
                         std::size_t end, std::int16_t lower, std::int16_t upper) {
  row.lower[k][end] = hn::SaturatedAdd(hn::Set(short_tag, lower), shift.lower[k][end]);
  row.upper[k][end] = hn::SaturatedAdd(hn::Set(short_tag, upper), shift.upper[k][end]);
}

// Of the box in a slot of a list.
template <bool Relative>
HWY_INLINE ShortRow<Relative> box_row(const std::int16_t* list, std::size_t slot,
                                      const Shift<Relative>& shift) {
  constexpr std::size_t n = feature_lanes, ends = end_count<Relative>;
  const std::int16_t* const p = list + slot / n * box_group<Relative> + slot % n;
  ShortRow<Relative> row;
  HWY_UNROLL(3)
  for (std::size_t k = 0; k < 3; ++k) {
    HWY_UNROLL(2)
    for (std::size_t end = 0; end < ends; ++end) {
      const std::int16_t* const q = p + 2 * (ends * k + end) * n;
      set_axis(row, shift, k, end, q[0], q[n]);
    }
  }
  return row;
}

// Of the point in a slot of a list.
template <bool Relative>
HWY_INLINE ShortRow<Relative> point_row(const std::int16_t* list, std::size_t slot,
                                        const Shift<Relative>& shift) {
  if constexpr (!Relative) {
    return box_row<false>(list, slot, shift);
  } else {
    constexpr std::size_t n = feature_lanes;
    const std::int16_t* const p = list + slot / n * point_group + slot % n;
    ShortRow<true> row;
    HWY_UNROLL(6)
    for (std::size_t i = 0; i < 6; ++i) set_axis(row, shift, i / 2, i % 2, p[i * n], p[i * n]);
    return row;
  }
}

// Of a cluster's own box.
template <bool Relative>
HWY_INLINE ShortRow<Relative> cluster_row(const ClusterFrame& frame, const Shift<Relative>& shift) {
  ShortRow<Relative> row;
  HWY_UNROLL(3)
  for (std::size_t k = 0; k < 3; ++k) {
    HWY_UNROLL(2)
    for (std::size_t end = 0; end < end_count<Relative>; ++end) {
      set_axis(row, shift, k, end, frame.lower[4 * end + k], frame.upper[4 * end + k]);
    }
  }
  return row;
}

// Lanes whose gap to the row keeps one strict sign at both ends on axis k; lower and upper by end.
template <bool Relative>
HWY_INLINE ShortMask separated_axis(const ShortRow<Relative>& row, std::size_t k, const ShortVector* lower,
                                    const ShortVector* upper) {
  if constexpr (Relative) {
    const auto above = hn::And(hn::Gt(lower[0], row.upper[k][0]), hn::Gt(lower[1], row.upper[k][1]));
    const auto below = hn::And(hn::Gt(row.lower[k][0], upper[0]), hn::Gt(row.lower[k][1], upper[1]));
    return hn::Or(above, below);
  } else {
    return hn::Or(hn::Gt(lower[0], row.upper[k][0]), hn::Gt(row.lower[k][0], upper[0]));
  }
}

HWY_INLINE std::uint32_t mask_bits(ShortMask mask) {
  std::uint8_t bits[8] = {};
  hn::StoreMaskBits(short_tag, mask, bits);
  return static_cast<std::uint32_t>(bits[0] | (bits[1] << 8));
}

// Which of the sixteen boxes of a group no cardinal axis separates from the row.
template <bool Relative>
HWY_INLINE std::uint32_t boxes_met(const ShortRow<Relative>& row, const std::int16_t* group) {
  constexpr std::size_t n = feature_lanes, ends = end_count<Relative>;
  std::uint32_t separated = 0;
  for (std::size_t s = 0; s < n; s += short_lanes) {
    ShortMask any;
    HWY_UNROLL(3)
    for (std::size_t k = 0; k < 3; ++k) {
      ShortVector lower[ends], upper[ends];
      HWY_UNROLL(2)
      for (std::size_t end = 0; end < ends; ++end) {
        const std::int16_t* const p = group + 2 * (ends * k + end) * n + s;
        lower[end] = hn::LoadU(short_tag, p);
        upper[end] = hn::LoadU(short_tag, p + n);
      }
      const auto mask = separated_axis(row, k, lower, upper);
      any = k == 0 ? mask : hn::Or(any, mask);
    }
    separated |= mask_bits(any) << s;
  }
  return ~separated & 0xffffu;
}

// The same for points.
template <bool Relative>
HWY_INLINE std::uint32_t points_met(const ShortRow<Relative>& row, const std::int16_t* group) {
  if constexpr (!Relative) {
    return boxes_met(row, group);
  } else {
    constexpr std::size_t n = feature_lanes;
    std::uint32_t separated = 0;
    for (std::size_t s = 0; s < n; s += short_lanes) {
      ShortMask any;
      HWY_UNROLL(3)
      for (std::size_t k = 0; k < 3; ++k) {
        const std::int16_t* const p = group + 2 * k * n + s;
        const ShortVector at[2] = {hn::LoadU(short_tag, p), hn::LoadU(short_tag, p + n)};
        const auto mask = separated_axis(row, k, at, at);
        any = k == 0 ? mask : hn::Or(any, mask);
      }
      separated |= mask_bits(any) << s;
    }
    return ~separated & 0xffffu;
  }
}

// The boxes of one list twice: grown, and followed by its first ones again, so that each can be compared with
// the one a few slots further on, sixteen at a time.
template <bool Relative>
struct BoxRing {
  static constexpr std::size_t planes = 6 * end_count<Relative>;
  static constexpr std::size_t stride = 64 + 32 + 2 * feature_lanes;
  alignas(64) std::int16_t grown[planes * 64];
  alignas(64) std::int16_t boxes[planes * stride];

  HWY_INLINE void set(const std::int16_t* list, std::size_t count, std::int16_t threshold) {
    const auto t = hn::Set(short_tag, threshold);
    for (std::size_t plane = 0; plane < planes; ++plane) {
      std::int16_t* const ring = boxes + plane * stride;
      for (std::size_t s = 0; s < count; s += short_lanes) {
        const std::size_t group = s / feature_lanes * box_group<Relative>;
        const auto x = hn::LoadU(short_tag, list + group + plane * feature_lanes + s % feature_lanes);
        hn::StoreU(x, short_tag, ring + s);
        hn::StoreU(plane % 2 == 0 ? hn::Sub(x, t) : hn::Add(x, t), short_tag, grown + plane * 64 + s);
      }
      for (std::size_t s = 0; s < count / 2 + feature_lanes; s += short_lanes) {
        hn::StoreU(hn::LoadU(short_tag, ring + s), short_tag, ring + count + s);
      }
    }
  }

  // Which of the sixteen boxes from `first` on no cardinal axis separates from those `apart` further on.
  HWY_INLINE std::uint32_t met(std::size_t first, std::size_t apart) const {
    constexpr std::size_t ends = end_count<Relative>;
    std::uint32_t separated = 0;
    for (std::size_t s = 0; s < feature_lanes; s += short_lanes) {
      ShortMask any;
      HWY_UNROLL(3)
      for (std::size_t k = 0; k < 3; ++k) {
        ShortMask above[ends], below[ends];
        HWY_UNROLL(2)
        for (std::size_t end = 0; end < ends; ++end) {
          const std::size_t plane = 2 * (ends * k + end);
          const std::int16_t* const a = grown + plane * 64 + first + s;
          const std::int16_t* const b = boxes + plane * stride + first + apart + s;
          above[end] = hn::Gt(hn::LoadU(short_tag, b), hn::LoadU(short_tag, a + 64));
          below[end] = hn::Gt(hn::LoadU(short_tag, a), hn::LoadU(short_tag, b + stride));
        }
        const auto mask = Relative
                              ? hn::Or(hn::And(above[0], above[ends - 1]), hn::And(below[0], below[ends - 1]))
                              : hn::Or(above[0], below[0]);
        any = k == 0 ? mask : hn::Or(any, mask);
      }
      separated |= mask_bits(any) << s;
    }
    return ~separated & 0xffffu;
  }
};

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

// A feature on the spread axes: [lower, -upper][axis] at both ends, or swept.
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
      const auto least_gap = hn::LoadU(d, shift.spread[end] + p * spread_lanes);
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

template <bool Relative>
HWY_INLINE bool spread_separates(const SpreadBox<Relative>& limit, const SpreadBox<Relative>& box) {
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
  return hn::GetLane(any) != 0;
#else
  const hn::Repartition<std::uint8_t, SpreadTag> bytes;  // tested in one step
  return !hn::AllFalse(bytes, hn::MaskFromVec(hn::BitCast(bytes, any)));
#endif
}

}  // namespace toccata::deformable::clusters::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
