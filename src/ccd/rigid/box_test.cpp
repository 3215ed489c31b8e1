#include "ccd/rigid/box_test.hpp"

#include <cmath>

namespace toccata {
namespace {

constexpr double v = 0x1p-24;  // unit roundoff of float

struct Box {
  double center[3];  // relative to the shape's centre
  float axis[3][3];  // axis[i][coordinate]
  float half[3];
};

Box box_of(const BoxTree& tree, BoxId id) {
  const BoxNode& node = tree.nodes[id / box_width];
  const auto slot = id % box_width;
  Box box;
  for (int i = 0; i < 3; ++i) {
    box.center[i] = static_cast<double>(node.origin[i]) + static_cast<double>(node.center[i][slot]);
    box.half[i] = node.half[i][slot];
    for (int k = 0; k < 3; ++k) box.axis[i][k] = node.axis[i][k][slot];
  }
  return box;
}

void put(float* to, const Vector3& from) {
  for (int k = 0; k < 3; ++k) to[k] = static_cast<float>(from[k]);
}

float dot(const float* a, const float* b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Not below the length, and cheaper.
double length_bound(const Vector3& x) {
  return std::abs(x.x()) + std::abs(x.y()) + std::abs(x.z());
}

// The other box's axes in this frame, in float: v for the matrix, 3v for the products, on top of the box's
// own.
void put_axes(BoxStepsInput& in, const FrameView& view, const Box& box) {
  float r[3][3];
  for (int k = 0; k < 3; ++k) {
    for (int l = 0; l < 3; ++l) r[k][l] = static_cast<float>(view.rotation(k, l));
  }
  for (int i = 0; i < 3; ++i) {
    in.half[i] = box.half[i];
    for (int k = 0; k < 3; ++k) {
      in.axis[i][k] = dot(r[k], box.axis[i]);
    }
  }
}

void put_own_spin(BoxStepsInput& in, const Vector3& spin) {
  put(in.spin, spin);
  for (int i = 0; i < 3; ++i) in.spin_along[i] = dot(in.axis[i], in.spin);
}

void put_other_spin(BoxStepsInput& in, const Vector3& spin) {
  put(in.other_spin, spin);
  for (int i = 0; i < 3; ++i) in.other_spin_along[i] = dot(in.axis[i], in.other_spin);
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    in.own_swing[i] =
        in.half[j] * std::abs(in.other_spin_along[k]) + in.half[k] * std::abs(in.other_spin_along[j]);
  }
}

}  // namespace

void test_boxes(const PairState& state, const BoxTree* const trees[2], int side, BoxId node_index,
                BoxId other, const BoxTestLimits& limits, float* steps, float* gaps) {
  const BoxNode& node = trees[side]->nodes[node_index];
  const Box box = box_of(*trees[1 - side], other);
  const FrameView& view = state.view[side];
  const TurnBound& turn = state.turn[side];
  const TurnBound& other_turn = state.turn[1 - side];
  const Vector3 origin(node.origin[0], node.origin[1], node.origin[2]);
  const Vector3 place =
      view.rotation * Vector3(box.center[0], box.center[1], box.center[2]) + view.translation;
  const Vector3 center = place - origin;
  const Vector3 own = turn.spins ? view.own.at(origin) : view.own.velocity;
  const Vector3 theirs = other_turn.spins ? view.other.at(place) : view.other.velocity;
  const Vector3 velocity = own - theirs;
  const double extent =
      static_cast<double>(box.half[0]) + static_cast<double>(box.half[1]) + static_cast<double>(box.half[2]);
  BoxStepsInput in;
  put(in.center, center);
  put(in.velocity, velocity);
  put_axes(in, view, box);
  double acceleration = state.acceleration;
  const double radius = std::sqrt(static_cast<double>(dot(box.half, box.half))) * (1.0 + 0x1p-20);
  double swing = 0.0;  // speed that spins bring into the box test, for the padding
  if (turn.spins) {
    put_own_spin(in, view.own.spin);
    swing += turn.spin * node.reach;
    acceleration += turn.rate * (own - view.own.drift).norm() + turn.axial * node.reach;
  }
  if (other_turn.spins) {
    put_other_spin(in, view.other.spin);
    swing += other_turn.spin * extent;
    acceleration += other_turn.rate * (theirs - view.other.drift).norm() + other_turn.axial * radius;
  }
  in.acceleration = rounded_up(acceleration * (1.0 + 0x1p-18)) + 1e-30F;
  in.gap_padding = rounded_up(128.0 * v * (length_bound(center) + node.reach + extent) + state.gap_padding +
                              limits.distance);
  in.rate_padding = rounded_up(128.0 * v * (length_bound(velocity) + swing) + state.rate_padding);
  in.near_step = limits.near_step;
  in.enough = limits.enough;
  in.spins = turn.spins;
  in.other_spins = other_turn.spins;
  box_steps(node, in, steps, gaps);
}

}  // namespace toccata
