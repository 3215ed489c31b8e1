#pragma once
// Boxes of a tree against a half space, which has no box of its own: the heights of their lowest corners.
#include "hierarchy/box_tree.hpp"
#include "toccata/base/pose.hpp"

namespace toccata::hierarchy {

// Child `slot` of the node in double precision, relative to the shape's centre.
struct NodeBox {
  NodeBox(const BoxNode& node, std::uint32_t slot);

  Vector3 center;
  Matrix3 half_axes;  // columns: the axes times the half extents

  // How far the box reaches along the direction from its centre, rounded up.
  double extent_along(const Vector3& direction) const;
};

// The half space as seen from the shape whose box it is: `to_plane` leads from that shape's coordinates to
// the half space's.
double height_of(const NodeBox& box, const Pose& to_plane, const Plane& plane);

// Lower bounds of the distances of a node's children from the half space, or, where the node is that of the
// half space itself, of the half space from child `slot` of the other shape's node; `padding` less. Signed:
// depth below the plane is negative. Unused children get 1e30.
class PlaneBoxes {
 public:
  // Two trees, at most one of them a half space's; to_other[k] leads from tree k's coordinates to the
  // other's.
  PlaneBoxes(const BoxTree& a, const BoxTree& b, const Pose to_other[2], double padding);

  explicit operator bool() const { return plane_ != nullptr; }
  // As the bounds of TreePair ask.
  void operator()(int side, const BoxNode& node, const BoxNode& theirs, std::uint32_t slot,
                  float* bounds) const;

 private:
  const Plane* plane_ = nullptr;
  int plane_side_ = -1;
  Pose to_plane_;
  double padding_ = 0.0;
  bool are_both_planes_ = false;
};

}  // namespace toccata::hierarchy
