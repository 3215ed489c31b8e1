#pragma once
// The motions of one rigid body over t in [0, 1].
//
// What counts as the true motion is the formula stated with each class, in real arithmetic on the stored
// doubles; the rounding of pose(t) and of the conversion from two poses is inside pose_error(). Rotation
// matrices that come in are replaced by the nearest rotation (they should be one up to rounding).
#include <functional>
#include <initializer_list>
#include <limits>
#include <span>
#include <variant>
#include <vector>

#include "toccata/base/expected.hpp"
#include "toccata/motion/motion.hpp"

namespace toccata {

// x(t) = c + t v + exp(t [w]) (R0 p + T0 - c): a reference point c moves straight at constant velocity v and
// the body turns about it at constant angular velocity w (any number of turns).
class RigidMotion final : public Motion {
 public:
  RigidMotion() = default;  // stays at the identity

  // From pose to pose along the shorter rotation (half a turn: one of the two). The reference point, in body
  // coordinates, is the body's origin unless given; it is the one that moves on a straight line.
  RigidMotion(const Pose& pose_t0, const Pose& pose_t1, const Vector3& reference = Vector3::Zero());

  // From a pose with velocities: `velocity` is that of the reference point, both in world coordinates.
  static RigidMotion with_velocity(const Pose& pose_t0, const Vector3& velocity,
                                   const Vector3& angular_velocity,
                                   const Vector3& reference = Vector3::Zero());
  // The same by the pose at some time: what bounces there goes on from it.
  static RigidMotion through(double time, const Pose& pose, const Vector3& velocity,
                             const Vector3& angular_velocity, const Vector3& reference = Vector3::Zero());
  static RigidMotion fixed(const Pose& pose) { return with_velocity(pose, Vector3::Zero(), Vector3::Zero()); }

  Pose pose(double t) const override;
  PoseError pose_error() const override { return error_; }
  MotionExpansion expansion(double t, double t_end) const override;
  bool is_fixed() const override;

  const Pose& pose_t0() const { return start_; }
  const Vector3& velocity() const { return velocity_; }
  const Vector3& angular_velocity() const { return angular_velocity_; }
  const Vector3& reference() const { return reference_; }  // body coordinates

 private:
  void finish(double conversion);

  Pose start_;
  Vector3 velocity_ = Vector3::Zero();
  Vector3 angular_velocity_ = Vector3::Zero();
  Vector3 axis_ = Vector3::UnitZ();  // of the angular velocity
  double angle_ = 0.0;               // its length
  Vector3 reference_ = Vector3::Zero();
  Vector3 arm_ = Vector3::Zero();  // R0 * reference: from the body's origin to c
  PoseError error_;
};

// x(t) = exp(t S) (R0 p + T0), S a constant twist: the body turns about a fixed axis and slides along it
// (Chasles). The path does not depend on the choice of a reference point or of the world frame.
class ScrewMotion final : public Motion {
 public:
  // The screw between two poses, along the shorter rotation; a pure translation when they are parallel.
  ScrewMotion(const Pose& pose_t0, const Pose& pose_t1);

  // axis: unit direction, point: on the axis; angle in radians (any number of turns), slide: along the axis.
  ScrewMotion(const Pose& pose_t0, const Vector3& axis, const Vector3& point, double angle, double slide);

  // The same by the velocity of the body's origin at t = 0; the axis is taken as it is if its length is 1 up
  // to rounding.
  static ScrewMotion with_velocity(const Pose& pose_t0, const Vector3& axis, double angle,
                                   const Vector3& velocity);

  Pose pose(double t) const override;
  PoseError pose_error() const override { return error_; }
  MotionExpansion expansion(double t, double t_end) const override;
  bool is_fixed() const override;

  const Pose& pose_t0() const { return start_; }
  const Vector3& velocity() const { return velocity_; }  // of the body's origin at t = 0
  const Vector3& axis() const { return axis_; }
  double angle() const { return angle_; }
  double slide() const { return axis_.dot(velocity_); }
  double pitch() const;  // slide per radian; infinite for a pure translation
  // The one nearest the body's origin at t = 0; that origin itself if angle = 0.
  Vector3 point_on_axis() const;

