#include "hierarchy/box_fit_kernels.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hierarchy/box_fit_kernels.cpp"
#include <hwy/foreach_target.h>
// after foreach_target
#include <hwy/highway.h>

#include "base/lane_ops-inl.hpp"
#include "hierarchy/axis_lanes-inl.hpp"

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

void lane_bounds_along(BoxBounds& bounds, const BoxAxes& axes, std::size_t slot, const Vector3& origin,
                       const TreePoint* points, std::span<const std::int32_t> list) {
  Lane rows[3][3], from[3];
  for (int i = 0; i < 3; ++i) {
    from[i] = lane(origin[i]);
    for (int k = 0; k < 3; ++k) rows[i][k] = lane(axes.inverse[i][k][slot]);
  }
  LaneBounds along;
  for (std::size_t i = 0; i < list.size(); i += lane_count) {
    const double* p[lane_count];
    for (std::size_t l = 0; l < lane_count; ++l) {
      p[l] = points[list[i + l < list.size() ? i + l : i]].x;
    }
    Lane x[3], y[3];
    load_points(p, from, x);
    turned(rows, x, y);
    if (i == 0) along.start(y);
    along.take(y);
  }
  for (int k = 0; k < 3; ++k) {
    bounds.lower[k][slot] = hn::GetLane(hn::MinOfLanes(LaneTag(), along.lower[k]));
    bounds.upper[k][slot] = hn::GetLane(hn::MaxOfLanes(LaneTag(), along.upper[k]));
  }
}

