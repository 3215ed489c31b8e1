// Features of clusters on the grid, in 16-bit lanes side by side, against one feature or box of another
// cluster.
//
// A value of cluster A is moved into the frame of cluster B by adding o = origin(A) - origin(B), cut to
// +-farthest_frame, and grown by the threshold T, with saturation. That keeps every order that is asked for:
// values of B are within +-8192. If o was not cut, the sum is exact, or beyond all values of B on its side.
// If it was, the true values of A are beyond those of B by more than 24000 - 2 * 8192 > T, and so are the
// computed ones: 24000 - 8192 - T > 8192. Which of the two clusters is moved is the same.
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

// A feature on the spread axes at both ends of the step fits one vector: [lower, -upper][t0, t1][axis].
// Where vectors are shorter: [t0, t1][lower, -upper][axis].
template <bool Relative>
constexpr bool one_spread_vector = Relative&& HWY_TARGET == HWY_AVX3;

// Where the axes of a side, 0: lower or 1: -upper, start at one end.
template <bool Relative>
constexpr std::size_t spread_place(std::size_t end, std::size_t side) {
  return spread_axis_count * (one_spread_vector<Relative> ? 2 * side + end : 2 * end + side);
}

// From one cluster's frame into another's: what to add to lower and to upper ends, threshold included.
template <bool Relative>
struct Shift {
  alignas(16) std::int16_t lower[8], upper[8];  // x y z - at t0, then at t1
  // On the spread axes: what lower(b) - upper(a), and lower(a) - upper(b), must exceed; as in SpreadBox.
  alignas(64) std::int16_t spread[end_count<Relative> * 2 * spread_axis_count];
};

using OctetTag = hn::CappedTag<std::int16_t, 8>;

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
  const OctetTag d;
  alignas(32) std::int16_t distance[8];
  cut_distances(a.origin, b.origin, 8, distance);
  const auto threshold = hn::Set(d, t.cardinal);
  for (std::size_t i = 0; i < 8; i += hn::MaxLanes(d)) {
    const auto o = hn::LoadU(d, distance + i);
    const auto below = hn::Sub(o, threshold), above = hn::Add(o, threshold);
    hn::StoreU(below, d, a_to_b.lower + i);
    hn::StoreU(above, d, a_to_b.upper + i);
    hn::StoreU(hn::Neg(above), d, b_to_a.lower + i);
    hn::StoreU(hn::Neg(below), d, b_to_a.upper + i);
  }
  alignas(32) std::int16_t spread[2 * spread_axis_count];
  cut_distances(a.spread_origin, b.spread_origin, end_count<Relative> * spread_axis_count, spread);
  HWY_UNROLL(2)
  for (std::size_t end = 0; end < end_count<Relative>; ++end) {
    const std::size_t lower = spread_place<Relative>(end, 0), upper = spread_place<Relative>(end, 1);
    for (std::size_t i = 0; i < spread_axis_count; i += hn::MaxLanes(d)) {
      const auto o = hn::LoadU(d, spread + end * spread_axis_count + i);
      const auto grown = hn::LoadU(d, t.spread.data() + i);
      const auto forth = hn::Add(grown, o), back = hn::Sub(grown, o);
      hn::StoreU(forth, d, a_to_b.spread + lower + i);
      hn::StoreU(back, d, a_to_b.spread + upper + i);
      hn::StoreU(back, d, b_to_a.spread + lower + i);
      hn::StoreU(forth, d, b_to_a.spread + upper + i);
    }
  }
}

// Boxes in lanes: one in all of them, or neighbours of a list.
template <bool Relative>
struct ShortBoxes {
  ShortVector lower[3][end_count<Relative>], upper[3][end_count<Relative>];
};

// Where `slot` of a list is.
template <std::size_t Group>
HWY_INLINE const std::int16_t* place_of(const std::int16_t* list, std::size_t slot) {
  return list + slot / feature_lanes * Group + slot % feature_lanes;
}

// A number of a list in all lanes.
HWY_INLINE ShortVector in_all_lanes(const std::int16_t* p) {
#if HWY_TARGET == HWY_AVX3
  // One instruction. A row has more numbers than there are other registers, and g++ would take each of them
  // through one of those, and often through the memory.
  ShortVector result;
  asm("vpbroadcastw %1, %0" : "=v"(result.raw) : "m"(*p));
  return result;
#else
  return hn::Set(short_tag, *p);
#endif
}

// The box in a slot of a list, in all lanes.
template <bool Relative>
HWY_INLINE ShortBoxes<Relative> box_in_slot(const std::int16_t* list, std::size_t slot) {
  constexpr std::size_t n = feature_lanes, ends = end_count<Relative>;
  const std::int16_t* const p = place_of<box_group<Relative>>(list, slot);
  ShortBoxes<Relative> box;
  HWY_UNROLL(3)
  for (std::size_t k = 0; k < 3; ++k) {
    HWY_UNROLL(2)
    for (std::size_t end = 0; end < ends; ++end) {
      const std::int16_t* const q = p + 2 * (ends * k + end) * n;
      box.lower[k][end] = in_all_lanes(q);
      box.upper[k][end] = in_all_lanes(q + n);
    }
  }
  return box;
}

