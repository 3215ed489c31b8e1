#include "proximity/world_triangle.hpp"

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

Pose between_trees(const PlacedShape& from, const PlacedShape& to) {
  const Vector3 center = from.pose.apply(from.shape.data().center) - to.pose.apply(to.shape.data().center);
  return {to.pose.rotation.transpose() * from.pose.rotation, to.pose.rotation.transpose() * center};
}

}  // namespace toccata::proximity
