// The error constants count roundings generously (each stated product or sum is one);
// docs/notes/rigid_bounds.md has the derivation.
#include "toccata/motion/rigid_motion.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "motion/rotation.hpp"

namespace toccata {
namespace {

constexpr double u = unit_roundoff;

// Of E(t) R0 for a turn of `angle`: the exponential, then a product of nine entries of three terms.
double rotation_error(double angle) {
  return u * (rotation_about_error + 10.0 + rotation_angle_error * angle);
}

// Converting two poses into velocities moves the end pose by at most this (matrix product, quaternion,
// arc tangent; the logarithm's condition number is at most pi / 2).
constexpr double conversion_error = 64.0 * u;

struct AxisAngle {
  Vector3 axis = Vector3::UnitZ();
  double angle = 0.0;
};

AxisAngle axis_angle(const Vector3& rotation_vector) {
  const double angle = rotation_vector.stableNorm();
  if (angle == 0.0) return {};
  Vector3 axis = rotation_vector / angle;
  return {axis / axis.norm(), angle};  // twice, for subnormal lengths
}

}  // namespace

RigidMotion::RigidMotion(const Pose& pose_t0, const Pose& pose_t1, const Vector3& reference) {
  start_ = {nearest_rotation(pose_t0.rotation), pose_t0.translation};
  const Matrix3 end = nearest_rotation(pose_t1.rotation);
  reference_ = reference;
  angular_velocity_ = rotation_vector(end * start_.rotation.transpose());
  velocity_ = (pose_t1.translation - pose_t0.translation) + (end * reference - start_.rotation * reference);
  finish(conversion_error);
}

RigidMotion RigidMotion::with_velocity(const Pose& pose_t0, const Vector3& velocity,
                                       const Vector3& angular_velocity, const Vector3& reference) {
  RigidMotion motion;
  motion.start_ = {nearest_rotation(pose_t0.rotation), pose_t0.translation};
  motion.reference_ = reference;
  motion.velocity_ = velocity;
  motion.angular_velocity_ = angular_velocity;
  motion.finish(0.0);
  return motion;
}

RigidMotion RigidMotion::through(double time, const Pose& pose, const Vector3& velocity,
                                 const Vector3& angular_velocity, const Vector3& reference) {
  const AxisAngle turn = axis_angle(angular_velocity);
  const Matrix3 start = rotation_about(turn.axis, -time * turn.angle) * pose.rotation;
  const Vector3 place = pose.apply(reference) - time * velocity;  // of the reference point at 0
  return with_velocity({start, place - start * reference}, velocity, angular_velocity, reference);
}

void RigidMotion::finish(double conversion) {
  arm_ = start_.rotation * reference_;
  const AxisAngle turn = axis_angle(angular_velocity_);
  axis_ = turn.axis;
  angle_ = turn.angle;
  if (is_fixed()) return;
  error_.rotation = rotation_error(angle_) + conversion;
  const double reach = start_.translation.norm() + velocity_.norm() + arm_.norm();
  error_.translation = 8.0 * u * reach + (error_.rotation + conversion) * arm_.norm() + conversion * reach;
}

bool RigidMotion::is_fixed() const {
  return angle_ == 0.0 && velocity_.isZero(0.0);
}

Pose RigidMotion::pose(double t) const {
  if (t == 0.0 || is_fixed()) return start_;  // at 0 what follows adds nothing, to the last bit
  if (angle_ == 0.0) return {start_.rotation, start_.translation + t * velocity_};
  const Matrix3 turn = rotation_about(axis_, t * angle_);
  Vector3 translation = start_.translation + t * velocity_;
  if (!arm_.isZero(0.0)) translation += arm_ - turn * arm_;
  return {turn * start_.rotation, translation};
}

MotionExpansion RigidMotion::expansion(double t, double) const {
  MotionExpansion e;
  e.center = start_.translation + arm_ + t * velocity_;
  e.velocity = velocity_;
  e.angular_velocity = angular_velocity_;
  e.steady = true;
  if (angle_ == 0.0) return e;
  const double center_error = 8.0 * u * (start_.translation.norm() + arm_.norm() + velocity_.norm());
  e.axial_acceleration = angle_ * angle_ * (1.0 + 8.0 * u);
  e.speed_slack = angle_ * center_error;
  e.acceleration = e.axial_acceleration * center_error;
  return e;
}

ScrewMotion::ScrewMotion(const Pose& pose_t0, const Pose& pose_t1) {
  start_ = {nearest_rotation(pose_t0.rotation), pose_t0.translation};
  const Vector3 w = rotation_vector(nearest_rotation(pose_t1.rotation) * start_.rotation.transpose());
  const AxisAngle turn = axis_angle(w);
  axis_ = turn.axis;
  angle_ = turn.angle;
  const Vector3 shift = pose_t1.translation - pose_t0.translation;
  // The inverse of the exponential's translation part: I - [w]/2 + (1 - h cot h) [k]^2, h = angle / 2.
  const double half = 0.5 * angle_;
  const double q = angle_ == 0.0 ? 0.0 : 1.0 - half * std::cos(half) / std::sin(half);
  velocity_ = shift - 0.5 * w.cross(shift) + q * axis_.cross(axis_.cross(shift));
  finish(conversion_error);
}

ScrewMotion::ScrewMotion(const Pose& pose_t0, const Vector3& axis, const Vector3& point, double angle,
                         double slide) {
  start_ = {nearest_rotation(pose_t0.rotation), pose_t0.translation};
  const AxisAngle turn = axis_angle(angle * axis.normalized());
  axis_ = turn.axis;
  angle_ = turn.angle;
  velocity_ = slide * axis.normalized() + angle * axis.normalized().cross(start_.translation - point);
  finish(conversion_error);
}

ScrewMotion ScrewMotion::with_velocity(const Pose& pose_t0, const Vector3& axis, double angle,
                                       const Vector3& velocity) {
  ScrewMotion motion;
  motion.start_ = {nearest_rotation(pose_t0.rotation), pose_t0.translation};
  // An axis that another motion gave is kept to the last bit: poses of a record are those of its motion.
  motion.axis_ = std::abs(axis.squaredNorm() - 1.0) <= 16.0 * u ? axis : axis.normalized();
  motion.angle_ = angle;
  motion.velocity_ = velocity;
  motion.finish(conversion_error);
  return motion;
}

void ScrewMotion::finish(double conversion) {
  if (is_fixed()) return;
  error_.rotation = rotation_error(angle_) + conversion;
  error_.translation =
      (16.0 * u + 2.0 * error_.rotation + conversion) * (start_.translation.norm() + velocity_.norm());
}

bool ScrewMotion::is_fixed() const {
  return angle_ == 0.0 && velocity_.isZero(0.0);
}

Pose ScrewMotion::pose(double t) const {
  if (is_fixed()) return start_;
  const double phi = t * angle_;
  if (phi == 0.0) return {start_.rotation, start_.translation + t * velocity_};
  const double a = std::sin(phi) / phi;
  const double h = std::sin(0.5 * phi);
  const double b = 2.0 * h * h / phi;
  const Vector3 along = axis_.dot(velocity_) * axis_;
  const Vector3 path = a * (velocity_ - along) + b * axis_.cross(velocity_) + along;
  return {rotation_about(axis_, phi) * start_.rotation, start_.translation + t * path};
}

MotionExpansion ScrewMotion::expansion(double t, double) const {
  MotionExpansion e;
  const Pose now = pose(t);
  const Vector3 velocity = angle_ == 0.0 ? velocity_ : (rotation_about(axis_, t * angle_) * velocity_).eval();
  e.angular_velocity = angle_ * axis_;
  e.axial_acceleration = angle_ * angle_ * (1.0 + 8.0 * u);
  const Vector3 along = axis_.dot(velocity) * axis_;
  const Vector3 across = velocity - along;
  // The axis may be very far when the angle is tiny; then the body's origin serves as the centre.
  e.steady = angle_ > 1e-9 || angle_ == 0.0;
  if (angle_ > 1e-9) {
    e.center = now.translation + axis_.cross(across) / angle_;
    e.velocity = along;
  } else {
    e.center = now.translation;
    e.velocity = velocity;
    e.acceleration = angle_ * across.norm() * (1.0 + 8.0 * u);
  }
  if (is_fixed()) return e;
  const double arm = angle_ > 1e-9 ? across.norm() / angle_ : 0.0;
  const double center_error = error_.translation + 16.0 * u * (now.translation.norm() + arm);
  e.speed_slack = angle_ * center_error + (error_.rotation + 16.0 * u) * velocity_.norm();
  e.spin_slack = 4.0 * u * angle_;  // angular_velocity is a rounded product
  e.acceleration += e.axial_acceleration * center_error;
  return e;
}

double ScrewMotion::pitch() const {
  return slide() / angle_;
}

Vector3 ScrewMotion::point_on_axis() const {
  if (angle_ == 0.0) return start_.translation;
  return start_.translation + axis_.cross(velocity_) / angle_;
}

}  // namespace toccata
