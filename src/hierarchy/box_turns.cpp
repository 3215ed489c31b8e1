#include "hierarchy/box_turns.hpp"

#include <algorithm>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hierarchy/box_turns.cpp"
#include <hwy/foreach_target.h>
// after foreach_target
#include <hwy/highway.h>

#include "base/lane_ops-inl.hpp"
#include "hierarchy/axis_lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace toccata::hierarchy::HWY_NAMESPACE {
namespace {

// Of longer lists so many points, evenly spread.
constexpr std::size_t most_points = 64;
// Angles that are looked at together.
constexpr std::size_t angle_count = 8;

struct Angles {
  HWY_ALIGN float cosine[angle_count];
  HWY_ALIGN float sine[angle_count];
};

// Half of the angles to either side of none: eighths of a quarter turn, and quarters of those.
constexpr std::size_t no_turn = angle_count / 2;
constexpr Angles coarse = {
    {0.70710678F, 0.83146961F, 0.92387953F, 0.98078528F, 1.0F, 0.98078528F, 0.92387953F, 0.83146961F},
    {-0.70710678F, -0.55557023F, -0.38268343F, -0.19509032F, 0.0F, 0.19509032F, 0.38268343F, 0.55557023F}};
constexpr Angles fine = {
    {0.98078528F, 0.98917651F, 0.99518473F, 0.99879546F, 1.0F, 0.99879546F, 0.99518473F, 0.98917651F},
    {-0.19509032F, -0.14673047F, -0.09801714F, -0.04906767F, 0.0F, 0.04906767F, 0.09801714F, 0.14673047F}};

// Points along the three axes.
struct Places {
  float x[most_points];
  float y[most_points];
  float low = std::numeric_limits<float>::infinity();  // of the third
  float high = -std::numeric_limits<float>::infinity();
  std::size_t count = 0;
};

// The surface of the box, a constant times it, after each of the turns.
HWY_INLINE void measure_turns(const Places& places, const Angles& angles, float* measure) {
  constexpr hn::CappedTag<float, angle_count> d;
  using Vec = hn::Vec<decltype(d)>;
  const Vec height = hn::Set(d, places.high - places.low);
  for (std::size_t at = 0; at < angle_count; at += hn::Lanes(d)) {
    const Vec c = hn::Load(d, angles.cosine + at), s = hn::Load(d, angles.sine + at);
    Vec low_x = hn::Set(d, std::numeric_limits<float>::infinity()), low_y = low_x;
    Vec high_x = hn::Neg(low_x), high_y = high_x;
    for (std::size_t i = 0; i < places.count; ++i) {
      const Vec px = hn::Set(d, places.x[i]), py = hn::Set(d, places.y[i]);
      const Vec x = hn::Add(hn::Mul(c, px), hn::Mul(s, py)), y = hn::Sub(hn::Mul(c, py), hn::Mul(s, px));
      low_x = hn::Min(low_x, x);
      high_x = hn::Max(high_x, x);
      low_y = hn::Min(low_y, y);
      high_y = hn::Max(high_y, y);
    }
    const Vec u = hn::Sub(high_x, low_x), v = hn::Sub(high_y, low_y);
    hn::Store(hn::Add(hn::Mul(u, v), hn::Mul(height, hn::Add(u, v))), d, measure + at);
  }
}

// Turns axes and places by the angle that makes the box smallest.
HWY_INLINE void turn_by_best(const Angles& angles, Places& places, BoxAxes& axes, std::size_t slot) {
  HWY_ALIGN float measure[angle_count];
  measure_turns(places, angles, measure);
  std::size_t best = no_turn;
  for (std::size_t i = 0; i < angle_count; ++i) best = measure[i] < measure[best] ? i : best;
  if (best == no_turn) return;
  const float c = angles.cosine[best], s = angles.sine[best];
  for (std::size_t i = 0; i < places.count; ++i) {
    const float x = places.x[i], y = places.y[i];
    places.x[i] = c * x + s * y;
    places.y[i] = c * y - s * x;
  }
  const auto wide_c = static_cast<double>(c), wide_s = static_cast<double>(s);
  for (std::size_t k = 0; k < 3; ++k) {
    const double x = axes.axis[0][k][slot], y = axes.axis[1][k][slot];
    axes.axis[0][k][slot] = wide_c * x + wide_s * y;
    axes.axis[1][k][slot] = wide_c * y - wide_s * x;
  }
}

}  // namespace

void lane_turn_axes(BoxAxes& axes, std::size_t slot, const Vector3& origin, const TreePoint* points,
                    std::span<const std::int32_t> list) {
  Places places;
  const std::size_t apart = (list.size() + most_points - 1) / most_points;
  for (std::size_t i = 0; i < list.size(); i += apart) {
    const double* const p = points[list[i]].x;
    const double from[3] = {p[0] - origin[0], p[1] - origin[1], p[2] - origin[2]};
    const auto along = [&](std::size_t k) {
      return static_cast<float>(axes.axis[k][0][slot] * from[0] + axes.axis[k][1][slot] * from[1] +
                                axes.axis[k][2][slot] * from[2]);
    };
    const float z = along(2);
    places.x[places.count] = along(0);
    places.y[places.count] = along(1);
    places.low = std::min(places.low, z);
    places.high = std::max(places.high, z);
    ++places.count;
  }
  turn_by_best(coarse, places, axes, slot);
  turn_by_best(fine, places, axes, slot);
}

void lane_finish_axes(BoxAxes& axes) {
  const LaneTag d;
  const Lane one = lane(1.0);
  for (std::size_t first = 0; first < box_width; first += lane_count) {
    Lane a[3][3], rows[3][3];
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t k = 0; k < 3; ++k) a[i][k] = hn::Load(d, axes.axis[i][k] + first);
    }
    scaled_by(one / hn::Sqrt(dot(a[2], a[2])), a[2]);
    const Lane part = dot(a[0], a[2]);
    for (int k = 0; k < 3; ++k) a[0][k] = a[0][k] - part * a[2][k];
    scaled_by(one / hn::Sqrt(dot(a[0], a[0])), a[0]);
    cross(a[2], a[0], a[1]);
    for (auto& axis : a) {
      for (auto& x : axis) x = as_float(x);
    }
    inverse_rows(a, rows);
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t k = 0; k < 3; ++k) {
        hn::Store(a[i][k], d, axes.axis[i][k] + first);
        hn::Store(rows[i][k], d, axes.inverse[i][k] + first);
      }
    }
  }
}

}  // namespace toccata::hierarchy::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toccata::hierarchy {

HWY_EXPORT(lane_turn_axes);
HWY_EXPORT(lane_finish_axes);

void turn_axes(BoxAxes& axes, std::size_t slot, const Vector3& origin, const TreePoint* points,
               std::span<const std::int32_t> list) {
  HWY_DYNAMIC_DISPATCH(lane_turn_axes)(axes, slot, origin, points, list);
}

void finish_axes(BoxAxes& axes) {
  HWY_DYNAMIC_DISPATCH(lane_finish_axes)(axes);
}

}  // namespace toccata::hierarchy
#endif
