#include "ccd/search/pair_state.hpp"

#include <Eigen/Geometry>
#include <cmath>

#include "base/rotation_defect.hpp"
#include "toccata/base/rounding.hpp"

namespace toccata::search {
namespace {

constexpr double u = unit_roundoff;

// Not below the length, at most 1.8 times it, and cheaper: good enough for paddings.
double length_bound(const Vector3& x) {
  return std::abs(x.x()) + std::abs(x.y()) + std::abs(x.z());
}

// Spins hardly ever change from state to state, and their bounds need roots.
const TurnBound& turn_of(BodyConstants& body, const MotionExpansion& e) {
  if (e.angular_velocity == body.spin && e.axial_acceleration == body.axial_acceleration &&
      e.steady == body.steady)
    return body.turn;
  body.steady = e.steady;
  body.spin = e.angular_velocity;
  body.axial_acceleration = e.axial_acceleration;
  body.turn = TurnBound();
  const double spin = e.angular_velocity.norm();
  body.turn.spins = spin > 0.0;
  body.turn.steady = e.steady;
  if (!body.turn.spins) return body.turn;
  body.turn.spin = spin * (1.0 + 8.0 * u);
  body.turn.axial = e.axial_acceleration;
  body.turn.rate = e.axial_acceleration / spin * (1.0 + 8.0 * u);
  return body.turn;
}

void set_body_state(const MovingShape& body, BodyConstants& constants, double t, double t_end, BodyState& s) {
  s.pose = body.motion->pose(t);
  s.center = s.pose.apply(body.shape->center);
  const double radius = constants.radius, offset = constants.offset;
  // Every term below is a bound for any point of the body: docs/notes/rigid_bounds.md has the sums.
  const double defect = rotation_defect(s.pose.rotation);
  const double place_error = constants.error.translation + constants.error.rotation * (offset + radius);
  // The change of frame: its matrix is orthonormal up to `defect`, and a dozen roundings of world positions.
  s.gap_padding =
      place_error + 2.0 * defect * radius + 16.0 * u * (length_bound(s.pose.translation) + offset + radius);
  s.gap_padding_a_distance = 2.0 * defect + 16.0 * u;
  if (!constants.moves) return;  // rates and accelerations are zero
  const MotionExpansion e = body.motion->expansion(t, t_end);
  const Vector3 lever = s.center - e.center;
  s.drift = e.velocity;
  s.spin = e.angular_velocity;
  s.velocity = e.velocity + e.angular_velocity.cross(lever);
  s.turn = turn_of(constants, e);
  const double spin = s.turn.spin;
  const double arm = length_bound(lever) + radius;  // of the farthest point, about the expansion's centre
  const double arm_error =
      16.0 * u * (length_bound(s.center) + length_bound(e.center) + offset + radius) + place_error;
  // First order: what the motion itself leaves open, a lever that is off by arm_error, and the roundings of
  // velocities that are turned into another frame.
  s.rate_padding = e.speed_slack + e.spin_slack * arm + spin * arm_error +
                   (32.0 * u + 2.0 * defect) * (length_bound(e.velocity) + spin * arm);
  // The part that grows with the distance from the axis is bounded per box by the search; here stays only
  // what the axis may be off by.
  s.acceleration =
      e.acceleration + e.spin_acceleration * arm + e.axial_acceleration * (s.turn.spins ? arm_error : arm);
}

// What body `of` does, in the frame of `frame`; both about the frame's shape centre.
void set_field(const Matrix3& to_frame, const BodyState& of, bool moves, VelocityField& field) {
  if (!moves) return;  // zero from the start
  field.velocity.noalias() = to_frame * of.velocity;
  field.spin.noalias() = to_frame * of.spin;
  field.drift.noalias() = to_frame * of.drift;
}

}  // namespace

PairAtRest at_rest(const PairState& state, const MovingShape& a, const MovingShape& b) {
  PairAtRest rest;
  rest.shape[0] = a.shape;
  rest.shape[1] = b.shape;
  for (int side = 0; side < 2; ++side) {
    rest.pose[side] = state.pose[side];
    rest.to_own[side] = {state.view[side].rotation, state.view[side].translation};
  }
  rest.padding = state.gap_padding;
  return rest;
}

PairStates::PairStates(const MovingShape& a, const MovingShape& b) : body_{a, b} {
  for (int side = 0; side < 2; ++side) {
    BodyConstants& constants = constants_[side];
    constants.error = body_[side].motion->pose_error();
    constants.radius = body_[side].shape->radius;
    constants.offset = body_[side].shape->center.norm() * (1.0 + 8.0 * u);
    constants.moves = !body_[side].motion->is_fixed();
    // A body at rest has one state for all times.
    if (!constants.moves) set_body_state(body_[side], constants, 0.0, 1.0, state_[side]);
  }
}

void PairStates::set_common(double t, double t_end, PairState& state) {
  state.time = t;
  for (int side = 0; side < 2; ++side) {
    if (constants_[side].moves) set_body_state(body_[side], constants_[side], t, t_end, state_[side]);
    state.pose[side] = state_[side].pose;
    state.turn[side] = state_[side].turn;
  }
  const BodyState& a = state_[0];
  const BodyState& b = state_[1];
  const Vector3 between = a.center - b.center;
  const double separation = length_bound(between) + constants_[0].radius + constants_[1].radius;
  // Sums of a few dozen terms, each rounded: far below 1e-12.
  constexpr double above = 1.0 + 1e-12;
  state.gap_padding = above * (a.gap_padding + b.gap_padding +
                               separation * (a.gap_padding_a_distance + b.gap_padding_a_distance));
  state.rate_padding = above * (a.rate_padding + b.rate_padding);
  state.acceleration = above * (a.acceleration + b.acceleration);
  state.angle_padding = a.gap_padding_a_distance + b.gap_padding_a_distance;
  // The transpose stands for the inverse: how far it is from it is inside the paddings (`defect`).
  const Matrix3 to_b = b.pose.rotation.transpose();
  FrameView& view = state.view[1];
  view.rotation.noalias() = to_b * a.pose.rotation;
  view.translation.noalias() = to_b * between;
  view.other.place = view.translation;
  set_field(to_b, b, constants_[1].moves, view.own);
  set_field(to_b, a, constants_[0].moves, view.other);
}

void PairStates::set_from_b(double t, double t_end, PairState& state) {
  set_common(t, t_end, state);
}

void PairStates::set(double t, double t_end, PairState& state) {
  set_common(t, t_end, state);
  const Matrix3 to_a = state_[0].pose.rotation.transpose();
  FrameView& view = state.view[0];
  view.rotation = state.view[1].rotation.transpose();
  view.translation.noalias() = to_a * (state_[1].center - state_[0].center);
  view.other.place = view.translation;
  set_field(to_a, state_[0], constants_[0].moves, view.own);
  set_field(to_a, state_[1], constants_[1].moves, view.other);
}

PairState PairStates::at(double t, double t_end) {
  PairState state;
  set(t, t_end, state);
  return state;
}

}  // namespace toccata::search
