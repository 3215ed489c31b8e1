#include "proximity/world_triangle.hpp"

#include "base/rotation_defect.hpp"
#include "proximity/convex/xyz.hpp"
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

// In plain numbers: of small shapes this is a good part of the question.
Pose between_trees(const ShapeData& from, const Pose& from_pose, const ShapeData& to, const Pose& to_pose) {
  using convex::Xyz;
  const Xyz at_from = convex::applied(from_pose, convex::plain(from.center));
  const Xyz shift = at_from - convex::applied(to_pose, convex::plain(to.center));
  Pose pose;
  for (int row = 0; row < 3; ++row) {
    const Xyz axis = convex::plain(to_pose.rotation.col(row));
    for (int column = 0; column < 3; ++column)
      pose.rotation(row, column) = dot(axis, convex::plain(from_pose.rotation.col(column)));
    pose.translation[row] = dot(axis, shift);
  }
  return pose;
}

}  // namespace toccata::proximity
