#include "ccd/search/box_test.hpp"

#include <Eigen/Geometry>
#include <algorithm>

#include "hierarchy/plane_boxes.hpp"
#include "toccata/base/rounding.hpp"
#include "toccata/motion/displacement_bound.hpp"

namespace toccata::search {
namespace {

void put(double* to, const Vector3& from) {
  for (int k = 0; k < 3; ++k) to[k] = from[k];
  to[3] = 0.0;
}

// `places`: where coordinates of one lie in the frame.
void put_turn(const Vector3& spin, const Vector3& turning, const Matrix3& places, const TurnBound& bound,
              BoxTurn& turn) {
  turn.bound = bound;
  put(turn.spin, spin);
  put(turn.turning, turning);
  for (int k = 0; k < 4; ++k) turn.float_spin[k] = static_cast<float>(turn.spin[k]);
  if (!bound.spins) return;  // nobody asks for arms
  for (int k = 0; k < 3; ++k) put(turn.arms[k], spin.cross(places.col(k)));
}

void put_view(const PairState& state, int side, BoxView& view) {
  const FrameView& from = state.view[side];
  for (int k = 0; k < 3; ++k) {
    put(view.rotation[k], from.rotation.col(k));
    for (int l = 0; l < 4; ++l) view.float_rotation[k][l] = static_cast<float>(view.rotation[k][l]);
  }
  put(view.translation, from.translation);
  put(view.velocity, from.own.velocity - from.other.velocity);
  put_turn(from.own.spin, from.own.velocity - from.own.drift, Matrix3::Identity(), state.turn[side],
           view.own);
  put_turn(from.other.spin, from.other.velocity - from.other.drift, from.rotation, state.turn[1 - side],
           view.other);
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
    for (int l = 0; l < 3; ++l) to_plane.rotation(k, l) = view.rotation[l][k];
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
                      PendingGroup& group, bool is_fresh) {
  const int side = group.side, plane_side = trees[0]->plane ? 0 : 1;
  const float since = group.earliest;
  const Plane& plane = *trees[plane_side]->plane;
  const BoxNode& node = trees[side]->node(group.node);
  for (std::uint32_t slot = 0; slot < box_width; ++slot) {
    const float before = is_fresh ? since : group.when[slot];
    group.when[slot] = PendingGroup::never;
    if (!(before >= since && before < PendingGroup::never)) continue;
    if (slot >= static_cast<std::uint32_t>(node.count)) continue;
    const NodeBox box = side == plane_side
                            ? NodeBox(trees[1 - side]->node(group.other / box_width), group.other % box_width)
                            : NodeBox(node, slot);
    const double step = step_above_plane(state.view[plane_side], plane, box, limits.distance);
    const double time = (static_cast<double>(limits.now) + step) * (1.0 - 0x1p-18);
    if (time <= static_cast<double>(limits.last)) group.set(slot, std::max(before, static_cast<float>(time)));
  }
  group.find_earliest();
}

void BoxTestState::set(const PairState& state) {
  for (int side = 0; side < 2; ++side) put_view(state, side, view[side]);
}

}  // namespace toccata::search
