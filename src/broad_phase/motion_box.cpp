// Over a short time two boxes hold the shape, and so does what they have in common: the ball about the
// shape's centre, of which only the centre moves, and the corners of its oriented box with what the motion
// lets them travel along each axis. The second is the smaller one only as long as the shape turns little.
#include "toccata/broad_phase/motion_box.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "hierarchy/box_slabs.hpp"
#include "hierarchy/shape_data.hpp"
#include "toccata/base/rounding.hpp"
#include "toccata/motion/displacement_bound.hpp"

namespace toccata {
namespace {

constexpr double longest_turn = 0.75;  // radians, of one part of the time
constexpr int most_parts = 16;
constexpr double little_turn = 0.5;  // radians: corners are worth a look

Aabb empty_box() {
  const Vector3 far = Vector3::Constant(std::numeric_limits<double>::infinity());
  return {far, -far};
}

Aabb common(const Aabb& a, const Aabb& b) {
  return {a.lower.cwiseMax(b.lower), a.upper.cwiseMin(b.upper)};
}

// How far the points are displaced along each axis and against it, and from where to where they reach at the
// start.
Aabb travelled(const MotionExpansion& e, std::span<const Vector3> points, double delta, double padding) {
  const Aabb start = fit<Aabb>(points);
  Aabb box = start;
  for (int k = 0; k < 3; ++k) {
    const Vector3 axis = Vector3::Unit(k);
    box.lower[k] = next_down(start.lower[k] - directed_displacement(e, points, 0.0, -axis, delta) - padding);
    box.upper[k] = next_up(start.upper[k] + directed_displacement(e, points, 0.0, axis, delta) + padding);
  }
  return box;
}

// Of roundings of world points and of the motion's own poses.
double place_error(const ShapeData& shape, const Motion& motion, const Pose& pose) {
  const double reach = shape.center.norm() + shape.radius;
  const PoseError error = motion.pose_error();
  return (error.translation + error.rotation * reach +
          64.0 * unit_roundoff * (reach + pose.translation.norm())) *
         (1.0 + 1e-12);
}

Aabb over_part(const ShapeData& shape, const Motion& motion, double begin, double end) {
  const Pose pose = motion.pose(begin);
  const MotionExpansion e = motion.expansion(begin, end);
  const double delta = next_up(end - begin), padding = place_error(shape, motion, pose);
  const Vector3 center = pose.apply(shape.center);
  Aabb box = travelled(e, {&center, 1}, delta, padding + shape.radius * (1.0 + 1e-12));
  if (e.angular_velocity.norm() * delta > little_turn) return box;
  const hierarchy::WorldBox whole = hierarchy::world_box(shape, pose, 0);
  return common(box, travelled(e, whole.corners, delta, padding + 32.0 * unit_roundoff * whole.scale));
}

// The whole time is cut where the motion is not smooth, and where it turns far.
Aabb over(const ShapeData& shape, const Motion& motion, double begin, double end) {
  Aabb box = empty_box();
  for (double from = begin;;) {
    const double smooth = std::min(end, motion.next_breakpoint(from));
    const double turn = motion.expansion(from, smooth).angular_velocity.norm() * (smooth - from);
    // Parts gain only where the shape's centre goes along an arc, which a single bound makes a square of.
    const int parts = static_cast<int>(std::clamp(std::ceil(turn / longest_turn), 1.0, double{most_parts}));
    for (int i = 0; i < parts; ++i) {
      const double t0 = i == 0 ? from : from + (smooth - from) * i / parts;
      const double t1 = i + 1 == parts ? smooth : from + (smooth - from) * (i + 1) / parts;
      box = merge(box, over_part(shape, motion, t0, t1));
    }
    if (!(smooth < end) || !(smooth > from)) return box;
    from = smooth;
  }
}

}  // namespace

Aabb motion_box(const Shape& shape, const Motion& motion, double begin, double end) {
  const ShapeData& data = shape.data();
  if (data.tree.empty()) return empty_box();
  if (data.is_half_space()) {
    constexpr double infinite = std::numeric_limits<double>::infinity();
    return {Vector3::Constant(-infinite), Vector3::Constant(infinite)};
  }
  Aabb box = motion.is_fixed() ? over_part(data, motion, begin, begin) : over(data, motion, begin, end);
  for (int k = 0; k < 3; ++k) {  // what could not be bounded is without bound
    if (!(box.lower[k] >= -std::numeric_limits<double>::max()))
      box.lower[k] = -std::numeric_limits<double>::infinity();
    if (!(box.upper[k] <= std::numeric_limits<double>::max()))
      box.upper[k] = std::numeric_limits<double>::infinity();
  }
  return box;
}

}  // namespace toccata
