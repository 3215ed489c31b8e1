#pragma once
// Where the points and directions of a moving body can be during a span of time, as intervals.
//
// All operations on intervals round outwards; what is computed in plain double before is covered by the
// constants below, derived in docs/notes/rigid_bounds.md and held against long double by a test.
#include <Eigen/Geometry>

#include "toccata/base/interval.hpp"
#include "toccata/base/pose.hpp"
#include "toccata/motion/motion.hpp"

namespace toccata {

inline constexpr double place_roundings = 1e-15;  // of x - center and its sums, relative to |x| + |center|
inline constexpr double turn_roundings = 1e-15;   // of a turned vector, relative to its length
inline constexpr double direction_roundings = 1e-14;  // of a vector moved by a pose, relative to its length
inline constexpr double angle_roundings = 4e-16;      // of spin times duration, relative
inline constexpr double remainder_slack = 1e-12;      // relative, of sums of products of bounds

struct Interval3 {
  Interval x, y, z;
};

inline Interval3 operator-(const Interval3& a, const Interval3& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
inline Interval dot(const Interval3& a, const Interval3& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
inline Interval3 cross(const Interval3& a, const Interval3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline Interval3 around(const Vector3& v, double radius) {
  const auto wide = [radius](double x) { return Interval(x) + Interval(-radius, radius); };
  return {wide(v.x()), wide(v.y()), wide(v.z())};
}
inline Interval3 scaled(const Interval& s, const Vector3& v) {
  return {s * Interval(v.x()), s * Interval(v.y()), s * Interval(v.z())};
}
inline Interval3 operator+(const Interval3& a, const Interval3& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}

class BodyOverSpan {
 public:
  // `padding` bounds how far pose.apply is from the true place, rotation_error how far its matrix is. The
  // expansion must outlive this object.
  BodyOverSpan(const Pose& pose, const MotionExpansion& e, double padding, double duration,
               double rotation_error);

  Interval3 point(const Vector3& body_point) const;
  // A body vector: the same turn without the travel.
  Interval3 direction(const Vector3& body_vector) const;
  // Not below the angle turned by, where the motion is steady.
  double longest_angle() const { return angle_.upper; }

 private:
  Interval3 turned(const Vector3& d, double length) const;

  Pose pose_;
  const MotionExpansion& e_;
  double padding_;
  double duration_;
  double rotation_error_;
  double spin_;
  Vector3 axis_ = Vector3::UnitZ();
  Interval elapsed_, angle_, cosine_, sine_;
};

}  // namespace toccata
