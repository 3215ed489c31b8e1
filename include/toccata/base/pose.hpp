#pragma once
// A rigid placement: x_world = rotation * x + translation.
#include "toccata/base/vector.hpp"

namespace toccata {

struct Pose {
  Matrix3 rotation = Matrix3::Identity();
  Vector3 translation = Vector3::Zero();

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