// The point in a slot of a list.
template <bool Relative>
HWY_INLINE ShortBoxes<Relative> point_in_slot(const std::int16_t* list, std::size_t slot) {
  if constexpr (!Relative) {
    return box_in_slot<false>(list, slot);
  } else {
    const std::int16_t* const p = place_of<point_group>(list, slot);
    ShortBoxes<true> box;
    HWY_UNROLL(6)
    for (std::size_t i = 0; i < 6; ++i) {
      box.lower[i / 2][i % 2] = box.upper[i / 2][i % 2] = in_all_lanes(p + i * feature_lanes);
    }
    return box;
  }
}

// A cluster's own box, moved and grown.
template <bool Relative>
HWY_INLINE ShortBoxes<Relative> cluster_box(const ClusterFrame& frame, const Shift<Relative>& shift) {
  const OctetTag d;
  alignas(16) std::int16_t lower[8], upper[8];
  for (std::size_t i = 0; i < 8; i += hn::MaxLanes(d)) {
    hn::StoreU(hn::SaturatedAdd(hn::LoadU(d, frame.lower + i), hn::LoadU(d, shift.lower + i)), d, lower + i);
    hn::StoreU(hn::SaturatedAdd(hn::LoadU(d, frame.upper + i), hn::LoadU(d, shift.upper + i)), d, upper + i);
  }
  ShortBoxes<Relative> box;
  HWY_UNROLL(3)
  for (std::size_t k = 0; k < 3; ++k) {
    HWY_UNROLL(2)
    for (std::size_t end = 0; end < end_count<Relative>; ++end) {
      box.lower[k][end] = hn::Set(short_tag, lower[4 * end + k]);
      box.upper[k][end] = hn::Set(short_tag, upper[4 * end + k]);
    }
  }
  return box;
}

// As many boxes of a list as there are lanes, from a slot on that is a multiple of these.
template <bool Relative>
HWY_INLINE ShortBoxes<Relative> load_boxes(const std::int16_t* list, std::size_t slot) {
  constexpr std::size_t n = feature_lanes, ends = end_count<Relative>;
  const std::int16_t* const p = place_of<box_group<Relative>>(list, slot);
  ShortBoxes<Relative> boxes;
  HWY_UNROLL(3)
  for (std::size_t k = 0; k < 3; ++k) {
    HWY_UNROLL(2)
    for (std::size_t end = 0; end < ends; ++end) {
      const std::int16_t* const q = p + 2 * (ends * k + end) * n;
      boxes.lower[k][end] = hn::LoadU(short_tag, q);
      boxes.upper[k][end] = hn::LoadU(short_tag, q + n);
    }
  }
  return boxes;
}

// As many points.
template <bool Relative>
HWY_INLINE ShortBoxes<Relative> load_points(const std::int16_t* list, std::size_t slot) {
  if constexpr (!Relative) {
    return load_boxes<false>(list, slot);
  } else {
    const std::int16_t* const p = place_of<point_group>(list, slot);
    ShortBoxes<true> boxes;
    HWY_UNROLL(6)
    for (std::size_t i = 0; i < 6; ++i) {
      boxes.lower[i / 2][i % 2] = boxes.upper[i / 2][i % 2] = hn::LoadU(short_tag, p + i * feature_lanes);
    }
    return boxes;
  }
}

// Moved into another cluster's frame, and grown.
template <bool Relative>
HWY_INLINE ShortBoxes<Relative> moved(const ShortBoxes<Relative>& boxes, const Shift<Relative>& shift) {
  ShortBoxes<Relative> result;
  HWY_UNROLL(3)
  for (std::size_t k = 0; k < 3; ++k) {
    HWY_UNROLL(2)
    for (std::size_t end = 0; end < end_count<Relative>; ++end) {
      const auto below = hn::Set(short_tag, shift.lower[4 * end + k]);
      const auto above = hn::Set(short_tag, shift.upper[4 * end + k]);
      result.lower[k][end] = hn::SaturatedAdd(boxes.lower[k][end], below);
      result.upper[k][end] = hn::SaturatedAdd(boxes.upper[k][end], above);
    }
  }
  return result;
}

// The lanes as bits.
using LaneBits = std::uint64_t;
inline constexpr LaneBits all_lanes = ~LaneBits{0} >> (64 - short_lanes);

HWY_INLINE LaneBits mask_bits(ShortMask mask) {
#if HWY_TARGET == HWY_AVX3  // masks are bits
  return mask.raw;
#else
  std::uint8_t bits[8] = {};
  hn::StoreMaskBits(short_tag, mask, bits);
  return static_cast<LaneBits>(bits[0] | (bits[1] << 8));
#endif
}

