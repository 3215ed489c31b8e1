// Over a short time two boxes hold the shape, and so does what they have in common: the ball about the
// shape's centre, of which only the centre moves, and the corners of its oriented box with what the motion
// lets them travel along each axis. The second is the smaller one only as long as the shape turns little.
// The centre of a steady motion goes straight and around a circle: that path has a box in closed form, over
// any time.
#include "toccata/broad_phase/motion_box.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "broad_phase/turned_points.hpp"
#include "hierarchy/box_slabs.hpp"
#include "hierarchy/shape_data.hpp"
#include "toccata/base/rounding.hpp"
#include "toccata/motion/displacement_bound.hpp"

namespace toccata {
namespace {

constexpr double longest_turn = 0.75;  // radians, of one part of the time
constexpr int most_parts = 16;
constexpr double about_as_far = 0.9;
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
  const AxisDisplacements moved = axis_displacements(e, points, 0.0, delta);
  Aabb box = fit<Aabb>(points);
  for (int k = 0; k < 3; ++k) {
    box.lower[k] = next_down(box.lower[k] - moved.backward[k] - padding);
    box.upper[k] = next_up(box.upper[k] + moved.forward[k] + padding);
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

// The values of a cos(x) + b sin(x) for x in [0, turn], a little wider.
struct Range {
  double low;
  double high;
};
Range range_on_arc(double a, double b, double turn, double cosine, double sine) {
  const double most = std::hypot(a, b) * (1.0 + 8.0 * unit_roundoff);
  if (!(turn < 3.0)) return {-most, most};
  const double end = a * cosine + b * sine, slope = b * cosine - a * sine;
  // Less than half a turn holds at most one extremum, between slopes of different signs; where one of them is
  // zero up to rounding, the end is the extremum up to rounding.
  Range range = {std::min(a, end), std::max(a, end)};
  if (b > 0.0 && slope < 0.0) range.high = most;
  if (b < 0.0 && slope > 0.0) range.low = -most;
  return range;
}

// Of the ball about the shape's centre under a steady motion.
Aabb ball_along(const ShapeData& shape, const MotionExpansion& e, const Vector3& center, double delta,
                double padding) {
  const Vector3 d = center - e.center;
  const double arm = d.norm(), spin = e.angular_velocity.norm(), turn = spin * delta;
  Vector3 along = Vector3::Zero(), around = Vector3::Zero();
  if (spin > 0.0) {
    const Vector3 axis = e.angular_velocity / spin;
    along = d - axis.dot(d) * axis;
    around = axis.cross(d);
  }
  const double cosine = std::cos(turn), sine = std::sin(turn);
  const double slack = padding + shape.radius * (1.0 + 1e-12) + delta * (e.speed_slack + e.spin_slack * arm) +
                       64.0 * unit_roundoff *
                           (center.norm() + e.center.norm() + (1.0 + turn) * arm + delta * e.velocity.norm());
  Aabb box;
  for (int k = 0; k < 3; ++k) {
    const Range arc = range_on_arc(along[k], around[k], turn, cosine, sine);
    const double start = center[k] - along[k], straight = delta * e.velocity[k];
    box.lower[k] = next_down(start + arc.low + std::min(0.0, straight) - slack);
    box.upper[k] = next_up(start + arc.high + std::max(0.0, straight) + slack);
  }
  return box;
}

Aabb over_part(const ShapeData& shape, const Motion& motion, double begin, double end) {
  const Pose pose = motion.pose(begin);
  const MotionExpansion e = motion.expansion(begin, end);
  const double delta = next_up(end - begin), padding = place_error(shape, motion, pose);
  const Vector3 center = pose.apply(shape.center);
  const Aabb box = e.steady ? ball_along(shape, e, center, delta, padding)
                            : travelled(e, {&center, 1}, delta, padding + shape.radius * (1.0 + 1e-12));
  if (e.angular_velocity.norm() * delta > little_turn) return box;
  const hierarchy::WorldBox whole = hierarchy::world_box(shape, pose, 0);
  // Where the corners reach about as far as the ball to begin with, their ways gain nothing.
  const Aabb corners = fit<Aabb>(whole.corners);
  const Vector3 ball = Vector3::Constant(about_as_far * shape.radius);
  if (((corners.lower - center + ball).array() <= 0.0).all() &&
      ((corners.upper - center - ball).array() >= 0.0).all())
    return box;
  return common(box, travelled(e, whole.corners, delta, padding + 32.0 * unit_roundoff * whole.scale));
}

// The corners of one convex set of few points; those of the shape's oriented box otherwise.
Aabb at_rest(const ShapeData& shape, const Pose& pose, double padding) {
  constexpr std::size_t few_points = 64;
  const Vector3 center = pose.apply(shape.center);
  const ConvexSet* set = shape.piece_count() == 1 && shape.sets.size() == 1 ? &shape.sets[0].set : nullptr;
  if (set != nullptr && set->core == Core::Points && !set->is_placed && !set->points.empty() &&
      set->points.size() <= few_points) {
    const Aabb turned = set->index != nullptr && set->index->is_scanned()
                            ? broad_phase::turned_points_box(pose.rotation, set->index->scanned_corners())
                            : broad_phase::turned_points_box(pose.rotation, set->points);
    const Vector3 beyond = Vector3::Constant(padding + set->radius * (1.0 + 1e-12));
    return {center + turned.lower - beyond, center + turned.upper + beyond};
  }
  const hierarchy::WorldBox whole = hierarchy::world_box(shape, pose, 0);
  const Aabb corners = fit<Aabb>(whole.corners);
  const Vector3 ball = Vector3::Constant(padding + shape.radius * (1.0 + 1e-12));
  const Vector3 margin = Vector3::Constant(padding + 32.0 * unit_roundoff * whole.scale);
  return common({center - ball, center + ball}, {corners.lower - margin, corners.upper + margin});
}

// The whole time is cut where the motion is not smooth, and where it turns far.
Aabb over(const ShapeData& shape, const Motion& motion, double begin, double end) {
  Aabb box = empty_box();
  for (double from = begin;;) {
    const double smooth = std::min(end, motion.next_breakpoint(from));
    const MotionExpansion e = motion.expansion(from, smooth);
    const double turn = e.angular_velocity.norm() * (smooth - from);
    if (e.steady && turn > little_turn) {  // the path of the centre is known
      const Pose pose = motion.pose(from);
      box = merge(box, ball_along(shape, e, pose.apply(shape.center), next_up(smooth - from),
                                  place_error(shape, motion, pose)));
      if (!(smooth < end) || !(smooth > from)) return box;
      from = smooth;
      continue;
    }
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

Aabb unbounded_where_unknown(Aabb box) {
  for (int k = 0; k < 3; ++k) {  // what could not be bounded is without bound
    if (!(box.lower[k] >= -std::numeric_limits<double>::max()))
      box.lower[k] = -std::numeric_limits<double>::infinity();
    if (!(box.upper[k] <= std::numeric_limits<double>::max()))
      box.upper[k] = std::numeric_limits<double>::infinity();
  }
  return box;
}

Aabb whole_space() {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  return {Vector3::Constant(-infinite), Vector3::Constant(infinite)};
}

}  // namespace

Aabb motion_box(const Shape& shape, const Motion& motion, double begin, double end) {
  const ShapeData& data = shape.data();
  if (data.tree.empty()) return empty_box();
  if (data.is_half_space()) return whole_space();
  if (!motion.is_fixed() && begin < end) return unbounded_where_unknown(over(data, motion, begin, end));
  const Pose pose = motion.pose(begin);
  return unbounded_where_unknown(at_rest(data, pose, place_error(data, motion, pose)));
}

Aabb pose_box(const Shape& shape, const Pose& pose) {
  const ShapeData& data = shape.data();
  if (data.tree.empty()) return empty_box();
  if (data.is_half_space()) return whole_space();
  // Sums of coordinates, which are no less than lengths and take no root.
  const double lengths = data.center.lpNorm<1>() + data.radius + pose.translation.lpNorm<1>();
  return unbounded_where_unknown(at_rest(data, pose, 64.0 * unit_roundoff * lengths));
}

}  // namespace toccata
