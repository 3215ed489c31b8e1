#include "ccd/search/box_test.hpp"

#include <Eigen/Geometry>

#include "hierarchy/plane_boxes.hpp"
#include "toccata/base/rounding.hpp"
#include "toccata/motion/displacement_bound.hpp"

namespace toccata::search {
namespace {

void put(double* to, const Vector3& from) {
  for (int k = 0; k < 3; ++k) to[k] = from[k];
}

void put_view(const PairState& state, int side, BoxView& view) {
  const FrameView& from = state.view[side];
  for (int k = 0; k < 3; ++k) {
    for (int l = 0; l < 3; ++l) {
      view.rotation[k][l] = from.rotation(k, l);
      view.float_rotation[k][l] = static_cast<float>(from.rotation(k, l));
    }
  }
  put(view.translation, from.translation);
  put(view.velocity, from.own.velocity - from.other.velocity);
  put(view.own.spin, from.own.spin);
  put(view.own.turning, from.own.velocity - from.own.drift);
  put(view.other.spin, from.other.spin);
  put(view.other.turning, from.other.velocity - from.other.drift);
  view.own.bound = state.turn[side];
  view.other.bound = state.turn[1 - side];
  view.acceleration = state.acceleration;
  view.gap_padding = state.gap_padding;
  view.rate_padding = state.rate_padding;
}

using hierarchy::NodeBox;

Vector3 vector_of(const double* from) {
  return {from[0], from[1], from[2]};
}

// How long a box stays more than `distance` above the plane. `view` is that of the half space, which is at
// rest.
double step_above_plane(const BoxView& view, const Plane& plane, const NodeBox& box, double distance) {
  Pose to_plane;
  for (int k = 0; k < 3; ++k) {
    for (int l = 0; l < 3; ++l) to_plane.rotation(k, l) = view.rotation[k][l];
  }
  to_plane.translation = vector_of(view.translation);
  const double gap = hierarchy::height_of(box, to_plane, plane) - view.gap_padding - distance;
  if (!(gap > 0.0)) return 0.0;
  // The velocity at x is `velocity` + spin x (x - translation), its height over the plane sinks by
  // -normal . velocity - (normal x spin) . (x - translation).
  const Vector3 velocity = -vector_of(view.velocity), spin = vector_of(view.other.spin);
  const Vector3 lever = to_plane.rotation.transpose() * plane.normal.cross(spin);
  const Vector3 place = to_plane.rotation * box.center;
  const double arm = box.center.norm() + box.half_axes.norm();
  const double rate = -plane.normal.dot(velocity) - lever.dot(box.center) + box.extent_along(lever) +
                      view.rate_padding + 64.0 * unit_roundoff * (velocity.norm() + spin.norm() * arm);
  double acceleration = view.acceleration;
  if (view.other.bound.spins) {
    const double turning = (vector_of(view.other.turning) + spin.cross(place)).norm();
    acceleration += view.other.bound.rate * (turning + view.other.bound.spin * box.half_axes.norm());
  }
  return conservative_step(gap, rate, acceleration * (1.0 + 1e-12));
}

}  // namespace

void test_above_plane(const BoxTestState& state, const BoxTree* const trees[2], const BoxTestLimits& limits,
                      PendingGroup& group) {
  const int side = group.side, plane_side = trees[0]->plane ? 0 : 1;
  const Plane& plane = *trees[plane_side]->plane;
  const BoxNode& node = trees[side]->node(group.node);
  for (std::uint32_t slot = 0; slot < box_width; ++slot) {
    if (!(group.when[slot] < PendingGroup::never)) continue;
    group.when[slot] = PendingGroup::never;
    if (slot >= static_cast<std::uint32_t>(node.count)) continue;
    const NodeBox box = side == plane_side
                            ? NodeBox(trees[1 - side]->node(group.other / box_width), group.other % box_width)
                            : NodeBox(node, slot);
    const double step = step_above_plane(state.view[plane_side], plane, box, limits.distance);
    const double time = (static_cast<double>(limits.now) + step) * (1.0 - 0x1p-18);
    if (time <= static_cast<double>(limits.last)) group.set(slot, static_cast<float>(time));
  }
}

void BoxTestState::set(const PairState& state) {
  for (int side = 0; side < 2; ++side) put_view(state, side, view[side]);
}

}  // namespace toccata::search
