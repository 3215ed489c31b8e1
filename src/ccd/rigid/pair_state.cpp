#include "ccd/rigid/pair_state.hpp"

#include <Eigen/Geometry>
#include <cmath>

namespace toccata {
namespace {

constexpr double u = 0x1p-53;

struct World {
  Pose pose;
  MotionExpansion expansion;
  Vector3 center;    // world position of the shape's centre
  Vector3 velocity;  // of that point
  double defect;     // how far the rotation is from orthonormal
};

World world_of(const MovingShape& body, double t, double t_end) {
  World w;
  w.pose = body.motion->pose(t);
  w.expansion = body.motion->expansion(t, t_end);
  w.center = w.pose.apply(body.shape->center);
  w.velocity = w.expansion.velocity + w.expansion.angular_velocity.cross(w.center - w.expansion.center);
  w.defect = (w.pose.rotation.transpose() * w.pose.rotation - Matrix3::Identity()).norm();
  return w;
}

VelocityField seen_from(const World& frame, const World& body) {
  const Matrix3 back = frame.pose.rotation.transpose();
  VelocityField field;
  field.place = back * (body.center - frame.center);
  field.velocity = back * body.velocity;
  field.spin = back * body.expansion.angular_velocity;
  field.drift = back * body.expansion.velocity;
  return field;
}

FrameView view_from(const World& frame, const World& other) {
  FrameView view;
  view.own = seen_from(frame, frame);
  view.other = seen_from(frame, other);
  view.rotation = frame.pose.rotation.transpose() * other.pose.rotation;
  view.translation = view.other.place;
  return view;
}

TurnBound turn_of(const MotionExpansion& e) {
  TurnBound turn;
  const double spin = e.angular_velocity.norm();
  turn.spins = spin > 0.0;
  if (!turn.spins) return turn;
  turn.axial = e.axial_acceleration;
  turn.rate = e.axial_acceleration / spin * (1.0 + 8.0 * u);
  return turn;
}

// Adds one body's share to the paddings.
void add_body(PairState& state, const MovingShape& body, const World& w, double separation) {
  const MotionExpansion& e = w.expansion;
  const PoseError error = body.motion->pose_error();
  const double radius = body.shape->radius;
  const double offset = body.shape->center.norm();
  const double arm = (w.center - e.center).norm() + radius;
  const double spin = e.angular_velocity.norm();
  state.gap_padding += error.translation + error.rotation * (offset + radius);
  // The change of frame: its matrix is orthonormal up to `defect`, and a dozen roundings of world positions.
  state.gap_padding += 2.0 * w.defect * (separation + radius);
  state.gap_padding += 16.0 * u * (w.pose.translation.norm() + offset + radius + separation);
  state.rate_padding += e.speed_slack + e.spin_slack * arm;
  const double position_error = 16.0 * u * (w.center.norm() + e.center.norm() + offset + radius) +
                                error.translation + error.rotation * (offset + radius);
  state.rate_padding +=
      spin * position_error + (32.0 * u + 2.0 * w.defect) * (e.velocity.norm() + spin * arm);
  state.acceleration += e.acceleration + e.spin_acceleration * arm + e.axial_acceleration * position_error;
  if (spin == 0.0) state.acceleration += e.axial_acceleration * arm;
}

}  // namespace

PairState pair_state(const MovingShape& a, const MovingShape& b, double t, double t_end) {
  PairState state;
  state.time = t;
  const World world_a = world_of(a, t, t_end);
  const World world_b = world_of(b, t, t_end);
  state.pose[0] = world_a.pose;
  state.pose[1] = world_b.pose;
  state.view[0] = view_from(world_a, world_b);
  state.view[1] = view_from(world_b, world_a);
  state.turn[0] = turn_of(world_a.expansion);
  state.turn[1] = turn_of(world_b.expansion);
  const double separation = (world_b.center - world_a.center).norm() + a.shape->radius + b.shape->radius;
  add_body(state, a, world_a, separation);
  add_body(state, b, world_b, separation);
  state.gap_padding *= 1.0 + 1e-12;
  state.rate_padding *= 1.0 + 1e-12;
  state.acceleration *= 1.0 + 1e-12;
  return state;
}

}  // namespace toccata
