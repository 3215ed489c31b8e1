// Velocities from poses, with a and alpha the bounds on accelerations:
//   |(x(t + h) - x(t)) / h - v(t)| <= a h / 2 + 2 e / h, e the error of places;
//   R(t + h) R(t)^T differs from exp(h [w(t)]) by at most the integral of |w - w(t)|, alpha h^2 / 2, and the
//   logarithm of rotations by less than a radian stretches that by less than 1.2.
// Each moment h makes its two terms equal. Accelerations of a point at distance |d| from the body's origin
// are at most a + (alpha + W^2) |d|, W a bound on the angular speed from t on.
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <utility>

#include "motion/rotation.hpp"
#include "toccata/motion/rigid_motion.hpp"

namespace toccata {
namespace {

constexpr double u = unit_roundoff;
constexpr double longest_moment = 1.0 / 64.0;
constexpr double shortest_moment = 0x1p-40;
constexpr double logarithm_stretch = 1.2;

// 2 sqrt(error / bound), within limits; forward, or back where there is no time left.
double moment_from(double t, double error, double bound, double longest) {
  double h = bound > 0.0 ? 2.0 * std::sqrt(error / bound) : longest;
  h = std::clamp(h, shortest_moment, std::max(shortest_moment, longest));
  return t + h <= 1.0 ? t + h : t - h;
}

}  // namespace

CustomMotion::CustomMotion(PoseFunction pose, const CustomMotionBounds& bounds)
    : pose_(std::move(pose)), bounds_(bounds) {}

CustomMotion::CustomMotion(PoseFunction pose, ExpansionFunction expansion, const PoseError& pose_error)
    : pose_(std::move(pose)), expansion_(std::move(expansion)) {
  bounds_.pose_error = pose_error;
}

Pose CustomMotion::pose(double t) const {
  return pose_(t);
}

MotionExpansion CustomMotion::expansion(double t, double t_end) const {
  if (expansion_) return expansion_(t, t_end);
  if (std::isfinite(bounds_.acceleration + bounds_.angular_acceleration))
    return second_order_expansion(t, t_end);
  MotionExpansion e;
  e.center = pose_(t).translation;
  // The true origin may be pose_error away from the centre.
  e.speed_slack = bounds_.speed + bounds_.angular_speed * bounds_.pose_error.translation;
  e.spin_slack = bounds_.angular_speed;
  return e;
}

MotionExpansion CustomMotion::second_order_expansion(double t, double t_end) const {
  const Pose now = pose_(t);
  const double a = bounds_.acceleration, alpha = bounds_.angular_acceleration;
  MotionExpansion e;
  e.center = now.translation;
  // Poses are rounded, whatever is said of their error.
  const double place_error = bounds_.pose_error.translation + 4.0 * u * now.translation.norm();
  if (bounds_.speed > 0.0) {
    const double then = moment_from(t, place_error, a, longest_moment), h = then - t;
    e.velocity = (pose_(then).translation - now.translation) / h;
    const double moment = std::abs(h), there = 4.0 * u * bounds_.speed * moment;
    e.speed_slack = 0.5 * a * moment + 2.0 * (place_error + there) / moment + 4.0 * u * e.velocity.norm();
    // No worse than knowing nothing: at rest about the bound on the speed.
    if (e.speed_slack > bounds_.speed) {
      e.velocity.setZero();
      e.speed_slack = bounds_.speed;
    }
  }
  double spin = 0.0;
  if (bounds_.angular_speed > 0.0) {
    const double longest =
        std::min({longest_moment, 0.25 / bounds_.angular_speed, 0.5 / std::sqrt(alpha + 1e-300)});
    const double turn_error = 2.0 * bounds_.pose_error.rotation + 96.0 * u;
    const double then = moment_from(t, turn_error, alpha, longest), h = then - t;
    e.angular_velocity = rotation_vector(pose_(then).rotation * now.rotation.transpose()) / h;
    const double moment = std::abs(h);
    e.spin_slack = logarithm_stretch * (0.5 * alpha * moment + turn_error / moment) +
                   4.0 * u * e.angular_velocity.norm();
    if (e.spin_slack > bounds_.angular_speed) {
      e.angular_velocity.setZero();
      e.spin_slack = bounds_.angular_speed;
    }
    spin = e.angular_velocity.norm() + e.spin_slack;
  }
  const double fastest = std::min(bounds_.angular_speed, spin + alpha * (t_end - t));
  e.spin_acceleration = (alpha + fastest * fastest) * (1.0 + 16.0 * u);
  // The true origin may be off the centre.
  e.speed_slack = (e.speed_slack + spin * place_error) * (1.0 + 16.0 * u);
  e.acceleration = (a + e.spin_acceleration * place_error) * (1.0 + 16.0 * u);
  return e;
}

}  // namespace toccata
