#pragma once
// Triangles of placed shapes in world coordinates, and how the trees of two of them lie to each other.
#include "hierarchy/box_kernel.hpp"
#include "hierarchy/plane_boxes.hpp"
#include "hierarchy/shape_data.hpp"
#include "toccata/elementary/triangle.hpp"
#include "toccata/proximity/placed_shape.hpp"

namespace toccata::proximity {

inline Triangle world_triangle(const PlacedShape& placed, std::int32_t triangle) {
  return transformed(placed.pose, triangle_of(placed.shape.data().mesh, static_cast<std::size_t>(triangle)));
}

// Upper bound of how far any rounded world coordinate of a placed shape, and its transformation into the
// frame of another shape's tree, can be from real arithmetic: fewer than 32 roundings of the lengths on the
// way.
double placement_error(const PlacedShape& a, const PlacedShape& b);

// How far the pose between two placed shapes, seen as exact, may lead any point of them astray: what their
// rotations are short of orthonormal, and the roundings of the change of frame.
double pose_error(const PlacedShape& a, const PlacedShape& b);

// From the tree frame of `from` (relative to its centre) to that of `to`.
Pose between_trees(const ShapeData& from, const Pose& from_pose, const ShapeData& to, const Pose& to_pose);
inline Pose between_trees(const PlacedShape& from, const PlacedShape& to) {
  return between_trees(from.shape.data(), from.pose, to.shape.data(), to.pose);
}

// Lower distances of the boxes of two placed shapes, for TreePair. With edge axes they are tighter, at twice
// the cost.
class BoxDistances {
 public:
  static constexpr bool opens_a_of_equals = false;

  BoxDistances(const PlacedShape& a, const PlacedShape& b, bool edge_axes)
      : to_other_{between_trees(a, b), between_trees(b, a)},
        padding_(static_cast<float>(placement_error(a, b) * 1.01)),
        edge_axes_(edge_axes),
        planes_(a.shape.data().tree, b.shape.data().tree, to_other_, placement_error(a, b)),
        to_tree_{a.pose.rotation.transpose(), b.pose.rotation.transpose()} {}

  void operator()(int side, const BoxNode& node, const BoxNode& theirs, std::uint32_t slot,
                  float* bounds) const {
    if (planes_) return planes_(side, node, theirs, slot, bounds);
    const hierarchy::QueryBox box = hierarchy::moved_box(theirs, static_cast<int>(slot), to_other_[1 - side]);
    hierarchy::box_lower_distances(box, node, padding_, edge_axes_,
                                   has_direction_ ? direction_[side] : nullptr, bounds);
  }

  // A direction of the world along which boxes are likely to be apart: the bounds are the better for it, and
  // hold whatever it is.
  void try_along(const Vector3& direction) {
    const double length = direction.norm();
    has_direction_ = length > 0.0;
    if (!has_direction_) return;
    for (int side = 0; side < 2; ++side) {
      const Vector3 turned = to_tree_[side] * (direction / length);
      for (int k = 0; k < 3; ++k) direction_[side][k] = static_cast<float>(turned[k]);
    }
  }

 private:
  Pose to_other_[2];  // from a's frame to b's, from b's to a's
  float padding_;
  bool edge_axes_;
  hierarchy::PlaneBoxes planes_;
  Matrix3 to_tree_[2];
  bool has_direction_ = false;
  float direction_[2][3];  // from the frame of either tree
};

}  // namespace toccata::proximity
