#pragma once
// The way of a body's points as seen from another body, near one time: to second order with a remainder of
// third order where both motions are steady, else to first order with one of second order.
#include "toccata/motion/relative_motion.hpp"

namespace toccata {

// In coordinates of the body that looks on, for 0 <= s <= t_end - t:
//   | y(s) - place - s velocity - s^2/2 bend | <= place_error + s slack + s^2/2 curvature + s^3/6 jerk.
struct PointPath {
  Vector3 place = Vector3::Zero();
  Vector3 velocity = Vector3::Zero();
  Vector3 bend = Vector3::Zero();
  double slack = 0.0;
  double curvature = 0.0;
  double jerk = 0.0;
};

// `outward . (y(s) - place)` stays at most `room` for this long, up to `horizon`; 0 if room is not positive.
double lasting(const PointPath& path, const Vector3& outward, double room, double horizon);
// The same for |y(s) - place|.
double lasting(const PointPath& path, double room, double horizon);

// The values direction . (y(s) - place) can take up to delta.
struct DisplacementRange {
  double low = 0.0;
  double high = 0.0;
};
DisplacementRange displacement_range(const PointPath& path, const Vector3& direction, double delta);

class RelativePath {
 public:
  // Both must outlive this object.
  RelativePath(const Motion& moving, const Motion& onlooker);

  // precondition: no breakpoint of either motion strictly between t and t_end.
  void set(double t, double t_end);

  // Body coordinates of the moving body to those of the onlooker.
  const Pose& pose() const { return pose_; }
  // Of a point `reach` away from the moving body's origin, rounding of pose().apply included.
  double place_error(double reach) const;

  // The relative angular speed at t and later, at most.
  double spin() const { return spin_bound_; }

  // A point of the moving body that is at `place`, within `place_error` of it.
  PointPath of(const Vector3& place, double place_error) const;

 private:
  void add_third_order(const Vector3& place, double place_error, PointPath& path) const;

  // One body's steady motion in the onlooker's coordinates.
  struct Steady {
    Vector3 center = Vector3::Zero();
    Vector3 velocity = Vector3::Zero();
    Vector3 spin = Vector3::Zero();
    double rate = 0.0;  // |spin|
    double speed = 0.0;
    double acceleration = 0.0;
    double spin_acceleration = 0.0;
    double spin_slack = 0.0;
  };
  static Steady steady_of(const MotionExpansion& e, const Pose& from_world);

  const Motion& moving_;
  const Motion& onlooker_;
  RelativeMotion relative_;
  double duration_ = 0.0;
  Pose pose_;
  MotionExpansion e_;
  double spin_ = 0.0;
  double spin_bound_ = 0.0;
  bool is_steady_ = false;
  Steady own_, other_;  // of the moving body, of the onlooker
};

}  // namespace toccata