Bounds lane_bounds_of(const TreePoint* points, std::span<const std::int32_t> list) {
  constexpr hn::CappedTag<double, 4> d;
  constexpr std::size_t lanes = hn::MaxLanes(d), vectors = 4 / lanes;
  hn::Vec<decltype(d)> lower[vectors], upper[vectors];
  for (std::size_t v = 0; v < vectors; ++v) lower[v] = upper[v] = hn::Load(d, points[list[0]].x + v * lanes);
  for (const std::int32_t vertex : list) {
    for (std::size_t v = 0; v < vectors; ++v) {
      const auto x = hn::Load(d, points[vertex].x + v * lanes);
      lower[v] = hn::Min(lower[v], x);
      upper[v] = hn::Max(upper[v], x);
    }
  }
  HWY_ALIGN double low[4], high[4];
  for (std::size_t v = 0; v < vectors; ++v) {
    hn::Store(lower[v], d, low + v * lanes);
    hn::Store(upper[v], d, high + v * lanes);
  }
  return {{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
}

namespace {

// Not below x >= 0: in the next float above where the nearest one is below.
HWY_INLINE Lane up_to_float(Lane x) {
  const hn::Rebind<float, LaneTag> floats;
  const hn::Rebind<std::int32_t, LaneTag> integers;
  const auto nearest = hn::DemoteTo(floats, x);
  const auto next = hn::BitCast(floats, hn::Add(hn::BitCast(integers, nearest), hn::Set(integers, 1)));
  const Lane low = hn::PromoteTo(LaneTag(), nearest);
  return hn::IfThenElse(hn::Lt(low, x), hn::PromoteTo(LaneTag(), next), low);
}

// Axes of a triangle with these corners; the coordinates' own where it has no length.
HWY_INLINE void triangle_axes(const Lane (&corner)[3][3], Lane (&axes)[3][3]) {
  const Lane one = lane(1.0);
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
  // Of a needle any direction across will do.
  const Lane squared = dot(normal, normal);
  Lane other_way[3];
  across(longest, other_way);
  const LaneMask wide = hn::Gt(squared, lane(1e-12) * (length * length));
  for (int k = 0; k < 3; ++k) normal[k] = hn::IfThenElse(wide, normal[k], other_way[k]);
  scaled_by(one / hn::Sqrt(dot(normal, normal)), normal);
  Lane side[3];
  cross(normal, longest, side);
  for (int k = 0; k < 3; ++k) {
    axes[0][k] = as_float(hn::IfThenElse(usual, longest[k], lane(k == 0 ? 1.0 : 0.0)));
    axes[1][k] = as_float(hn::IfThenElse(usual, side[k], lane(k == 1 ? 1.0 : 0.0)));
    axes[2][k] = as_float(hn::IfThenElse(usual, normal[k], lane(k == 2 ? 1.0 : 0.0)));
  }
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

namespace {

// Axes and bounds along them of one triangle per lane; where there is none, of a point.
HWY_INLINE void start_triangles(const std::int32_t* const* corners, const TreePoint* points,
                                const Lane* origin, LaneBox& box, Lane (&rows)[3][3], LaneBounds& bounds) {
  constexpr std::int32_t nowhere[3] = {0, 0, 0};
  Lane corner[3][3], y[3];
  const std::int32_t* of_lane[lane_count];
  for (std::size_t l = 0; l < lane_count; ++l) of_lane[l] = corners[l] != nullptr ? corners[l] : nowhere;
  for (std::size_t k = 0; k < 3; ++k) {
    const double* p[lane_count];
    for (std::size_t l = 0; l < lane_count; ++l) p[l] = points[of_lane[l][k]].x;
    load_points(p, origin, corner[k]);
  }
  triangle_axes(corner, box.axes);
  inverse_rows(box.axes, rows);
  turned(rows, corner[0], y);
  bounds.start(y);
  for (std::size_t k = 1; k < 3; ++k) {
    turned(rows, corner[k], y);
    bounds.take(y);
  }
}

// Given ones in the other lanes.
HWY_INLINE void choose_given(const BoxAxes& axes, const BoxBounds& given, std::size_t first,
                             LaneMask is_triangle, LaneBox& box, Lane (&rows)[3][3], LaneBounds& bounds) {
  const LaneTag d;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      box.axes[i][k] = hn::IfThenElse(is_triangle, box.axes[i][k], hn::Load(d, axes.axis[i][k] + first));
      rows[i][k] = hn::IfThenElse(is_triangle, rows[i][k], hn::Load(d, axes.inverse[i][k] + first));
    }
    bounds.lower[i] = hn::IfThenElse(is_triangle, bounds.lower[i], hn::Load(d, given.lower[i] + first));
    bounds.upper[i] = hn::IfThenElse(is_triangle, bounds.upper[i], hn::Load(d, given.upper[i] + first));
  }
}

// Returns what they add to the node's reach.
HWY_INLINE Lane store_boxes(const LaneBox& box, std::size_t first, LaneMask used, BoxNode& node) {
  constexpr hn::Rebind<float, LaneTag> floats;
  const auto put = [&](Lane value, float* to) {
    hn::Store(hn::DemoteTo(floats, hn::IfThenElseZero(used, value)), floats, to + first);
  };
  for (std::size_t j = 0; j < 3; ++j) {
    put(box.center[j], node.center[j]);
    put(box.half[j], node.half[j]);
    for (std::size_t k = 0; k < 3; ++k) put(box.axes[j][k], node.axis[j][k]);
  }
  const Lane adds = hn::Sqrt(dot(box.center, box.center)) + ((box.half[0] + box.half[1]) + box.half[2]);
  return hn::IfThenElseZero(used, adds);
}

HWY_INLINE LaneMask first_lanes(std::size_t first, std::size_t count) {
  return hn::FirstN(LaneTag(), count > first ? count - first : 0);
}

// An eighth of a box's surface area.
HWY_INLINE Lane lane_measure(const Lane* half) {
  return half[0] * half[1] + half[1] * half[2] + half[2] * half[0];
}

// Boxes along the coordinates' axes where those are smaller.
HWY_INLINE void straighten(const BoxBounds& given, std::size_t first, const Lane* origin,
                           LaneMask is_triangle, Lane padding, LaneBox& box) {
  const LaneTag d;
  Lane half[3];
  LaneBounds bounds;
  for (std::size_t k = 0; k < 3; ++k) {
    bounds.lower[k] = hn::Load(d, given.straight_lower[k] + first);
    bounds.upper[k] = hn::Load(d, given.straight_upper[k] + first);
    half[k] = lane(0.5) * (bounds.upper[k] - bounds.lower[k]);
  }
  const LaneMask turned_is_smaller = hn::Le(lane_measure(box.half), lane_measure(half));
  const LaneMask straight = hn::AndNot(is_triangle, hn::Not(turned_is_smaller));
  if (!any(straight)) return;
  Lane rows[3][3];
  LaneBox other;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 3; ++k) rows[i][k] = other.axes[i][k] = lane(i == k ? 1.0 : 0.0);
    bounds.lower[i] = bounds.lower[i] - origin[i];
    bounds.upper[i] = bounds.upper[i] - origin[i];
  }
  finish_box(rows, bounds, padding, other);
  for (std::size_t i = 0; i < 3; ++i) {
    box.center[i] = hn::IfThenElse(straight, other.center[i], box.center[i]);
    box.half[i] = hn::IfThenElse(straight, other.half[i], box.half[i]);
    for (std::size_t k = 0; k < 3; ++k)
      box.axes[i][k] = hn::IfThenElse(straight, other.axes[i][k], box.axes[i][k]);
  }
}

}  // namespace

