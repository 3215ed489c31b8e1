#pragma once
// Two moving bodies at one time t, seen from the frame of either, with everything a test of two of their
// parts needs: relative pose, velocities, acceleration bounds, and the paddings that make the answers safe.
#include "ccd/search/search_question.hpp"
#include "proximity/pair_at_rest.hpp"

namespace toccata::search {

using namespace proximity;

// One body's velocity field in some frame, positions relative to that frame's origin:
// velocity(x) = velocity + spin x (x - place); `drift` is the part of `velocity` that is not rotation.
struct VelocityField {
  Vector3 place = Vector3::Zero();  // of the body's own shape centre
  Vector3 velocity = Vector3::Zero();
  Vector3 spin = Vector3::Zero();
  Vector3 drift = Vector3::Zero();

  Vector3 at(const Vector3& x) const {
    const Vector3 d = x - place;
    return {velocity.x() + (spin.y() * d.z() - spin.z() * d.y()),
            velocity.y() + (spin.z() * d.x() - spin.x() * d.z()),
            velocity.z() + (spin.x() * d.y() - spin.y() * d.x())};
  }
};

// The frame of one body, frozen at t; its origin is that body's shape centre.
struct FrameView {
  Matrix3 rotation = Matrix3::Identity();  // other's coordinates (about its shape centre) to this frame
  Vector3 translation = Vector3::Zero();
  VelocityField own;
  VelocityField other;
};

struct TurnBound {
  bool spins = false;
  double rate = 0.0;    // axial acceleration over spin: times the turning speed it bounds the acceleration
  double spin = 0.0;    // angular speed
  double axial = 0.0;   // axial acceleration: times the distance from the axis
  bool steady = false;  // the acceleration stays across the axis
};

struct PairState {
  double time = 0.0;
  FrameView view[2];           // [0] from a, [1] from b
  TurnBound turn[2];           // of a, of b
  double acceleration = 0.0;   // of both, the constant parts
  double gap_padding = 0.0;    // errors of positions: both poses, the change of frame
  double rate_padding = 0.0;   // slacks of both, errors of velocities
  double angle_padding = 0.0;  // of the angle between two directions of a view, in radians
  Pose pose[2];
};

// The state with its motion left out.
PairAtRest at_rest(const PairState& state, const MovingShape& a, const MovingShape& b);

// What does not change with time.
struct BodyConstants {
  PoseError error;
  double radius = 0.0;
  double offset = 0.0;  // of the shape's centre from the body's origin
  bool moves = false;
  // The last angular velocity asked for, and its bounds.
  Vector3 spin = Vector3::Zero();
  double axial_acceleration = 0.0;
  bool steady = false;
  TurnBound turn;
};

// A body's place and velocity in the world at one time.
struct BodyState {
  Pose pose;
  Vector3 center = Vector3::Zero();    // of the shape
  Vector3 velocity = Vector3::Zero();  // of that point
  Vector3 drift = Vector3::Zero();     // the part of it that is not rotation
  Vector3 spin = Vector3::Zero();
  TurnBound turn;
  // This body's shares of the paddings, as far as they do not depend on the other body.
  double gap_padding = 0.0;
  double gap_padding_a_distance = 0.0;  // times the bodies' separation
  double rate_padding = 0.0;
  double acceleration = 0.0;
};

// States of one pair of bodies; what stands still is computed once.
class PairStates {
 public:
  PairStates(const MovingShape& a, const MovingShape& b);

  // The state at t, for advancing up to t_end.
  PairState at(double t, double t_end);
  void set(double t, double t_end, PairState& state);
  // Without the view from a's frame, which tests of triangles do not need.
  void set_from_b(double t, double t_end, PairState& state);

 private:
  void set_common(double t, double t_end, PairState& state);

  MovingShape body_[2];
  BodyConstants constants_[2];
  BodyState state_[2];
};

}  // namespace toccata::search
