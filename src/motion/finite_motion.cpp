#include "motion/finite_motion.hpp"

#include <cmath>
#include <typeinfo>

#include "toccata/motion/rigid_motion.hpp"

namespace toccata {
namespace {

// A sum is finite only if everything in it is, up to overflow, which is as bad.
bool is_finite(const MotionExpansion& e) {
  return std::isfinite(e.center.sum() + e.velocity.sum() + e.angular_velocity.sum() + e.speed_slack +
                       e.spin_slack + e.acceleration + e.spin_acceleration + e.axial_acceleration);
}

bool is_finite(const Pose& pose) {
  return std::isfinite(pose.rotation.sum() + pose.translation.sum());
}

}  // namespace

bool is_finite(const Motion& motion) {
  // The most usual motion by its numbers: its poses and bounds are sums of their products.
  if (typeid(motion) == typeid(RigidMotion)) {
    const auto& rigid = static_cast<const RigidMotion&>(motion);
    const PoseError error = rigid.pose_error();
    const Vector3 &w = rigid.angular_velocity(), &v = rigid.velocity(), &r = rigid.reference();
    return is_finite(rigid.pose_t0()) &&
           std::isfinite(error.translation + error.rotation + v.sum() + w.squaredNorm() + r.sum());
  }
  const PoseError error = motion.pose_error();
  if (!std::isfinite(error.translation + error.rotation) || !is_finite(motion.pose(0.0))) return false;
  if (motion.is_fixed()) return true;
  for (double t = 0.0; t < 1.0;) {
    const double end = motion.next_breakpoint(t);
    if (!is_finite(motion.expansion(t, end))) return false;
    if (!(end > t)) return false;
    t = end;
  }
  return is_finite(motion.pose(1.0));
}

}  // namespace toccata
