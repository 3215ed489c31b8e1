#include "toccata/io/report_record.hpp"

#include <algorithm>

#include "toccata/motion/rigid_motion.hpp"

namespace toccata {
namespace {

LinearMotionRecord linear_record(const RigidMotion& motion) {
  const double angle = motion.angular_velocity().norm();
  return {.from = motion.pose_t0(),
          .reference = motion.reference(),
          .displacement = motion.velocity(),
          .axis = angle > 0.0 ? Vector3(motion.angular_velocity() / angle) : Vector3::UnitZ(),
          .angle = angle};
}

ScrewMotionRecord screw_record(const ScrewMotion& motion) {
  return {.from = motion.pose_t0(),
          .point = motion.point_on_axis(),
          .axis = motion.axis(),
          .angle = motion.angle(),
          .advance = motion.slide()};
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

}  // namespace

MotionRecord record_of(const Motion& motion, int samples) {
  if (motion.is_fixed()) return FixedMotionRecord{motion.pose(0.0)};
  if (const auto* linear = dynamic_cast<const RigidMotion*>(&motion)) return linear_record(*linear);
  if (const auto* screw = dynamic_cast<const ScrewMotion*>(&motion)) return screw_record(*screw);
  return sampled_record(motion, std::max(samples, 1));
}

ResultRecord record_of(const FirstContactResult& answer) {
  ResultRecord record;
  record.status = answer.status;
  record.time = answer.time;
  record.lower = answer.lower;
  record.upper = answer.upper;
  if (answer.status == Status::Contact || answer.status == Status::OverlapAtStart) {
    record.distance = answer.distance;
    record.contacts = answer.contacts;
    if (record.contacts.empty()) record.contacts.push_back(answer.contact);
  }
  return record;
}

ResultRecord record_of_distance(const Contact& closest) {
  ResultRecord record;
  record.status = closest.distance > 0.0 ? Status::Separated : Status::OverlapAtStart;
  record.time = record.lower = record.upper = 0.0;
  record.distance = closest.distance;
  record.contacts.push_back(closest);
  return record;
}

FrameContactRecord record_of(const DeformableContact& contact) {
  return {.edge_edge = contact.pair.kind == FeaturePairKind::EdgeEdge,
          .first = contact.pair.first,
          .second = contact.pair.second,
          .time = contact.impact.time,
          .point = contact.impact.point,
          .normal = contact.impact.normal};
}

ShapeRecord record_of(const TriangleMesh& mesh, std::string name, std::string source) {
  return {.name = std::move(name),
          .source = std::move(source),
          .vertex_count = mesh.vertices.size(),
          .triangle_count = mesh.faces.size(),
          .mesh = mesh};
}

}  // namespace toccata
