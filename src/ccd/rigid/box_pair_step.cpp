#include "ccd/rigid/box_pair_step.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "ccd/rigid/rigid_shape_data.hpp"

namespace toccata {
namespace {

constexpr double u = 0x1p-53;

// A box in the world.
struct WorldBox {
  std::array<Vector3, 8> corners;
  Matrix3 axes;
  double scale = 0.0;  // lengths that were rounded on the way
};

WorldBox world_box(const RigidShapeData& shape, const Pose& pose, BoxId id) {
  const BoxNode& node = shape.tree.nodes[id / box_width];
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

// The heights of eight corners over the first of a's.
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

// Calls take(gap, unit direction from a to b) for the slabs along the axes of both. Corners carry two dozen
// roundings of the lengths they are made of, heights four more of their distance, and n is a unit vector to
// four.
template <typename Take>
void for_each_slab(const WorldBox& a, const WorldBox& b, Take&& take) {
  const double padding = 32.0 * u * (a.scale + b.scale);
  for (int k = 0; k < 6; ++k) {
    const Vector3 n = (k < 3 ? a.axes.col(k) : b.axes.col(k - 3)).normalized();
    const Heights of_a = heights_of(a, n, a.corners[0]), of_b = heights_of(b, n, a.corners[0]);
    const double ahead = of_b.low - of_a.high, behind = of_a.low - of_b.high;
    const double gap = std::max(ahead, behind);
    take(gap - 8.0 * u * std::abs(gap) - padding, ahead > behind ? n : Vector3(-n));
  }
}

}  // namespace

double box_pair_step(const AdvancementQuestion& question, const PairAtTime& at, BoxId box_a, BoxId box_b,
                     double distance) {
  const WorldBox a = world_box(*question.a.shape, at.pose_a, box_a);
  const WorldBox b = world_box(*question.b.shape, at.pose_b, box_b);
  double step = 0.0;
  for_each_slab(a, b, [&](double gap, const Vector3& n) {
    step = std::max(step, directed_step(at, gap - distance - at.padding, n, {a.corners}, {b.corners}));
  });
  return step;
}

double box_pair_gap(const RigidShapeData& shape_a, const Pose& pose_a, BoxId box_a,
                    const RigidShapeData& shape_b, const Pose& pose_b, BoxId box_b) {
  double widest = -std::numeric_limits<double>::infinity();
  for_each_slab(world_box(shape_a, pose_a, box_a), world_box(shape_b, pose_b, box_b),
                [&](double gap, const Vector3&) { widest = std::max(widest, gap); });
  return widest;
}

}  // namespace toccata
