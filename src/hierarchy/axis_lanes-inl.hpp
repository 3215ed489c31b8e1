// Axes of boxes, one box per lane.
//
// Included once per Highway target (no #pragma once).
#include <hwy/highway.h>

#if defined(TOCCATA_HIERARCHY_AXIS_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TOCCATA_HIERARCHY_AXIS_LANES_INL
#undef TOCCATA_HIERARCHY_AXIS_LANES_INL
#else
#define TOCCATA_HIERARCHY_AXIS_LANES_INL
#endif

#include "base/lane_ops-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace toccata::hierarchy {
namespace HWY_NAMESPACE {
using namespace lanes::HWY_NAMESPACE;

// In float, and what that is in double.
HWY_INLINE Lane as_float(Lane x) {
  const hn::Rebind<float, LaneTag> floats;
  return hn::PromoteTo(LaneTag(), hn::DemoteTo(floats, x));
}

HWY_INLINE void scaled_by(Lane factor, Lane* v) {
  for (int k = 0; k < 3; ++k) v[k] = v[k] * factor;
}

// Orthogonal to v, and not short.
HWY_INLINE void across(const Lane* v, Lane* to) {
  const Lane one = lane(1.0), zero = hn::Zero(LaneTag());
  const Lane size[3] = {hn::Abs(v[0]), hn::Abs(v[1]), hn::Abs(v[2])};
  const LaneMask by_x = hn::And(hn::Le(size[0], size[1]), hn::Le(size[0], size[2]));
  const LaneMask by_y = hn::And(hn::Not(by_x), hn::Le(size[1], size[2]));
  const Lane unit[3] = {hn::IfThenElse(by_x, one, zero), hn::IfThenElse(by_y, one, zero),
                        hn::IfThenElse(hn::Or(by_x, by_y), zero, one)};
  cross(v, unit, to);
}

// The rows of the inverse of the matrix that has these columns.
HWY_INLINE void inverse_rows(const Lane (&axes)[3][3], Lane (&rows)[3][3]) {
  cross(axes[1], axes[2], rows[0]);
  cross(axes[2], axes[0], rows[1]);
  cross(axes[0], axes[1], rows[2]);
  const Lane share = lane(1.0) / dot(axes[0], rows[0]);
  for (auto& row : rows) scaled_by(share, row);
}

}  // namespace HWY_NAMESPACE
}  // namespace toccata::hierarchy
HWY_AFTER_NAMESPACE();
#endif
