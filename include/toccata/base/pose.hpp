#pragma once
// A rigid placement: x_world = rotation * x + translation.
#include "toccata/base/vector.hpp"

namespace toccata {

struct Pose {
  Matrix3 rotation = Matrix3::Identity();
  Vector3 translation = Vector3::Zero();

  Pose() = default;
  explicit Pose(const Matrix3& turn) : rotation(turn) {}
  Pose(const Matrix3& turn, const Vector3& shift) : rotation(turn), translation(shift) {}
  // From Eigen::Isometry3d, and from a unit quaternion, with or without a translation. An Eigen::Affine3d,
  // which may scale, is refused.
  template <int Options>
  Pose(const Eigen::Transform<double, 3, Eigen::Isometry, Options>& placement)
      : rotation(placement.linear()), translation(placement.translation()) {}
  template <int Options>
  Pose(const Eigen::Quaternion<double, Options>& turn, const Vector3& shift = Vector3::Zero())
      : rotation(turn.toRotationMatrix()), translation(shift) {}

  Vector3 apply(const Vector3& point) const { return rotation * point + translation; }
  Vector3 apply_direction(const Vector3& direction) const { return rotation * direction; }

  // Uses the transpose as the inverse: exact only as far as `rotation` is orthonormal.
  Pose inverse() const { return {rotation.transpose(), -(rotation.transpose() * translation)}; }

  // first `b`, then `a`
  friend Pose operator*(const Pose& a, const Pose& b) {
    return {a.rotation * b.rotation, a.rotation * b.translation + a.translation};
  }
};

}  // namespace toccata
