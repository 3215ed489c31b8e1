// The lanes of the tree of clusters: boxes side by side, eight at a time, against one box, and the extents of
// a cluster on the eight spread axes side by side.
//
// Included once per Highway target (no #pragma once).
#include <hwy/highway.h>

#include "ccd/deformable/clusters/cluster_boxes.hpp"
#include "ccd/deformable/clusters/cluster_mesh.hpp"

#if defined(TOCCATA_DEFORMABLE_CLUSTER_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TOCCATA_DEFORMABLE_CLUSTER_LANES_INL
#undef TOCCATA_DEFORMABLE_CLUSTER_LANES_INL
#else
#define TOCCATA_DEFORMABLE_CLUSTER_LANES_INL
#endif

HWY_BEFORE_NAMESPACE();
namespace toccata::deformable::clusters::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// At most eight lanes: the eight spread axes, half a node.
using FloatTag = hn::CappedTag<float, spread_axis_count>;
using IntTag = hn::RebindToSigned<FloatTag>;
using FloatVector = hn::Vec<FloatTag>;
using FloatMask = hn::Mask<FloatTag>;

inline constexpr FloatTag float_tag{};
inline constexpr IntTag int_tag{};
inline constexpr std::size_t float_lanes = hn::MaxLanes(FloatTag());

// One box in all lanes, grown by the threshold. Swept keeps one interval per axis for the whole step.
struct Row {
  FloatVector lower_t0[3], upper_t0[3], lower_t1[3], upper_t1[3];
};

template <bool Relative>
HWY_INLINE Row make_row(const float* box, std::size_t stride, float threshold) {
  Row row;
  HWY_UNROLL(3)
  for (std::size_t k = 0; k < 3; ++k) {
    float l0 = box[(4 * k + 0) * stride];
    float u0 = box[(4 * k + 1) * stride];
    float l1 = box[(4 * k + 2) * stride];
    float u1 = box[(4 * k + 3) * stride];
    if (!Relative) {
      l0 = l1 = l0 < l1 ? l0 : l1;
      u0 = u1 = u0 > u1 ? u0 : u1;
    }
    row.lower_t0[k] = hn::Set(float_tag, l0 - threshold);
    row.upper_t0[k] = hn::Set(float_tag, u0 + threshold);
    row.lower_t1[k] = hn::Set(float_tag, l1 - threshold);
    row.upper_t1[k] = hn::Set(float_tag, u1 + threshold);
  }
  return row;
}

// Lanes whose gap to the row keeps one strict sign at both ends on some cardinal axis.
template <bool Relative>
HWY_INLINE FloatMask separated_axis(const Row& row, std::size_t k, FloatVector l0, FloatVector u0,
                                    FloatVector l1, FloatVector u1) {
  if (Relative) {
    const auto above = hn::And(hn::Gt(l0, row.upper_t0[k]), hn::Gt(l1, row.upper_t1[k]));
    const auto below = hn::And(hn::Lt(u0, row.lower_t0[k]), hn::Lt(u1, row.lower_t1[k]));
    return hn::Or(above, below);
  }
  return hn::Or(hn::Gt(hn::Min(l0, l1), row.upper_t0[k]), hn::Lt(hn::Max(u0, u1), row.lower_t0[k]));
}

template <bool Relative>
HWY_INLINE FloatMask separated_boxes(const Row& row, const float* planes, std::size_t stride) {
  FloatMask result;
  HWY_UNROLL(3)
  for (std::size_t k = 0; k < 3; ++k) {
    const float* p = planes + 4 * k * stride;
    const auto s =
        separated_axis<Relative>(row, k, hn::LoadU(float_tag, p), hn::LoadU(float_tag, p + stride),
                                 hn::LoadU(float_tag, p + 2 * stride), hn::LoadU(float_tag, p + 3 * stride));
    result = k == 0 ? s : hn::Or(result, s);
  }
  return result;
}

HWY_INLINE std::uint64_t mask_bits(FloatMask mask) {
  std::uint8_t bits[8] = {};
  hn::StoreMaskBits(float_tag, mask, bits);
  return bits[0];
}

// Extents on the eight spread axes at t0 and t1, in as many vectors as it takes.
inline constexpr std::size_t halves = spread_axis_count / float_lanes;

// A point on the spread axes of part h.
HWY_INLINE FloatVector projected(const float* xyz, std::size_t h) {
  const auto x =
      hn::Mul(hn::LoadU(float_tag, spread_axes[0].data() + h * float_lanes), hn::Set(float_tag, xyz[0]));
  const auto y =
      hn::Mul(hn::LoadU(float_tag, spread_axes[1].data() + h * float_lanes), hn::Set(float_tag, xyz[1]));
  const auto z =
      hn::Mul(hn::LoadU(float_tag, spread_axes[2].data() + h * float_lanes), hn::Set(float_tag, xyz[2]));
  return hn::Add(hn::Add(x, y), z);
}

struct Extent {
  FloatVector lower_t0[halves], upper_t0[halves], lower_t1[halves], upper_t1[halves];
};

HWY_INLINE Extent load_extent(const float* p) {
  Extent e;
  HWY_UNROLL(2)
  for (std::size_t h = 0; h < halves; ++h) {
    const float* q = p + h * float_lanes;
    e.lower_t0[h] = hn::LoadU(float_tag, q);
    e.upper_t0[h] = hn::LoadU(float_tag, q + spread_axis_count);
    e.lower_t1[h] = hn::LoadU(float_tag, q + 2 * spread_axis_count);
    e.upper_t1[h] = hn::LoadU(float_tag, q + 3 * spread_axis_count);
  }
  return e;
}

HWY_INLINE void grow(Extent& e, const float* threshold) {
  HWY_UNROLL(2)
  for (std::size_t h = 0; h < halves; ++h) {
    const auto t = hn::LoadU(float_tag, threshold + h * float_lanes);
    e.lower_t0[h] = hn::Sub(e.lower_t0[h], t);
    e.upper_t0[h] = hn::Add(e.upper_t0[h], t);
    e.lower_t1[h] = hn::Sub(e.lower_t1[h], t);
    e.upper_t1[h] = hn::Add(e.upper_t1[h], t);
  }
}

// Some axis keeps a strict gap at both ends between b and the grown a.
template <bool Relative>
HWY_INLINE bool is_separated(const Extent& a, const Extent& b) {
  FloatMask any;
  HWY_UNROLL(2)
  for (std::size_t h = 0; h < halves; ++h) {
    FloatMask s;
    if (Relative) {
      const auto above = hn::And(hn::Gt(b.lower_t0[h], a.upper_t0[h]), hn::Gt(b.lower_t1[h], a.upper_t1[h]));
      const auto below = hn::And(hn::Lt(b.upper_t0[h], a.lower_t0[h]), hn::Lt(b.upper_t1[h], a.lower_t1[h]));
      s = hn::Or(above, below);
    } else {
      s = hn::Or(hn::Gt(hn::Min(b.lower_t0[h], b.lower_t1[h]), hn::Max(a.upper_t0[h], a.upper_t1[h])),
                 hn::Lt(hn::Max(b.upper_t0[h], b.upper_t1[h]), hn::Min(a.lower_t0[h], a.lower_t1[h])));
    }
    any = h == 0 ? s : hn::Or(any, s);
  }
  return !hn::AllFalse(float_tag, any);
}

}  // namespace toccata::deformable::clusters::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
