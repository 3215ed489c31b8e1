#include "ccd/search/triangle_advance.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "hierarchy/shape_data.hpp"
#include "toccata/base/rounding.hpp"
#include "toccata/elementary/triangle_triangle.hpp"

namespace toccata::search {
namespace {

constexpr double u = unit_roundoff;

// How far a point of the body may be from where the pose puts it: the motion's own error, and the roundings
// of rotation * x + translation.
double place_error(const MovingShape& body, const Pose& pose) {
  const double reach = body.shape->center.norm() + body.shape->radius;
  const PoseError error = body.motion->pose_error();
  return error.translation + error.rotation * reach + 16.0 * u * (reach + pose.translation.norm());
}

// Lemmas 1 and 2: |v . n| + |w x n| (radius + distance to the axis), an upper bound of the speed along n at
// all times of a steady motion.
double lemma_speed(const MotionExpansion& e, const ThickHull& hull, const Vector3& n) {
  const double spin = e.angular_velocity.norm();
  double arm = 0.0, axial = 0.0, scale = e.center.norm();
  for (const Vector3& x : hull.points) {
    const Vector3 d = x - e.center;
    arm = std::max(arm, d.norm());
    if (spin > 0.0) axial = std::max(axial, d.cross(e.angular_velocity).norm() / spin);
    scale = std::max(scale, x.norm());
  }
  const double across = e.angular_velocity.cross(n).norm();  // only turning across n moves points along n
  return (std::abs(e.velocity.dot(n)) + across * (axial + hull.radius) + e.speed_slack +
          e.spin_slack * (arm + hull.radius)) *
             (1.0 + 64.0 * u) +
         64.0 * u * (e.velocity.norm() + spin * (scale + hull.radius));
}

}  // namespace

PairAtTime::PairAtTime(const SearchQuestion& question, double time, double end)
    : t(time),
      t_end(end),
      pose_a(question.a.motion->pose(time)),
      pose_b(question.b.motion->pose(time)),
      motion_a(question.a.motion->expansion(time, end)),
      motion_b(question.b.motion->expansion(time, end)),
      padding(place_error(question.a, pose_a) + place_error(question.b, pose_b)) {}

double smooth_until(const SearchQuestion& question, double t) {
  return std::min(
      {question.end, question.a.motion->next_breakpoint(t), question.b.motion->next_breakpoint(t)});
}

double directed_step(const PairAtTime& at, double gap, const Vector3& direction, const ThickHull& a,
                     const ThickHull& b) {
  if (!(gap > 0.0)) return 0.0;  // not proven apart now: no step is
  const DisplacementRate rate_a = directed_rate(at.motion_a, a.points, a.radius, direction);
  const DisplacementRate rate_b = directed_rate(at.motion_b, b.points, b.radius, -direction);
  double step = conservative_step(
      gap, (rate_a.rate + rate_b.rate) + 4.0 * u * (std::abs(rate_a.rate) + std::abs(rate_b.rate)),
      (rate_a.curvature + rate_b.curvature) * (1.0 + 4.0 * u));
  // The parabola is better near contact, the lemmas over long ways, where it grows without bound.
  if (at.motion_a.steady && at.motion_b.steady) {
    const double speed = lemma_speed(at.motion_a, a, direction) + lemma_speed(at.motion_b, b, direction);
    step =
        std::max(step, speed > 0.0 ? gap / speed * (1.0 - 8.0 * u) : std::numeric_limits<double>::infinity());
  }
  return step;
}

Triangle triangle_at(const MovingShape& body, const Pose& pose, std::int32_t triangle) {
  return transformed(pose, triangle_of(body.shape->mesh, static_cast<std::size_t>(triangle)));
}

namespace {

// Every corner against every corner along n, each pair with its own height and speed: the far end of a
// triangle that turns may close in fast, but has far to go. `padding`: of a gap.
double corner_step(const PairAtTime& at, const Vector3& n, const Triangle& a, const Triangle& b,
                   double padding) {
  double size = 0.0;
  std::array<DisplacementRate, 3> rate_a, rate_b;
  for (std::size_t i = 0; i < 3; ++i) {
    rate_a[i] = directed_rate(at.motion_a, {&a[i], 1}, 0.0, n);
    rate_b[i] = directed_rate(at.motion_b, {&b[i], 1}, 0.0, -n);
    size = std::max({size, (a[i] - b[0]).norm(), (b[i] - b[0]).norm()});
  }
  double step = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      const double gap = n.dot(b[j] - a[i]) - padding - 16.0 * u * size;
      const double rate =
          rate_a[i].rate + rate_b[j].rate + 4.0 * u * (std::abs(rate_a[i].rate) + std::abs(rate_b[j].rate));
      const double curvature = (rate_a[i].curvature + rate_b[j].curvature) * (1.0 + 4.0 * u);
      step = std::min(step, conservative_step(gap, rate, curvature));
    }
  }
  return step;
}

// Along the axis of what turns, which comes no nearer that way.
double axial_step(const PairAtTime& at, const Vector3& difference, const Triangle& a, const Triangle& b,
                  double padding) {
  double step = 0.0;
  for (const MotionExpansion* e : {&at.motion_a, &at.motion_b}) {
    const double spin = e->angular_velocity.norm();
    if (!e->steady || !(spin > 0.0)) continue;
    Vector3 n = e->angular_velocity / spin;
    if (n.dot(difference) < 0.0) n = -n;
    step = std::max(step, directed_step(at, triangle_triangle_separation(a, b, n) - padding, n, {a}, {b}));
  }
  return step;
}

}  // namespace

TriangleAdvance triangle_advance(const SearchQuestion& question, const PairAtTime& at,
                                 std::int32_t triangle_a, std::int32_t triangle_b) {
  const Triangle a = triangle_at(question.a, at.pose_a, triangle_a),
                 b = triangle_at(question.b, at.pose_b, triangle_b);
  const TriangleTriangleDistance d = triangle_triangle_distance(a, b);
  TriangleAdvance result;
  result.distance = d.distance;
  const Vector3 difference = d.point_b - d.point_a;
  const double length = difference.norm();
  const double gap = d.lower_distance - question.distance - at.padding;
  if (!(length > 0.0) || !(gap > 0.0)) return result;  // within the paddings: no step, the caller decides
  // The slab of lower_distance may belong to another direction than the points'; ask for this one.
  const Vector3 n = difference / length;
  const double along = triangle_triangle_separation(a, b, n) - question.distance - at.padding;
  const double padding = question.distance + at.padding;
  // From cheap to dear, each asked only as long as the pair is not done for the whole smooth piece.
  result.step = directed_step(at, along, n, {a}, {b});
  if (result.step < at.t_end - at.t) result.step = std::max(result.step, corner_step(at, n, a, b, padding));
  if (result.step < at.t_end - at.t) result.step = std::max(result.step, axial_step(at, n, a, b, padding));
  return result;
}

}  // namespace toccata::search
