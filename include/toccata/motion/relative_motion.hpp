#pragma once
// The motion of one body as another, moving one sees it.
#include "toccata/motion/motion.hpp"

namespace toccata {

// Body coordinates of a to body coordinates of b: x(t) = B(t)^-1 A(t) p. Where b stands still and a moves
// steadily the relative motion is steady too; otherwise b's turning is inside the second-order bounds.
class RelativeMotion final : public Motion {
 public:
  // Both must outlive this object. Costs a few expansions per breakpoint.
  RelativeMotion(const Motion& motion_a, const Motion& motion_b);

  Pose pose(double t) const override;
  PoseError pose_error() const override { return error_; }
  MotionExpansion expansion(double t, double t_end) const override;
  double next_breakpoint(double t) const override;
  bool is_fixed() const override;

 private:
  const Motion& a_;
  const Motion& b_;
  bool b_fixed_;
  Pose from_world_;  // inverse of b's pose where that is fixed
  PoseError error_b_;
  PoseError error_;
};

}  // namespace toccata
