#include "motion/body_over_span.hpp"

namespace toccata {

BodyOverSpan::BodyOverSpan(const Pose& pose, const MotionExpansion& e, double padding, double duration,
                           double rotation_error)
    : pose_(pose),
      e_(e),
      padding_(padding),
      duration_(duration),
      rotation_error_(rotation_error),
      spin_(e.angular_velocity.norm()) {
  elapsed_ = Interval(0.0, next_up(duration));
  angle_ = Interval(0.0, 0.0);
  if (e.steady && spin_ > 0.0) {
    axis_ = e.angular_velocity / spin_;
    angle_ = Interval(0.0, next_up(next_up(duration * spin_ * (1.0 + angle_roundings))));
    cosine_ = cos(angle_);
    sine_ = sin(angle_);
  }
}

Interval3 BodyOverSpan::point(const Vector3& body_point) const {
  const Vector3 x = pose_.apply(body_point), d = x - e_.center;
  return around(e_.center, 0.0) + scaled(elapsed_, e_.velocity) + turned(d, d.norm()) +
         around(Vector3::Zero(), padding_ + duration_ * e_.speed_slack +
                                     0.5 * duration_ * duration_ * e_.acceleration +
                                     place_roundings * (x.norm() + e_.center.norm()));
}

// The acceleration of the centre counts twice, since the bound of a motion speaks of points and a vector is
// the difference of two of them.
Interval3 BodyOverSpan::direction(const Vector3& body_vector) const {
  const Vector3 d = pose_.rotation * body_vector;
  return turned(d, d.norm()) +
         around(Vector3::Zero(),
                2.0 * (duration_ * e_.speed_slack + 0.5 * duration_ * duration_ * e_.acceleration) +
                    (direction_roundings + rotation_error_) * d.norm());
}

// d turned by the motion: by sine and cosine where the rotation is steady, else to first order with
// remainder.
Interval3 BodyOverSpan::turned(const Vector3& d, double length) const {
  const double slack = duration_ * e_.spin_slack * length +
                       0.5 * duration_ * duration_ * e_.spin_acceleration * length + turn_roundings * length;
  if (!(spin_ > 0.0))
    return around(
        d, (slack + 0.5 * duration_ * duration_ * e_.axial_acceleration * length) * (1.0 + remainder_slack));
  if (e_.steady) {
    const Vector3 along = axis_.dot(d) * axis_;
    return around(along, 4.0 * slack + turn_roundings * length) + scaled(cosine_, d - along) +
           scaled(sine_, axis_.cross(d));
  }
  const double remainder = slack + 0.5 * duration_ * duration_ * e_.axial_acceleration * length;
  return around(d, remainder * (1.0 + remainder_slack)) + scaled(elapsed_, e_.angular_velocity.cross(d));
}

}  // namespace toccata
