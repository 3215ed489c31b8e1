#pragma once
// The door through which every solver sees a moving rigid body: where it is at t, and how far its points
// can get from t on. Solvers know no particular motion; a new kind of motion is a new subclass.
#include "toccata/base/pose.hpp"
#include "toccata/base/vector.hpp"

namespace toccata {

// How a body moves from time t on, for 0 <= delta <= t_end - t. A body point that is at x (world) at time t,
// with d = x - center, obeys
//   | x(t+delta) - x(t) - delta (velocity + angular_velocity x d) |
//       <= delta (speed_slack + spin_slack |d|)
//        + delta^2/2 (acceleration + spin_acceleration |d| + axial_acceleration rho),
// rho being the distance of x from the line through `center` along `angular_velocity` (|d| if that is zero).
// `center`, `velocity` and `angular_velocity` are the exact doubles given; all rounding is inside the bounds.
struct MotionExpansion {
  Vector3 center = Vector3::Zero();
  Vector3 velocity = Vector3::Zero();  // of the body point that is at `center`, units per unit of time
  Vector3 angular_velocity = Vector3::Zero();  // radians per unit of time, world frame
  double speed_slack = 0.0;                    // first-order ignorance: zero for the smooth motions
  double spin_slack = 0.0;
  double acceleration = 0.0;
  double spin_acceleration = 0.0;
  double axial_acceleration = 0.0;  // |angular_velocity|^2 for a constant rotation
  // The velocities are constant: up to the slacks, x(t+delta) = center + delta velocity + exp(delta [w]) d.
  // Bounds over long intervals then do not grow beyond the diameter of the point's circle.
  bool steady = false;
};

// The exact place of a body point p at t and the one pose(t) gives (its doubles taken as exact) differ by at
// most translation + rotation * |p|.
struct PoseError {
  double translation = 0.0;
  double rotation = 0.0;
};

class Motion {
 public:
  virtual ~Motion() = default;

  // Where the body is, t in [0, 1]. The rotation is orthonormal within pose_error().rotation.
  virtual Pose pose(double t) const = 0;

  // Holds for every t in [0, 1].
  virtual PoseError pose_error() const = 0;

  // precondition: 0 <= t <= t_end <= 1, and no breakpoint strictly between them.
  virtual MotionExpansion expansion(double t, double t_end) const = 0;

  // The first time after t, at most 1, up to which expansion(t, .) may be asked. 1 for smooth motions.
  virtual double next_breakpoint(double t) const {
    (void)t;
    return 1.0;
  }

  // The body never moves: solvers then skip its terms.
  virtual bool is_fixed() const { return false; }
};

}  // namespace toccata
