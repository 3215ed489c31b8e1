#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "motion/rotation.hpp"
#include "toccata/motion/rigid_motion.hpp"

namespace toccata {
namespace {

// What is wrong with the times, for a person; empty if nothing is.
std::string failure_of(std::span<const double> times) {
  if (times.size() < 2)
    return "a piecewise motion needs at least two poses, the first at time 0 and the last at 1, but has " +
           std::to_string(times.size());
  for (std::size_t i = 0; i + 1 < times.size(); ++i) {
    if (!(times[i] < times[i + 1]))
      return "the times of a piecewise motion must increase, but pose " + std::to_string(i) + " is at " +
             std::to_string(times[i]) + " and pose " + std::to_string(i + 1) + " at " +
             std::to_string(times[i + 1]);
  }
  if (times.front() != 0.0 || times.back() != 1.0)
    return "the times of a piecewise motion must run from 0 to 1, but run from " +
           std::to_string(times.front()) + " to " + std::to_string(times.back()) +
           ": subtract the first and divide by the whole duration";
  return {};
}

std::vector<double> times_of(std::span<const TimedPose> poses) {
  std::vector<double> times;
  for (const TimedPose& timed : poses) times.push_back(timed.time);
  return times;
}

const Motion& motion_in(const PiecewiseMotion::Segment& segment) {
  return std::visit([](const auto& motion) -> const Motion& { return motion; }, segment);
}

}  // namespace

Expected<PiecewiseMotion> PiecewiseMotion::build(std::span<const TimedPose> poses,
                                                 Interpolation interpolation, const Vector3& reference) {
  std::string failure = failure_of(times_of(poses));
  if (!failure.empty()) return Error{std::move(failure)};
  return PiecewiseMotion(poses, interpolation, reference);
}

PiecewiseMotion::PiecewiseMotion(std::span<const TimedPose> poses, Interpolation interpolation,
                                 const Vector3& reference)
    : times_(times_of(poses)) {
  if (const std::string failure = failure_of(times_); !failure.empty()) throw std::invalid_argument(failure);
  for (std::size_t i = 0; i + 1 < poses.size(); ++i) {
    if (interpolation == Interpolation::Linear) {
      add(RigidMotion(poses[i].pose, poses[i + 1].pose, reference));
    } else {
      add(ScrewMotion(poses[i].pose, poses[i + 1].pose));
    }
  }
}

Expected<PiecewiseMotion> PiecewiseMotion::joined(std::vector<double> times, std::vector<Segment> segments) {
  std::string failure = failure_of(times);
  if (!failure.empty()) return Error{std::move(failure)};
  if (segments.size() + 1 != times.size())
    return Error{"a piecewise motion with " + std::to_string(times.size()) + " times needs " +
                 std::to_string(times.size() - 1) + " segments, but has " + std::to_string(segments.size())};
  PiecewiseMotion motion;
  motion.times_ = std::move(times);
  PoseError jump;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    motion.add(std::move(segments[i]));
    if (i == 0) continue;
    const Pose end = motion.segment(i - 1).pose(1.0), start = motion.segment(i).pose(0.0);
    const double apart = (end.translation - start.translation).norm();
    const double turned = (end.rotation - start.rotation).norm();
    const double reach = end.translation.norm() + start.translation.norm();
    // Negated, so that what is not a number does not join either.
    if (!(apart <= 1e-9 * (1.0 + reach) && turned <= 1e-9))
      return Error{"segment " + std::to_string(i) + " of a piecewise motion does not start where segment " +
                   std::to_string(i - 1) + " ends"};
    jump.translation = std::max(jump.translation, apart);
    jump.rotation = std::max(jump.rotation, turned);
  }
  // The body is anywhere between both ends of a joint: as far as they differ, its pose is unknown.
  motion.error_.translation += jump.translation;
  motion.error_.rotation += jump.rotation;
  return motion;
}

void PiecewiseMotion::add(Segment segment) {
  segments_.push_back(std::move(segment));
  const Motion& motion = motion_in(segments_.back());
  const PoseError error = motion.pose_error();
  const MotionExpansion e = motion.expansion(0.0, 1.0);
  // Local time is rounded to 4 units: the body has moved on by its speed times that.
  const double slip = 4.0 * unit_roundoff;
  const double arm = (e.center - motion.pose(0.0).translation).norm();
  error_.translation = std::max(
      error_.translation, error.translation + slip * (e.velocity.norm() + e.angular_velocity.norm() * arm));
  error_.rotation = std::max(error_.rotation, error.rotation + slip * e.angular_velocity.norm());
}

const Motion& PiecewiseMotion::segment(std::size_t i) const {
  return motion_in(segments_[i]);
}

std::size_t PiecewiseMotion::segment_at(double t) const {
  const auto after = std::upper_bound(times_.begin() + 1, times_.end() - 1, t);
  return static_cast<std::size_t>(after - times_.begin()) - 1;
}

double PiecewiseMotion::local_time(std::size_t i, double t) const {
  return std::clamp((t - times_[i]) / (times_[i + 1] - times_[i]), 0.0, 1.0);
}

Pose PiecewiseMotion::pose(double t) const {
  const std::size_t i = segment_at(t);
  return segment(i).pose(local_time(i, t));
}

double PiecewiseMotion::next_breakpoint(double t) const {
  return times_[segment_at(t) + 1];
}

MotionExpansion PiecewiseMotion::expansion(double t, double) const {
  const std::size_t i = segment_at(t);
  const double local = local_time(i, t);
  MotionExpansion e = segment(i).expansion(local, 1.0);
  const double rate = 1.0 / (times_[i + 1] - times_[i]);
  const double above = 1.0 + 16.0 * unit_roundoff;
  // The centre is that of a local time rounded by 4 units; both velocities carry the rounding of the rate.
  const double spin = e.angular_velocity.norm();
  const double slip = 8.0 * unit_roundoff;
  const double center_slip = slip * e.velocity.norm();
  e.speed_slack = rate * above * (e.speed_slack + slip * e.velocity.norm() + spin * center_slip);
  e.spin_slack = rate * above * (e.spin_slack + slip * spin);
  e.acceleration = rate * rate * above * (e.acceleration + e.axial_acceleration * center_slip);
  e.spin_acceleration = rate * rate * above * e.spin_acceleration;
  e.axial_acceleration = rate * rate * above * e.axial_acceleration;
  e.velocity *= rate;
  e.angular_velocity *= rate;
  return e;
}

}  // namespace toccata