double lane_put_boxes(const BoxAxes& axes, const BoxBounds& given, std::size_t count, const TreePoint* points,
                      double padding, BoxNode& node) {
  Lane origin[3];
  for (int k = 0; k < 3; ++k) origin[k] = lane(static_cast<double>(node.origin[k]));
  Lane reach = hn::Zero(LaneTag());
  for (std::size_t first = 0; first < box_width; first += lane_count) {
    const LaneMask used = first_lanes(first, count);
    HWY_ALIGN double kind[lane_count];
    for (std::size_t l = 0; l < lane_count; ++l) kind[l] = given.corners[first + l] != nullptr ? 1.0 : 0.0;
    const LaneMask is_triangle = hn::Gt(hn::Load(LaneTag(), kind), lane(0.5));
    LaneBox box;
    Lane rows[3][3];
    LaneBounds bounds;
    start_triangles(given.corners.data() + first, points, origin, box, rows, bounds);
    choose_given(axes, given, first, is_triangle, box, rows, bounds);
    finish_box(rows, bounds, lane(padding), box);
    straighten(given, first, origin, hn::Or(is_triangle, hn::Not(used)), lane(padding), box);
    reach = hn::Max(reach, store_boxes(box, first, used, node));
  }
  return hn::GetLane(hn::MaxOfLanes(LaneTag(), reach));
}

double lane_put_triangles(const std::array<const std::int32_t*, box_width>& corners, std::size_t count,
                          const TreePoint* points, double padding, BoxNode& node) {
  Lane origin[3];
  for (int k = 0; k < 3; ++k) origin[k] = lane(static_cast<double>(node.origin[k]));
  Lane reach = hn::Zero(LaneTag());
  for (std::size_t first = 0; first < box_width; first += lane_count) {
    LaneBox box;
    Lane rows[3][3];
    LaneBounds bounds;
    start_triangles(corners.data() + first, points, origin, box, rows, bounds);
    finish_box(rows, bounds, lane(padding), box);
    reach = hn::Max(reach, store_boxes(box, first, first_lanes(first, count), node));
  }
  return hn::GetLane(hn::MaxOfLanes(LaneTag(), reach));
}

}  // namespace toccata::hierarchy::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toccata::hierarchy {

HWY_EXPORT(lane_bounds_along);
HWY_EXPORT(lane_bounds_of);
HWY_EXPORT(lane_put_boxes);
HWY_EXPORT(lane_put_triangles);

Bounds bounds_of(const TreePoint* points, std::span<const std::int32_t> list) {
  return HWY_DYNAMIC_DISPATCH(lane_bounds_of)(points, list);
}

void BoxBounds::put_along(const BoxAxes& axes, std::size_t slot, const Vector3& origin,
                          const TreePoint* points, std::span<const std::int32_t> list) {
  HWY_DYNAMIC_DISPATCH(lane_bounds_along)(*this, axes, slot, origin, points, list);
}

void BoxBounds::put_straight(std::size_t slot, const Bounds& bounds) {
  for (int k = 0; k < 3; ++k) {
    straight_lower[k][slot] = bounds.lower[k];
    straight_upper[k][slot] = bounds.upper[k];
  }
}

double put_boxes(const BoxAxes& axes, const BoxBounds& bounds, std::size_t count, const TreePoint* points,
                 double padding, BoxNode& node) {
  return HWY_DYNAMIC_DISPATCH(lane_put_boxes)(axes, bounds, count, points, padding, node);
}

double put_triangles(const std::array<const std::int32_t*, box_width>& corners, std::size_t count,
                     const TreePoint* points, double padding, BoxNode& node) {
  return HWY_DYNAMIC_DISPATCH(lane_put_triangles)(corners, count, points, padding, node);
}

}  // namespace toccata::hierarchy
#endif
