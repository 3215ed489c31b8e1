#include "ccd/rigid/pair_state.hpp"

#include <Eigen/Geometry>
#include <cmath>

namespace toccata {
namespace {

constexpr double u = 0x1p-53;

// How far a matrix is from orthonormal: a bound on the spectral norm of R^T R - I.
double defect_of(const Matrix3& r) {
  double sum = 0.0;
  for (int i = 0; i < 3; ++i) {
    sum += std::abs(r.col(i).squaredNorm() - 1.0);
    sum += 2.0 * std::abs(r.col(i).dot(r.col((i + 1) % 3)));
  }
  return sum + 16.0 * u;
}

TurnBound turn_of(const MotionExpansion& e, double spin) {
  TurnBound turn;
  turn.spins = spin > 0.0;
  if (!turn.spins) return turn;
  turn.spin = spin * (1.0 + 8.0 * u);
  turn.axial = e.axial_acceleration;
  turn.rate = e.axial_acceleration / spin * (1.0 + 8.0 * u);
  return turn;
}

BodyState body_state(const MovingShape& body, double t, double t_end) {
  BodyState s;
  s.pose = body.motion->pose(t);
  s.center = s.pose.apply(body.shape->center);
  const PoseError error = body.motion->pose_error();
  const double radius = body.shape->radius;
  const double offset = body.shape->center.norm();
  const double defect = defect_of(s.pose.rotation);
  const double place_error = error.translation + error.rotation * (offset + radius);
  // The change of frame: its matrix is orthonormal up to `defect`, and a dozen roundings of world positions.
  s.gap_padding =
      place_error + 2.0 * defect * radius + 16.0 * u * (s.pose.translation.norm() + offset + radius);
  s.gap_padding_a_distance = 2.0 * defect + 16.0 * u;
  s.moves = !body.motion->is_fixed();
  if (!s.moves) return s;
  s.expansion = body.motion->expansion(t, t_end);
  const MotionExpansion& e = s.expansion;
  const Vector3 lever = s.center - e.center;
  s.velocity = e.velocity + e.angular_velocity.cross(lever);
  const double spin = e.angular_velocity.norm();
  const double arm = lever.norm() + radius;
  s.turn = turn_of(e, spin);
  const double arm_error = 16.0 * u * (s.center.norm() + e.center.norm() + offset + radius) + place_error;
  s.rate_padding = e.speed_slack + e.spin_slack * arm + spin * arm_error +
                   (32.0 * u + 2.0 * defect) * (e.velocity.norm() + spin * arm);
  s.acceleration =
      e.acceleration + e.spin_acceleration * arm + e.axial_acceleration * (spin > 0.0 ? arm_error : arm);
  return s;
}

VelocityField seen_from(const BodyState& frame, const BodyState& body) {
  VelocityField field;
  field.place = frame.pose.rotation.transpose() * (body.center - frame.center);
  if (!body.moves) return field;
  field.velocity = frame.pose.rotation.transpose() * body.velocity;
  field.spin = frame.pose.rotation.transpose() * body.expansion.angular_velocity;
  field.drift = frame.pose.rotation.transpose() * body.expansion.velocity;
  return field;
}

}  // namespace

PairStates::PairStates(const MovingShape& a, const MovingShape& b) : body_{a, b} {
  for (int side = 0; side < 2; ++side) {
    if (body_[side].motion->is_fixed()) state_[side] = body_state(body_[side], 0.0, 1.0);
  }
}

PairState PairStates::at(double t, double t_end) {
  PairState state;
  state.time = t;
  for (int side = 0; side < 2; ++side) {
    if (!body_[side].motion->is_fixed()) state_[side] = body_state(body_[side], t, t_end);
    state.pose[side] = state_[side].pose;
    state.turn[side] = state_[side].turn;
  }
  const BodyState& a = state_[0];
  const BodyState& b = state_[1];
  state.view[0].rotation = a.pose.rotation.transpose() * b.pose.rotation;
  state.view[1].rotation = state.view[0].rotation.transpose();
  for (int side = 0; side < 2; ++side) {
    FrameView& view = state.view[side];
    view.own = seen_from(state_[side], state_[side]);
    view.other = seen_from(state_[side], state_[1 - side]);
    view.translation = view.other.place;
  }
  const double separation = (b.center - a.center).norm() + body_[0].shape->radius + body_[1].shape->radius;
  constexpr double above = 1.0 + 1e-12;
  state.gap_padding = above * (a.gap_padding + b.gap_padding +
                               separation * (a.gap_padding_a_distance + b.gap_padding_a_distance));
  state.rate_padding = above * (a.rate_padding + b.rate_padding);
  state.acceleration = above * (a.acceleration + b.acceleration);
  return state;
}

}  // namespace toccata
