#include "hierarchy/box_slabs.hpp"

#include "toccata/base/rounding.hpp"

namespace toccata::hierarchy {
namespace {

constexpr double u = unit_roundoff;

// The heights of eight corners over `origin`.
struct Heights {
  double low, high;
};
Heights heights_of(const WorldBox& box, const Vector3& n, const Vector3& origin) {
  Heights h = {n.dot(box.corners[0] - origin), 0.0};
  h.high = h.low;
  for (std::size_t i = 1; i < 8; ++i) {
    const double height = n.dot(box.corners[i] - origin);
    h.low = std::min(h.low, height);
    h.high = std::max(h.high, height);
  }
  return h;
}

}  // namespace

WorldBox world_box(const ShapeData& shape, const Pose& pose, BoxId id) {
  const BoxNode& node = shape.tree.node(id / box_width);
  const auto slot = id % box_width;
  Vector3 center, half[3];
  Matrix3 axes;
  for (int i = 0; i < 3; ++i) {
    center[i] = static_cast<double>(node.origin[i]) + static_cast<double>(node.center[i][slot]);
    for (int k = 0; k < 3; ++k) axes(k, i) = static_cast<double>(node.axis[i][k][slot]);
    half[i] = pose.rotation * (static_cast<double>(node.half[i][slot]) * axes.col(i));
  }
  WorldBox box;
  box.axes = pose.rotation * axes;
  const Vector3 middle = pose.apply(shape.center + center);
  for (std::size_t k = 0; k < 8; ++k) {
    box.corners[k] =
        middle + (k & 1 ? half[0] : -half[0]) + (k & 2 ? half[1] : -half[1]) + (k & 4 ? half[2] : -half[2]);
  }
  box.scale =
      shape.center.norm() + shape.radius + middle.norm() + half[0].norm() + half[1].norm() + half[2].norm();
  return box;
}

// Corners carry two dozen roundings of the lengths they are made of, heights four more of their distance, and
// n is a unit vector to four.
std::array<Slab, 6> slabs_between(const WorldBox& a, const WorldBox& b) {
  const double padding = 32.0 * u * (a.scale + b.scale);
  std::array<Slab, 6> slabs;
  for (int k = 0; k < 6; ++k) {
    const Vector3 n = (k < 3 ? a.axes.col(k) : b.axes.col(k - 3)).normalized();
    const Heights of_a = heights_of(a, n, a.corners[0]), of_b = heights_of(b, n, a.corners[0]);
    const double ahead = of_b.low - of_a.high, behind = of_a.low - of_b.high;
    const double gap = std::max(ahead, behind);
    slabs[static_cast<std::size_t>(k)] = {gap - 8.0 * u * std::abs(gap) - padding,
                                          ahead > behind ? n : Vector3(-n)};
  }
  return slabs;
}

double widest_slab(const WorldBox& a, const WorldBox& b) {
  double widest = -std::numeric_limits<double>::infinity();
  for (const Slab& slab : slabs_between(a, b)) widest = std::max(widest, slab.gap);
  return widest;
}

}  // namespace toccata::hierarchy