// Lanes where all of two ends of b are above those of a; below them. The second of the numbers compared is
// one in memory.
HWY_INLINE ShortMask is_above(const ShortVector* b, const ShortVector* a, std::size_t ends) {
#if HWY_TARGET == HWY_AVX3  // g++ makes more instructions of it otherwise
  const __mmask32 first = _mm512_cmplt_epi16_mask(a[0].raw, b[0].raw);
  return ShortMask{ends == 2 ? _mm512_mask_cmplt_epi16_mask(first, a[1].raw, b[1].raw) : first};
#else
  const auto first = hn::Gt(b[0], a[0]);
  return ends == 2 ? hn::And(first, hn::Gt(b[1], a[1])) : first;
#endif
}

HWY_INLINE ShortMask is_below(const ShortVector* b, const ShortVector* a, std::size_t ends) {
#if HWY_TARGET == HWY_AVX3
  const __mmask32 first = _mm512_cmpgt_epi16_mask(a[0].raw, b[0].raw);
  return ShortMask{ends == 2 ? _mm512_mask_cmpgt_epi16_mask(first, a[1].raw, b[1].raw) : first};
#else
  const auto first = hn::Gt(a[0], b[0]);
  return ends == 2 ? hn::And(first, hn::Gt(a[1], b[1])) : first;
#endif
}

// Which lanes no cardinal axis separates: on none the gap keeps one strict sign at both ends. One side was
// grown.
template <bool Relative>
HWY_INLINE LaneBits boxes_met(const ShortBoxes<Relative>& a, const ShortBoxes<Relative>& b) {
  ShortMask separated;
  HWY_UNROLL(3)
  for (std::size_t k = 0; k < 3; ++k) {
    const auto above = is_above(b.lower[k], a.upper[k], end_count<Relative>);
    const auto below = is_below(b.upper[k], a.lower[k], end_count<Relative>);
    const auto either = hn::Or(above, below);
    separated = k == 0 ? either : hn::Or(separated, either);
  }
  return ~mask_bits(separated) & all_lanes;
}

// Columns that rows are compared with: those vectors of a list that have some of the wanted ones, moved into
// the frame of the rows and grown.
template <bool Relative>
struct Columns {
  std::size_t count = 0;
  std::size_t place[max_local_edges / short_lanes];  // of the first lane in the list
  ShortBoxes<Relative> boxes[max_local_edges / short_lanes];

  HWY_INLINE void set(const std::int16_t* list, std::size_t slots, std::uint64_t wanted,
                      const Shift<Relative>& shift) {
    count = 0;
    for (std::size_t s = 0; s < slots; s += short_lanes) {
      if (((wanted >> s) & all_lanes) == 0) continue;
      place[count] = s;
      boxes[count++] = moved(load_boxes<Relative>(list, s), shift);
    }
  }

  HWY_INLINE std::uint64_t met(const ShortBoxes<Relative>& row) const {
    std::uint64_t result = 0;
    for (std::size_t i = 0; i < count; ++i) result |= boxes_met(row, boxes[i]) << place[i];
    return result;
  }
};

// The boxes of one list twice: grown, and followed by its first ones again, so that each can be compared with
// the one a few slots further on, in lanes.
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
        const auto x = hn::LoadU(short_tag, place_of<box_group<Relative>>(list, s) + plane * feature_lanes);
        hn::StoreU(x, short_tag, ring + s);
        hn::StoreU(plane % 2 == 0 ? hn::Sub(x, t) : hn::Add(x, t), short_tag, grown + plane * 64 + s);
      }
      for (std::size_t s = 0; s < count / 2 + short_lanes; s += short_lanes) {
        hn::StoreU(hn::LoadU(short_tag, ring + s), short_tag, ring + count + s);
      }
    }
  }

  // Which of the boxes from `first` on, a vector of them, no cardinal axis separates from those `apart`
  // further on.
  HWY_INLINE LaneBits met(std::size_t first, std::size_t apart) const {
    constexpr std::size_t ends = end_count<Relative>;
    ShortBoxes<Relative> a, b;
    HWY_UNROLL(3)
    for (std::size_t k = 0; k < 3; ++k) {
      HWY_UNROLL(2)
      for (std::size_t end = 0; end < ends; ++end) {
        const std::size_t plane = 2 * (ends * k + end);
        const std::int16_t* const p = grown + plane * 64 + first;
        const std::int16_t* const q = boxes + plane * stride + first + apart;
        a.lower[k][end] = hn::LoadU(short_tag, p);
        a.upper[k][end] = hn::LoadU(short_tag, p + 64);
        b.lower[k][end] = hn::LoadU(short_tag, q);
        b.upper[k][end] = hn::LoadU(short_tag, q + stride);
      }
    }
    return boxes_met(a, b);
  }
};

}  // namespace toccata::deformable::clusters::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
