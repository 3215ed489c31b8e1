#include "hierarchy/box_fit_kernels.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hierarchy/box_fit_kernels.cpp"
#include <hwy/foreach_target.h>
// after foreach_target
#include <hwy/highway.h>

#include "base/lane_ops-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace toccata::hierarchy::HWY_NAMESPACE {
namespace {
using namespace lanes::HWY_NAMESPACE;

// The coordinates of one point per lane, relative to the origin.
HWY_INLINE void load_points(const double* const* p, const Lane* origin, Lane* x) {
  Lane unused;
  load_two(p, 0, x[0], x[1]);
  load_two(p, 2, x[2], unused);
  for (int k = 0; k < 3; ++k) x[k] = x[k] - origin[k];
}

// rows[k] . x
HWY_INLINE void turned(const Lane (&rows)[3][3], const Lane* x, Lane* y) {
  for (int k = 0; k < 3; ++k) y[k] = dot(rows[k], x);
}

struct LaneBounds {
  Lane lower[3], upper[3];

  HWY_INLINE void start(const Lane* y) {
    for (int k = 0; k < 3; ++k) lower[k] = upper[k] = y[k];
  }
  HWY_INLINE void take(const Lane* y) {
    for (int k = 0; k < 3; ++k) {
      lower[k] = hn::Min(lower[k], y[k]);
      upper[k] = hn::Max(upper[k], y[k]);
    }
  }
};

}  // namespace

Bounds lane_bounds(const Matrix3& inverse, const Vector3& origin, const TreePoint* points,
                   std::span<const std::int32_t> list) {
  Lane rows[3][3], from[3];
  for (int i = 0; i < 3; ++i) {
    from[i] = lane(origin[i]);
    for (int k = 0; k < 3; ++k) rows[i][k] = lane(inverse(i, k));
  }
  LaneBounds bounds;
  for (std::size_t i = 0; i < list.size(); i += lane_count) {
    const double* p[lane_count];
    for (std::size_t l = 0; l < lane_count; ++l) {
      p[l] = points[list[i + l < list.size() ? i + l : i]].x;
    }
    Lane x[3], y[3];
    load_points(p, from, x);
    turned(rows, x, y);
    if (i == 0) bounds.start(y);
    bounds.take(y);
  }
  Bounds result;
  for (int k = 0; k < 3; ++k) {
    result.lower[k] = hn::GetLane(hn::MinOfLanes(LaneTag(), bounds.lower[k]));
    result.upper[k] = hn::GetLane(hn::MaxOfLanes(LaneTag(), bounds.upper[k]));
  }
  return result;
}

namespace {

// In float, and what that is in double.
HWY_INLINE Lane as_float(Lane x) {
  const hn::Rebind<float, LaneTag> floats;
  return hn::PromoteTo(LaneTag(), hn::DemoteTo(floats, x));
}

// Not below x >= 0: in the next float above where the nearest one is below.
HWY_INLINE Lane up_to_float(Lane x) {
  const hn::Rebind<float, LaneTag> floats;
  const hn::Rebind<std::int32_t, LaneTag> integers;
  const auto nearest = hn::DemoteTo(floats, x);
  const auto next = hn::BitCast(floats, hn::Add(hn::BitCast(integers, nearest), hn::Set(integers, 1)));
  const Lane low = hn::PromoteTo(LaneTag(), nearest);
  return hn::IfThenElse(hn::Lt(low, x), hn::PromoteTo(LaneTag(), next), low);
}

HWY_INLINE void scaled_by(Lane factor, Lane* v) {
  for (int k = 0; k < 3; ++k) v[k] = v[k] * factor;
}

// Axes of a triangle with these corners; the coordinates' own where it has no length.
HWY_INLINE void triangle_axes(const Lane (&corner)[3][3], Lane (&axes)[3][3]) {
  const Lane one = lane(1.0), zero = hn::Zero(LaneTag());
  Lane longest[3], other[3], third[3];
  for (int k = 0; k < 3; ++k) {
    longest[k] = corner[1][k] - corner[0][k];
    other[k] = corner[2][k] - corner[1][k];
    third[k] = corner[0][k] - corner[2][k];
  }
  const LaneMask swapped = hn::Gt(dot(other, other), dot(longest, longest));
  for (int k = 0; k < 3; ++k) {
    const Lane first = longest[k];
    longest[k] = hn::IfThenElse(swapped, other[k], first);
    other[k] = hn::IfThenElse(swapped, first, other[k]);
  }
  const LaneMask last = hn::Gt(dot(third, third), dot(longest, longest));
  for (int k = 0; k < 3; ++k) longest[k] = hn::IfThenElse(last, third[k], longest[k]);
  const Lane length = hn::Sqrt(dot(longest, longest));
  // Beyond these the squares or the inverse leave the range.
  const LaneMask usual = hn::And(hn::Gt(length, lane(1e-150)), hn::Lt(length, lane(1e150)));
  scaled_by(one / hn::IfThenElse(usual, length, one), longest);
  Lane normal[3];
  cross(longest, other, normal);
  // Of a needle any direction across will do: along the coordinate axis that it is least along, made so.
  const Lane squared = dot(normal, normal);
  const Lane size[3] = {hn::Abs(longest[0]), hn::Abs(longest[1]), hn::Abs(longest[2])};
  const LaneMask by_x = hn::And(hn::Le(size[0], size[1]), hn::Le(size[0], size[2]));
  const LaneMask by_y = hn::And(hn::Not(by_x), hn::Le(size[1], size[2]));
  const Lane unit[3] = {hn::IfThenElse(by_x, one, zero), hn::IfThenElse(by_y, one, zero),
                        hn::IfThenElse(hn::Or(by_x, by_y), zero, one)};
  Lane across[3];
  cross(longest, unit, across);
  const LaneMask wide = hn::Gt(squared, lane(1e-12) * (length * length));
  for (int k = 0; k < 3; ++k) normal[k] = hn::IfThenElse(wide, normal[k], across[k]);
  scaled_by(one / hn::Sqrt(dot(normal, normal)), normal);
  Lane side[3];
  cross(normal, longest, side);
  for (int k = 0; k < 3; ++k) {
    axes[0][k] = as_float(hn::IfThenElse(usual, longest[k], lane(k == 0 ? 1.0 : 0.0)));
    axes[1][k] = as_float(hn::IfThenElse(usual, side[k], lane(k == 1 ? 1.0 : 0.0)));
    axes[2][k] = as_float(hn::IfThenElse(usual, normal[k], lane(k == 2 ? 1.0 : 0.0)));
  }
}

// The rows of the inverse of the matrix that has these columns.
HWY_INLINE void inverse_rows(const Lane (&axes)[3][3], Lane (&rows)[3][3]) {
  cross(axes[1], axes[2], rows[0]);
  cross(axes[2], axes[0], rows[1]);
  cross(axes[0], axes[1], rows[2]);
  const Lane share = lane(1.0) / dot(axes[0], rows[0]);
  for (auto& row : rows) scaled_by(share, row);
}

struct LaneBox {
  Lane axes[3][3], center[3], half[3];
};

// As fitted_box.
HWY_INLINE void finish_box(const Lane (&rows)[3][3], const LaneBounds& bounds, Lane padding, LaneBox& box) {
  const Lane half = lane(0.5);
  Lane middle[3], place[3];
  for (int k = 0; k < 3; ++k) middle[k] = half * (bounds.lower[k] + bounds.upper[k]);
  for (int k = 0; k < 3; ++k) {
    box.center[k] =
        as_float((box.axes[0][k] * middle[0] + box.axes[1][k] * middle[1]) + box.axes[2][k] * middle[2]);
  }
  turned(rows, box.center, place);
  for (int k = 0; k < 3; ++k) {
    box.half[k] = up_to_float(hn::Max(bounds.upper[k] - place[k], place[k] - bounds.lower[k]) + padding);
  }
}

}  // namespace

