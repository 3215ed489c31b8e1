#include "hierarchy/plane_boxes.hpp"

#include <cmath>
#include <limits>

#include "toccata/base/rounding.hpp"

namespace toccata::hierarchy {

NodeBox::NodeBox(const BoxNode& node, std::uint32_t slot) {
  for (int i = 0; i < 3; ++i) {
    center[i] = static_cast<double>(node.origin[i]) + static_cast<double>(node.center[i][slot]);
    for (int k = 0; k < 3; ++k)
      half_axes(k, i) = static_cast<double>(node.axis[i][k][slot]) * static_cast<double>(node.half[i][slot]);
  }
}

double NodeBox::extent_along(const Vector3& direction) const {
  const Vector3 along = half_axes.transpose() * direction;
  return (std::abs(along.x()) + std::abs(along.y()) + std::abs(along.z())) * (1.0 + 32.0 * unit_roundoff);
}

double height_of(const NodeBox& box, const Pose& to_plane, const Plane& plane) {
  const Vector3 turned = to_plane.rotation.transpose() * plane.normal;
  const double height = turned.dot(box.center) + plane.normal.dot(to_plane.translation) - plane.offset -
                        box.extent_along(turned);
  // Sums of products of lengths: two dozen roundings of them.
  const double lengths = box.center.norm() + to_plane.translation.norm() + std::abs(plane.offset);
  return height - 32.0 * unit_roundoff * lengths;
}

PlaneBoxes::PlaneBoxes(const BoxTree& a, const BoxTree& b, const Pose to_other[2], double padding)
    : padding_(padding) {
  const BoxTree* trees[2] = {&a, &b};
  are_both_planes_ = a.plane.has_value() && b.plane.has_value();
  for (int side = 0; side < 2; ++side) {
    if (!trees[side]->plane) continue;
    plane_ = &*trees[side]->plane;
    plane_side_ = side;
    to_plane_ = to_other[1 - side];
  }
}

void PlaneBoxes::operator()(int side, const BoxNode& node, const BoxNode& theirs, std::uint32_t slot,
                            float* bounds) const {
  for (int k = 0; k < box_width; ++k) bounds[k] = 1e30F;
  for (std::uint32_t k = 0; k < static_cast<std::uint32_t>(node.count); ++k) {
    if (are_both_planes_) {
      bounds[k] = -std::numeric_limits<float>::max();
      continue;
    }
    const NodeBox box = side == plane_side_ ? NodeBox(theirs, slot) : NodeBox(node, k);
    bounds[k] = float_below(height_of(box, to_plane_, *plane_) - padding_);
  }
}

}  // namespace toccata::hierarchy
