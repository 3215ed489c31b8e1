#pragma once
// What is asked of all particles and strands of one call.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "ccd/field/surface_distance.hpp"
#include "toccata/bound/aabb.hpp"
#include "toccata/motion/motion.hpp"

namespace toccata::field {

struct Moment {
  double t = 0.0;
  Pose pose;
  MotionExpansion expansion;  // up to `end`
  double end = 1.0;
  // Of the expansion: lengths no less than those of its vectors, and what turns.
  double lengths = 0.0, center = 0.0, spin = 0.0, turning = 0.0, translation = 0.0;
};

inline Moment moment_at(const Motion& motion, double t) {
  Moment m;
  m.t = t;
  m.end = motion.next_breakpoint(t);
  m.pose = motion.pose(t);
  m.expansion = motion.expansion(t, m.end);
  m.center = m.expansion.center.cwiseAbs().sum();
  m.lengths = m.center + m.expansion.velocity.cwiseAbs().sum();
  m.spin = m.expansion.angular_velocity.norm();
  m.turning = m.expansion.spin_acceleration + m.expansion.axial_acceleration;
  m.translation = m.pose.translation.cwiseAbs().sum();
  return m;
}

// The largest delta with first delta + second delta^2 / 2 <= gap, a little less.
inline double step_of(double first, double second, double gap) {
  if (!(gap > 0.0)) return 0.0;
  const double sum = first + std::sqrt(first * first + 2.0 * second * gap);
  return (sum > 0.0 ? 2.0 * gap / sum : std::numeric_limits<double>::infinity()) * (1.0 - 1e-12);
}

// The largest delta with closing delta + bend delta^2 / 2 <= gap, a little less; closing may be negative.
inline double directed_step(double closing, double bend, double gap) {
  if (!(gap > 0.0)) return 0.0;
  const double root = std::sqrt(closing * closing + 2.0 * bend * gap);
  if (closing < 0.0) return bend > 0.0 ? (root - closing) / bend * (1.0 - 1e-12) : 1e300;
  return closing + root > 0.0 ? 2.0 * gap / (closing + root) * (1.0 - 1e-12) : 1e300;
}

struct Question {
  Surface surface;
  const Motion& motion;
  PoseError pose_error;
  double tolerance = 0.0;
  double minimum = 0.0;
  std::int32_t budget = 0;
  Moment first;
  Aabb box = {};  // around a mesh, in its coordinates
  // At equal times, if many ask: large steps end there, and need no pose of their own.
  std::vector<Moment> moments;

  void share_moments(std::size_t askers) {
    if (askers < 64) return;
    std::size_t count = 64;
    while (count < 1024 && 16 * count < askers) count *= 2;
    for (std::size_t i = 0; i < count; ++i)
      moments.push_back(moment_at(motion, static_cast<double>(i) / static_cast<double>(count)));
  }
  // One at or a little before `next`, if that loses little of the step.
  const Moment* shared_moment(double now, double next) const {
    const auto count = static_cast<double>(moments.size());
    if (!((next - now) * count > 2.0)) return nullptr;
    return &moments[static_cast<std::size_t>(next * count)];
  }
};

}  // namespace toccata::field