 private:
  ScrewMotion() = default;
  void finish(double conversion);

  Pose start_;
  Vector3 axis_ = Vector3::UnitZ();
  double angle_ = 0.0;
  Vector3 velocity_ = Vector3::Zero();  // of the body's origin at t = 0
  PoseError error_;
};

struct TimedPose {
  double time = 0.0;
  Pose pose;
};

enum class Interpolation { Linear, Screw };

// Pose to pose through timed poses: at least two, the first at time 0, the last at 1, times increasing.
class PiecewiseMotion final : public Motion {
 public:
  using Segment = std::variant<RigidMotion, ScrewMotion>;

  // `reference` is used by the linear interpolation only. Throws std::invalid_argument, saying what to do, if
  // the times are not as above: PiecewiseMotion::build returns that as an error.
  explicit PiecewiseMotion(std::span<const TimedPose> poses,
                           Interpolation interpolation = Interpolation::Linear,
                           const Vector3& reference = Vector3::Zero());
  PiecewiseMotion(std::initializer_list<TimedPose> poses, Interpolation interpolation = Interpolation::Linear,
                  const Vector3& reference = Vector3::Zero())
      : PiecewiseMotion(std::span(poses.begin(), poses.size()), interpolation, reference) {}

  static Expected<PiecewiseMotion> build(std::span<const TimedPose> poses,
                                         Interpolation interpolation = Interpolation::Linear,
                                         const Vector3& reference = Vector3::Zero());
  // segments[i] runs from times[i] to times[i + 1], each with its own time from 0 to 1, and ends where the
  // next one starts, up to rounding.
  static Expected<PiecewiseMotion> joined(std::vector<double> times, std::vector<Segment> segments);

  Pose pose(double t) const override;
  PoseError pose_error() const override { return error_; }
  MotionExpansion expansion(double t, double t_end) const override;
  double next_breakpoint(double t) const override;

  const std::vector<double>& times() const { return times_; }
  const std::vector<Segment>& segments() const { return segments_; }

 private:
  PiecewiseMotion() = default;
  std::size_t segment_at(double t) const;
  double local_time(std::size_t segment, double t) const;
  const Motion& segment(std::size_t i) const;
  void add(Segment segment);

  std::vector<double> times_;
  std::vector<Segment> segments_;
  PoseError error_;
};

// A user's own motion: a pose function (thread-safe) and bounds on its speed and maybe its acceleration, or
// its full expansion. The bounds are trusted.
struct CustomMotionBounds {
  double speed = 0.0;          // upper bound on the speed of the body's origin
  double angular_speed = 0.0;  // upper bound on the angular speed, radians per unit of time
  PoseError pose_error = {};   // of the pose function
  // Where both are given, velocities are taken from poses a moment apart and steps are of second order, which
  // makes near passes and sliding contact a thousand times cheaper: upper bounds on the acceleration of the
  // body's origin, and on the rate of change of the angular velocity (a vector).
  double acceleration = std::numeric_limits<double>::infinity();
  double angular_acceleration = std::numeric_limits<double>::infinity();
};

class CustomMotion final : public Motion {
 public:
  using PoseFunction = std::function<Pose(double)>;
  using ExpansionFunction = std::function<MotionExpansion(double t, double t_end)>;

  CustomMotion(PoseFunction pose, const CustomMotionBounds& bounds);
  CustomMotion(PoseFunction pose, ExpansionFunction expansion, const PoseError& pose_error);

  Pose pose(double t) const override;
  PoseError pose_error() const override { return bounds_.pose_error; }
  MotionExpansion expansion(double t, double t_end) const override;

 private:
  MotionExpansion second_order_expansion(double t, double t_end) const;

  PoseFunction pose_;
  ExpansionFunction expansion_;
  CustomMotionBounds bounds_;
};

}  // namespace toccata
