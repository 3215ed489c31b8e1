// Third order. Seen from a body that turns steadily by W and drifts by V, with Q its turn since t and x the
// point in the world, y' = Q^-1 u with u = x' - V - W x (x - c - sV), and
//   y''  = Q^-1 (u' - W x u),                       u'  = x'' - W x (x' - V)
//   y''' = Q^-1 (u'' - 2 W x u' + W x (W x u)),     u'' = x''' - W x x''.
// For the point's own steady motion |x''| = w^2 rho and |x'''| = w^3 rho at all times, so with
// U1 = w^2 rho + |W| (|v - V| + w rho) >= |u'| the jerk is at most
//   w^3 rho + |W| w^2 rho + 2 |W| U1 + |W|^2 (|u(0)| + s U1).
#include "motion/relative_path.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "toccata/base/rounding.hpp"
#include "toccata/motion/displacement_bound.hpp"

namespace toccata {
namespace {

constexpr double u = unit_roundoff;
// Relative, of sums of a few products of bounds.
constexpr double above = 1.0 + 64.0 * u;
// Of velocities and bends: sums of at most a dozen products of up to three factors.
constexpr double vector_roundings = 64.0 * u;

// The largest step with step rate + step^2/2 curvature + step^3/6 jerk <= room, from below: on [0, c] the
// cubic term is at most step^2/2 (c jerk/3). For a pure cubic the second try has c at the root itself.
double cubic_step(double room, double rate, double curvature, double jerk, double horizon) {
  if (!(room > 0.0)) return 0.0;
  const auto within = [&](double c) {
    return std::min(c, conservative_step(room, rate, (curvature + jerk * c / 3.0) * above));
  };
  const double first = within(horizon);
  if (!(first < horizon) || !(jerk > 0.0)) return first;
  return std::max(first, within(std::cbrt(first * first * horizon)));
}

}  // namespace

double lasting(const PointPath& path, const Vector3& outward, double room, double horizon) {
  const double along = outward.dot(path.velocity), bend = outward.dot(path.bend);
  const double rounding = vector_roundings * (path.velocity.norm() + horizon * path.bend.norm());
  // Convex in the step where the bend is not taken below zero, so its end bounds the whole of it.
  return cubic_step(room, along + path.slack + rounding, std::max(0.0, bend) + path.curvature, path.jerk,
                    horizon);
}

double lasting(const PointPath& path, double room, double horizon) {
  return cubic_step(room, path.velocity.norm() * above + path.slack,
                    path.bend.norm() * above + path.curvature, path.jerk, horizon);
}

DisplacementRange displacement_range(const PointPath& path, const Vector3& direction, double delta) {
  const double along = delta * direction.dot(path.velocity);
  const double bent = 0.5 * delta * delta * direction.dot(path.bend);
  const double rest =
      delta * (path.slack + 0.5 * delta * (path.curvature + delta * path.jerk / 3.0)) * above +
      vector_roundings * delta * (path.velocity.norm() + delta * path.bend.norm());
  return {std::min(0.0, along) + std::min(0.0, bent) - rest,
          std::max(0.0, along) + std::max(0.0, bent) + rest};
}

RelativePath::RelativePath(const Motion& moving, const Motion& onlooker)
    : moving_(moving), onlooker_(onlooker), relative_(moving, onlooker) {}

RelativePath::Steady RelativePath::steady_of(const MotionExpansion& e, const Pose& from_world) {
  Steady s;
  s.center = from_world.apply(e.center);
  s.velocity = from_world.rotation * e.velocity;
  s.spin = from_world.rotation * e.angular_velocity;
  s.rate = s.spin.norm() * above;
  s.speed = s.velocity.norm() * above;
  s.acceleration = e.acceleration;
  s.spin_acceleration = e.spin_acceleration;
  s.spin_slack = e.spin_slack;
  return s;
}

void RelativePath::set(double t, double t_end) {
  duration_ = t_end - t;
  pose_ = relative_.pose(t);
  e_ = relative_.expansion(t, t_end);
  spin_ = e_.angular_velocity.norm() * above;
  // From one point of the body to another the displacement differs by the turn: as much as the spin gives it
  // to first order, and the second-order terms that grow with the distance.
  spin_bound_ =
      (spin_ + e_.spin_slack + 0.5 * duration_ * (e_.spin_acceleration + e_.axial_acceleration)) * above;
  const Pose from_world = onlooker_.pose(t).inverse();
  const MotionExpansion own = moving_.is_fixed() ? MotionExpansion() : moving_.expansion(t, t_end);
  const MotionExpansion other = onlooker_.is_fixed() ? MotionExpansion() : onlooker_.expansion(t, t_end);
  is_steady_ = (own.steady || moving_.is_fixed()) && (other.steady || onlooker_.is_fixed());
  if (!is_steady_) return;
  own_ = steady_of(own, from_world);
  other_ = steady_of(other, from_world);
}

double RelativePath::place_error(double reach) const {
  const PoseError error = relative_.pose_error();
  return (error.translation + error.rotation * reach + 16.0 * u * (reach + pose_.translation.norm())) * above;
}

PointPath RelativePath::of(const Vector3& place, double place_error) const {
  PointPath path;
  path.place = place;
  const Vector3 d = place - e_.center;
  const double arm = d.norm() * above + place_error;
  path.velocity = e_.velocity + e_.angular_velocity.cross(d);
  path.slack = (e_.speed_slack + e_.spin_slack * arm + spin_ * place_error) * above +
               vector_roundings * (e_.velocity.norm() + spin_ * (arm + place.norm() + e_.center.norm()));
  if (is_steady_) {
    add_third_order(place, place_error, path);
    return path;
  }
  // The distance from the axis, |d| where there is none.
  double axial = arm;
  if (spin_ > 0.0) axial = std::min(arm, d.cross(e_.angular_velocity).norm() / spin_ * above + place_error);
  path.curvature =
      (e_.acceleration + e_.spin_acceleration * arm + e_.axial_acceleration * axial) * (1.0 + 1e-12);
  return path;
}

void RelativePath::add_third_order(const Vector3& place, double place_error, PointPath& path) const {
  const Vector3 d = place - own_.center;
  const Vector3 turning = own_.spin.cross(d), drift = own_.velocity - other_.velocity;
  const Vector3 bend = own_.spin.cross(turning);  // x''
  path.bend = bend - other_.spin.cross(drift + turning) - other_.spin.cross(path.velocity);
  const double arm = d.norm() * above + place_error;
  const double arm_other = (place - other_.center).norm() * above + place_error;
  const double turning_speed = turning.norm() * above + own_.rate * place_error;  // w rho
  const double spin = own_.rate + 2.0 * other_.rate;
  const double u1 = own_.rate * turning_speed + other_.rate * (drift.norm() * above + turning_speed);
  const double u0 = path.velocity.norm() * above + path.slack;
  path.jerk = (own_.rate * own_.rate * turning_speed + other_.rate * own_.rate * turning_speed +
               2.0 * other_.rate * u1 + other_.rate * other_.rate * (u0 + duration_ * u1)) *
              (1.0 + 1e-12);
  // What enters the bend: velocities off by the slack and by the frame's error (inside spin_slack), spins
  // off by spin_slack; and the steady motions' own second-order ignorance. The onlooker's turn carries its
  // slack into the length |y(s) - place|.
  const double speeds = own_.speed + other_.speed + own_.rate * arm + other_.rate * arm_other;
  path.curvature = (spin * (4.0 * path.slack + vector_roundings * speeds) + 4.0 * e_.spin_slack * speeds +
                    own_.acceleration + own_.spin_acceleration * arm + other_.acceleration +
                    other_.spin_acceleration * arm_other + 2.0 * other_.spin_slack * (u0 + duration_ * u1)) *
                   (1.0 + 1e-12);
}

}  // namespace toccata
