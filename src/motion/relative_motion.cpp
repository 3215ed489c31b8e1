// Notation: x a point of a in the world, p the point of b that is at x at time t, so that
//   R_B(s) (y(s) - p) = x(s) - p(s),   y(s) the place of a's point in b's coordinates.
// The right side is delta (v_A - v_B)(x) up to both remainders; taking R_B(s) for R_B(t) costs at most
// delta times b's turning rate, once more times that length: the second-order Coriolis term.
#include "toccata/motion/relative_motion.hpp"

#include <Eigen/Geometry>
#include <algorithm>

#include "motion/rotation.hpp"
#include "toccata/motion/displacement_bound.hpp"

namespace toccata {
namespace {

constexpr double u = unit_roundoff;
// Rotations of poses are orthonormal to eight roundings beyond their stated error.
constexpr double rotation_defect = 32.0 * u;

// How far the origins get: from each other, and from the world's origin (sum of both).
struct Reach {
  double apart = 0.0;
  double away = 0.0;
};

Reach reach_of(const Motion& a, const Motion& b) {
  Reach reach;
  for (double t = 0.0; t < 1.0;) {
    const double end = std::min({1.0, a.next_breakpoint(t), b.next_breakpoint(t)});
    const Vector3 origin_a = a.pose(t).translation, origin_b = b.pose(t).translation;
    double travelled = a.pose_error().translation + b.pose_error().translation;
    if (!a.is_fixed()) travelled += displacement(a.expansion(t, end), {&origin_a, 1}, 0.0, end - t);
    if (!b.is_fixed()) travelled += displacement(b.expansion(t, end), {&origin_b, 1}, 0.0, end - t);
    reach.apart = std::max(reach.apart, (origin_a - origin_b).norm() + travelled);
    reach.away = std::max(reach.away, origin_a.norm() + origin_b.norm() + travelled);
    t = end;
  }
  return reach;
}

}  // namespace

RelativeMotion::RelativeMotion(const Motion& motion_a, const Motion& motion_b)
    : a_(motion_a), b_(motion_b), b_fixed_(motion_b.is_fixed()) {
  if (b_fixed_) from_world_ = b_.pose(0.0).inverse();
  const PoseError a = a_.pose_error();
  error_b_ = b_.pose_error();
  const double turn = 3.0 * error_b_.rotation + rotation_defect;  // of R_B^T against the exact inverse
  const Reach reach = reach_of(a_, b_);
  error_.rotation = 1.01 * (a.rotation + turn + 16.0 * u);
  error_.translation =
      1.01 * (a.translation + error_b_.translation + turn * reach.apart + 16.0 * u * reach.away);
}

Pose RelativeMotion::pose(double t) const {
  return (b_fixed_ ? from_world_ : b_.pose(t).inverse()) * a_.pose(t);
}

double RelativeMotion::next_breakpoint(double t) const {
  return std::min(a_.next_breakpoint(t), b_.next_breakpoint(t));
}

bool RelativeMotion::is_fixed() const {
  return b_fixed_ && a_.is_fixed();
}

MotionExpansion RelativeMotion::expansion(double t, double t_end) const {
  const MotionExpansion a = a_.expansion(t, t_end);
  const MotionExpansion b = b_fixed_ ? MotionExpansion() : b_.expansion(t, t_end);
  const Pose from_world = b_fixed_ ? from_world_ : b_.pose(t).inverse();
  const Vector3 lever = a.center - b.center;
  const double arm = lever.norm(), spin_a = a.angular_velocity.norm(), spin_b = b.angular_velocity.norm();
  MotionExpansion e;
  e.center = from_world.apply(a.center);
  e.velocity = from_world.rotation * (a.velocity - b.velocity - b.angular_velocity.cross(lever));
  e.angular_velocity = from_world.rotation * (a.angular_velocity - b.angular_velocity);
  e.steady = b_fixed_ && a.steady;
  // The frame: vectors are off by `turn`, the centre by `misplaced`.
  const double turn = 3.0 * error_b_.rotation + rotation_defect + 16.0 * u;
  const double misplaced = error_b_.translation + turn * e.center.norm() +
                           16.0 * u * (a.center.norm() + 2.0 * from_world.translation.norm());
  e.spin_slack = a.spin_slack + b.spin_slack + turn * (spin_a + spin_b);
  e.speed_slack = a.speed_slack + b.speed_slack + b.spin_slack * arm +
                  turn * (a.velocity.norm() + b.velocity.norm() + spin_b * arm) +
                  (spin_a + spin_b + e.spin_slack) * misplaced;
  // Accelerations of a, and of b's point there.
  e.axial_acceleration = b_fixed_ ? a.axial_acceleration : 0.0;
  const double swing_b = b.spin_acceleration + b.axial_acceleration;
  double linear = a.spin_acceleration + (b_fixed_ ? 0.0 : a.axial_acceleration) + swing_b;
  double constant = a.acceleration + b.acceleration + swing_b * arm;
  if (!b_fixed_) {
    const double half = 0.5 * (t_end - t);
    const double rate = 2.0 * (spin_b + b.spin_slack + half * swing_b);
    const double speed = e.velocity.norm() + e.speed_slack, spin = spin_a + spin_b + e.spin_slack;
    constant += rate * (speed + half * constant);
    linear += rate * (spin + half * linear);
  }
  if (!b_fixed_ && a.steady && b.steady) {
    // Exactly: y'' = Q^-1 (z x (w x d) - W x V - W x u), Q b's turn since t, w and W the spins of a and b, z
    // their difference, V that of the drifts, u the relative velocity, |u'| <= |z||w||d| + |W||V|. Small
    // where both turn (nearly) alike.
    const double duration = t_end - t;
    const double spin = (a.angular_velocity - b.angular_velocity).norm() + e.spin_slack;
    const double drift = (a.velocity - b.velocity).norm() + 8.0 * u * (a.velocity.norm() + b.velocity.norm());
    const double swing = spin * (spin_a + e.spin_slack);
    const double slacks =
        a.acceleration + b.acceleration + b.spin_acceleration * arm + 4.0 * spin_b * e.speed_slack;
    constant = std::min(
        constant, slacks + spin_b * (drift * (1.0 + duration * spin_b) + e.velocity.norm() + e.speed_slack));
    linear = std::min(linear, a.spin_acceleration + b.spin_acceleration + swing * (1.0 + duration * spin_b) +
                                  spin_b * spin);
  }
  e.spin_acceleration = linear * (1.0 + 64.0 * u);
  e.acceleration = (constant + (linear + e.axial_acceleration) * misplaced) * (1.0 + 64.0 * u);
  return e;
}

}  // namespace toccata
