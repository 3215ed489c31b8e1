#include "proximity/world_triangle.hpp"

#include "base/rotation_defect.hpp"
#include "toccata/base/rounding.hpp"

namespace toccata::proximity {
namespace {

double size_in_world(const PlacedShape& placed) {
  const ShapeData& d = placed.shape.data();
  return d.radius + d.center.norm() + placed.pose.translation.norm();
}

}  // namespace

double placement_error(const PlacedShape& a, const PlacedShape& b) {
  // Rotations are orthonormal to 1e-14, which bends lengths by as much.
  return (32.0 * unit_roundoff + 4e-14) * (size_in_world(a) + size_in_world(b));
}

double pose_error(const PlacedShape& a, const PlacedShape& b) {
  const double defect = rotation_defect(a.pose.rotation) + rotation_defect(b.pose.rotation);
  return (32.0 * unit_roundoff + 2.0 * defect) * (size_in_world(a) + size_in_world(b));
}

Pose between_trees(const ShapeData& from, const Pose& from_pose, const ShapeData& to, const Pose& to_pose) {
  const Vector3 center = from_pose.apply(from.center) - to_pose.apply(to.center);
  return {to_pose.rotation.transpose() * from_pose.rotation, to_pose.rotation.transpose() * center};
}

}  // namespace toccata::proximity
