#pragma once
// A body at a moment, and how it moves from then on.
#include "toccata/base/pose.hpp"
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

}  // namespace toccata::field
