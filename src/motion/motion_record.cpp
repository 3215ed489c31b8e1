#include "toccata/motion/motion_record.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "toccata/motion/rigid_motion.hpp"

namespace toccata {
namespace {

LinearMotionRecord linear_record(const RigidMotion& motion) {
  return {.from = motion.pose_t0(),
          .reference = motion.reference(),
          .displacement = motion.velocity(),
          .angular_velocity = motion.angular_velocity()};
}

ScrewMotionRecord screw_record(const ScrewMotion& motion) {
  return {.from = motion.pose_t0(),
          .axis = motion.axis(),
          .angle = motion.angle(),
          .velocity = motion.velocity()};
}

PiecewiseMotionRecord piecewise_record(const PiecewiseMotion& motion) {
  PiecewiseMotionRecord record;
  record.times = motion.times();
  for (const PiecewiseMotion::Segment& segment : motion.segments()) {
    if (const auto* linear = std::get_if<RigidMotion>(&segment)) {
      record.segments.emplace_back(linear_record(*linear));
    } else {
      record.segments.emplace_back(screw_record(std::get<ScrewMotion>(segment)));
    }
  }
  return record;
}

SampledMotionRecord sampled_record(const Motion& motion, int samples) {
  SampledMotionRecord record;
  for (int i = 0; i <= samples; ++i) record.times.push_back(static_cast<double>(i) / samples);
  for (double t = motion.next_breakpoint(0.0); t < 1.0; t = motion.next_breakpoint(t))
    record.times.push_back(t);
  std::sort(record.times.begin(), record.times.end());
  record.times.erase(std::unique(record.times.begin(), record.times.end()), record.times.end());
  for (const double t : record.times) record.poses.push_back(motion.pose(t));
  return record;
}

// What is wrong with a pose, for a person; none if nothing is.
std::optional<Error> failure_of(const Pose& pose, const std::string& name) {
  if (!pose.rotation.allFinite() || !pose.translation.allFinite()) return Error{name + ": is not finite"};
  const Matrix3 defect = pose.rotation.transpose() * pose.rotation - Matrix3::Identity();
  if (!(defect.cwiseAbs().maxCoeff() < 1e-6) || !(pose.rotation.determinant() > 0.0))
    return Error{name + ": the rotation is not one"};
  return std::nullopt;
}

std::optional<Error> failure_of(const FixedMotionRecord& record) {
  return failure_of(record.pose, "pose");
}

std::optional<Error> failure_of(const LinearMotionRecord& record) {
  if (!record.reference.allFinite()) return Error{"reference: is not finite"};
  if (!record.displacement.allFinite()) return Error{"displacement: is not finite"};
  if (!record.angular_velocity.allFinite()) return Error{"angular_velocity: is not finite"};
  return failure_of(record.from, "from");
}

std::optional<Error> failure_of(const ScrewMotionRecord& record) {
  if (!(std::abs(record.axis.norm() - 1.0) < 1e-6)) return Error{"axis: is not a unit vector"};
  if (!std::isfinite(record.angle)) return Error{"angle: is not finite"};
  if (!record.velocity.allFinite()) return Error{"velocity: is not finite"};
  return failure_of(record.from, "from");
}

PiecewiseMotion::Segment segment_of(const FixedMotionRecord& record) {
  return RigidMotion::fixed(record.pose);
}

PiecewiseMotion::Segment segment_of(const LinearMotionRecord& record) {
  return RigidMotion::with_velocity(record.from, record.displacement, record.angular_velocity,
                                    record.reference);
}

PiecewiseMotion::Segment segment_of(const ScrewMotionRecord& record) {
  return ScrewMotion::with_velocity(record.from, record.axis, record.angle, record.velocity);
}

template <typename Record>
Expected<OwnedMotion> owned(const Record& record) {
  if (auto failure = failure_of(record)) return *failure;
  return std::visit([](auto&& motion) { return OwnedMotion(std::move(motion)); }, segment_of(record));
}

Expected<OwnedMotion> owned(const SampledMotionRecord& record) {
  if (record.times.size() != record.poses.size())
    return Error{"times: " + std::to_string(record.times.size()) + ", but there are " +
                 std::to_string(record.poses.size()) + " poses"};
  std::vector<TimedPose> poses;
  for (std::size_t i = 0; i < record.poses.size(); ++i) {
    if (auto failure = failure_of(record.poses[i], "poses[" + std::to_string(i) + "]")) return *failure;
    poses.push_back({record.times[i], record.poses[i]});
  }
  Expected<PiecewiseMotion> motion = PiecewiseMotion::build(poses);
  if (!motion) return motion.error();
  return OwnedMotion(std::move(*motion));
}

Expected<OwnedMotion> owned(const PiecewiseMotionRecord& record) {
  std::vector<PiecewiseMotion::Segment> segments;
  for (std::size_t i = 0; i < record.segments.size(); ++i) {
    const auto failure = std::visit([](const auto& part) { return failure_of(part); }, record.segments[i]);
    if (failure) return Error{"segments[" + std::to_string(i) + "]." + failure->message};
    segments.push_back(std::visit([](const auto& part) { return segment_of(part); }, record.segments[i]));
  }
  Expected<PiecewiseMotion> motion = PiecewiseMotion::joined(record.times, std::move(segments));
  if (!motion) return motion.error();
  return OwnedMotion(std::move(*motion));
}

}  // namespace

MotionRecord record_of(const Motion& motion, int samples) {
  if (motion.is_fixed()) return FixedMotionRecord{motion.pose(0.0)};
  if (const auto* linear = dynamic_cast<const RigidMotion*>(&motion)) return linear_record(*linear);
  if (const auto* screw = dynamic_cast<const ScrewMotion*>(&motion)) return screw_record(*screw);
  if (const auto* piecewise = dynamic_cast<const PiecewiseMotion*>(&motion))
    return piecewise_record(*piecewise);
  return sampled_record(motion, std::max(samples, 1));
}

Expected<OwnedMotion> motion_of(const MotionRecord& record) {
  return std::visit([](const auto& motion) { return owned(motion); }, record);
}

}  // namespace toccata
