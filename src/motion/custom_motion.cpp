#include <utility>

#include "toccata/motion/rigid_motion.hpp"

namespace toccata {

CustomMotion::CustomMotion(PoseFunction pose, const CustomMotionBounds& bounds)
    : pose_(std::move(pose)), bounds_(bounds) {}

CustomMotion::CustomMotion(PoseFunction pose, ExpansionFunction expansion, const PoseError& pose_error)
    : pose_(std::move(pose)), expansion_(std::move(expansion)) {
  bounds_.pose_error = pose_error;
}

Pose CustomMotion::pose(double t) const {
  return pose_(t);
}

MotionExpansion CustomMotion::expansion(double t, double t_end) const {
  if (expansion_) return expansion_(t, t_end);
  MotionExpansion e;
  e.center = pose_(t).translation;
  // The true origin may be pose_error away from the centre.
  e.speed_slack = bounds_.speed + bounds_.angular_speed * bounds_.pose_error.translation;
  e.spin_slack = bounds_.angular_speed;
  return e;
}

}  // namespace toccata
