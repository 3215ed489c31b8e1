#include "ccd/rigid/box_test.hpp"

#include <Eigen/Geometry>
#include <cmath>

namespace toccata {
namespace {

struct BoxCopy {
  Vector3 center;  // relative to the shape's centre
  Matrix3 axes;
  Vector3 half;
};

BoxCopy copy_of(const BoxTree& tree, BoxId id) {
  const BoxNode& node = tree.nodes[id / box_width];
  const auto slot = id % box_width;
  BoxCopy box;
  for (int i = 0; i < 3; ++i) {
    box.center[i] = static_cast<double>(node.origin[i]) + static_cast<double>(node.center[i][slot]);
    box.half[i] = node.half[i][slot];
    for (int k = 0; k < 3; ++k) box.axes(k, i) = node.axis[i][k][slot];
  }
  return box;
}

template <typename Vector>
void put(float* to, const Vector& from) {
  for (int k = 0; k < 3; ++k) to[k] = static_cast<float>(from[k]);
}

}  // namespace

void test_boxes(const PairState& state, const BoxTree* const trees[2], int side, BoxId node_index,
                BoxId other, const BoxTestLimits& limits, float* steps, float* gaps) {
  const BoxNode& node = trees[side]->nodes[node_index];
  const BoxCopy box = copy_of(*trees[1 - side], other);
  const FrameView& view = state.view[side];
  const TurnBound& turn = state.turn[side];
  const TurnBound& other_turn = state.turn[1 - side];
  const Vector3 origin(node.origin[0], node.origin[1], node.origin[2]);
  const Vector3 place = view.rotation * box.center + view.translation;
  const Vector3 center = place - origin;
  const Matrix3 axes = view.rotation * box.axes;
  const Vector3 own = view.own.at(origin);
  const Vector3 theirs = view.other.at(place);
  const Vector3 velocity = own - theirs;
  const double extent = box.half.sum();
  double acceleration = state.acceleration;
  if (other_turn.spins) {
    acceleration += other_turn.rate * (theirs - view.other.drift).norm() + other_turn.axial * box.half.norm();
  }
  BoxStepsInput in;
  put(in.center, center);
  put(in.half, box.half);
  put(in.velocity, velocity);
  for (int i = 0; i < 3; ++i) {
    put(in.axis[i], axes.col(i));
    put(in.scaled_axis[i], box.half[i] * axes.col(i));
  }
  if (turn.spins) {
    put(in.spin, view.own.spin);
    put(in.turning, own - view.own.drift);
    for (int i = 0; i < 3; ++i) {
      put(in.lever[i], axes.col(i).cross(view.own.spin));
      in.spin_along[i] = static_cast<float>(axes.col(i).dot(view.own.spin));
    }
  }
  if (other_turn.spins) {
    put(in.other_spin, view.other.spin);
    Vector3 along;
    for (int i = 0; i < 3; ++i) {
      put(in.swing[i], box.half[i] * view.other.spin.cross(axes.col(i)));
      along[i] = axes.col(i).dot(view.other.spin);
    }
    put(in.other_spin_along, along);
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      in.own_swing[i] =
          static_cast<float>(box.half[j] * std::abs(along[k]) + box.half[k] * std::abs(along[j]));
    }
  }
  constexpr double u = 0x1p-24;
  in.turn_rate = rounded_up(turn.rate);
  in.axial = rounded_up(turn.axial);
  in.gap_padding =
      rounded_up(16.0 * u * (center.norm() + node.reach + extent) + state.gap_padding + limits.distance);
  const double spin = turn.spins ? view.own.spin.norm() : 0.0;
  // The kernel's turning speeds are rounded at the scale of the node, not of their own size.
  acceleration += 8.0 * u * turn.rate * ((own - view.own.drift).norm() + spin * node.reach);
  in.acceleration = rounded_up(acceleration * (1.0 + 0x1p-18)) + 1e-30F;
  const double other_spin = other_turn.spins ? view.other.spin.norm() : 0.0;
  in.rate_padding =
      rounded_up(32.0 * u * (velocity.norm() + spin * node.reach + other_spin * extent) + state.rate_padding);
  in.near_step = limits.near_step;
  in.enough = limits.enough;
  in.spins = turn.spins;
  in.other_spins = other_turn.spins;
  box_steps(node, in, steps, gaps);
}

}  // namespace toccata