double put_triangle_lanes(const TriangleSlots& triangles, const TreePoint* points, const Vector3& origin,
                          double padding, BoxNode& node) {
  Lane from[3];
  for (int k = 0; k < 3; ++k) from[k] = lane(origin[k]);
  double reach = 0.0;
  for (std::size_t i = 0; i < triangles.count; i += lane_count) {
    const std::size_t used = std::min(lane_count, triangles.count - i);
    Lane corner[3][3];
    for (std::size_t k = 0; k < 3; ++k) {
      const double* p[lane_count];
      for (std::size_t l = 0; l < lane_count; ++l) {
        p[l] = points[triangles.corners[i + (l < used ? l : 0)][k]].x;
      }
      load_points(p, from, corner[k]);
    }
    LaneBox box;
    Lane rows[3][3], y[3];
    triangle_axes(corner, box.axes);
    inverse_rows(box.axes, rows);
    LaneBounds bounds;
    turned(rows, corner[0], y);
    bounds.start(y);
    for (std::size_t k = 1; k < 3; ++k) {
      turned(rows, corner[k], y);
      bounds.take(y);
    }
    finish_box(rows, bounds, lane(padding), box);
    const Lane adds = hn::Sqrt(dot(box.center, box.center)) + ((box.half[0] + box.half[1]) + box.half[2]);
    HWY_ALIGN double values[16][lane_count];
    for (std::size_t j = 0; j < 3; ++j) {
      hn::Store(box.center[j], LaneTag(), values[j]);
      hn::Store(box.half[j], LaneTag(), values[3 + j]);
      for (std::size_t k = 0; k < 3; ++k) hn::Store(box.axes[j][k], LaneTag(), values[6 + 3 * j + k]);
    }
    hn::Store(adds, LaneTag(), values[15]);
    for (std::size_t l = 0; l < used; ++l) {
      const std::size_t slot = triangles.slot[i + l];
      for (std::size_t j = 0; j < 3; ++j) {
        node.center[j][slot] = static_cast<float>(values[j][l]);
        node.half[j][slot] = static_cast<float>(values[3 + j][l]);
        for (std::size_t k = 0; k < 3; ++k) {
          node.axis[j][k][slot] = static_cast<float>(values[6 + 3 * j + k][l]);
        }
      }
      reach = std::max(reach, values[15][l]);
    }
  }
  return reach;
}

}  // namespace toccata::hierarchy::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toccata::hierarchy {

HWY_EXPORT(lane_bounds);
HWY_EXPORT(put_triangle_lanes);

Bounds bounds_along(const Matrix3& inverse, const Vector3& origin, const TreePoint* points,
                    std::span<const std::int32_t> list) {
  return HWY_DYNAMIC_DISPATCH(lane_bounds)(inverse, origin, points, list);
}

double put_triangles(const TriangleSlots& triangles, const TreePoint* points, const Vector3& origin,
                     double padding, BoxNode& node) {
  return HWY_DYNAMIC_DISPATCH(put_triangle_lanes)(triangles, points, origin, padding, node);
}

}  // namespace toccata::hierarchy
#endif
