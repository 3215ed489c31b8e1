#include "toccata/motion/screw_approximation.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace toccata {
namespace {

using Corners = std::array<Vector3, 8>;

Corners corners_of(const Vector3& lower, const Vector3& upper) {
  Corners corners;
  for (int i = 0; i < 8; ++i) {
    corners[static_cast<std::size_t>(i)] = {i & 1 ? upper.x() : lower.x(), i & 2 ? upper.y() : lower.y(),
                                            i & 4 ? upper.z() : lower.z()};
  }
  return corners;
}

struct PointRate {
  Vector3 velocity;
  double slack;      // of that velocity
  double curvature;  // bound on the acceleration
};

PointRate rate_at(const MotionExpansion& e, const Vector3& x) {
  const Vector3 d = x - e.center;
  const double spin = e.angular_velocity.norm();
  const double axial = spin > 0.0 ? d.cross(e.angular_velocity).norm() / spin : d.norm();
  return {e.velocity + e.angular_velocity.cross(d), e.speed_slack + e.spin_slack * d.norm(),
          e.acceleration + e.spin_acceleration * d.norm() + e.axial_acceleration * axial};
}

// An upper bound on the discrepancy over [t, t + h], from the state of both motions at t.
double discrepancy(const Motion& motion, const PiecewiseMotion& screws, const Corners& corners, double t,
                   double h, double t_end) {
  const Pose pose_m = motion.pose(t), pose_s = screws.pose(t);
  const MotionExpansion e_m = motion.expansion(t, t_end), e_s = screws.expansion(t, t_end);
  const PoseError error_m = motion.pose_error(), error_s = screws.pose_error();
  double worst = 0.0;
  for (const Vector3& p : corners) {
    const Vector3 x_m = pose_m.apply(p), x_s = pose_s.apply(p);
    const PointRate m = rate_at(e_m, x_m), s = rate_at(e_s, x_s);
    const double here = (x_m - x_s).norm() + error_m.translation + error_s.translation +
                        (error_m.rotation + error_s.rotation) * p.norm();
    const double speed = (m.velocity - s.velocity).norm() + m.slack + s.slack;
    worst = std::max(worst, here + h * (speed + 0.5 * h * (m.curvature + s.curvature)));
  }
  const double rounding = 64.0 * 0x1p-53 * (pose_m.translation.norm() + pose_s.translation.norm());
  return worst * (1.0 + 1e-12) + rounding;
}

// Bounds the discrepancy of one segment by halving steps until the bound is below the tolerance or no longer
// dominated by the step.
double segment_error(const Motion& motion, const PiecewiseMotion& screws, const Corners& corners,
                     double begin, double end, double tolerance) {
  double best = std::numeric_limits<double>::infinity();
  for (int steps = 4; steps <= 64; steps *= 2) {
    double worst = 0.0;
    for (int i = 0; i < steps; ++i) {
      const double t = begin + (end - begin) * i / steps;
      const double next = i + 1 == steps ? end : begin + (end - begin) * (i + 1) / steps;
      worst = std::max(worst, discrepancy(motion, screws, corners, t, next - t, end));
      if (worst > 4.0 * tolerance && steps > 4) break;
    }
    best = std::min(best, worst);
    if (best <= tolerance || worst > 64.0 * tolerance) break;
  }
  return best;
}

}  // namespace

ScrewApproximation approximate_by_screws(const Motion& motion, const Vector3& lower, const Vector3& upper,
                                         const ScrewApproximationOptions& options) {
  const Corners corners = corners_of(lower, upper);
  ScrewApproximation result;
  result.within_tolerance = true;
  result.poses.push_back({0.0, motion.pose(0.0)});
  double begin = 0.0;
  double step = 1.0;
  while (begin < 1.0) {
    const double limit = std::min(1.0, motion.next_breakpoint(begin));
    double end = std::min(limit, begin + step);
    if (limit - end < 1e-3 * step) end = limit;
    const bool last_resort = static_cast<int>(result.poses.size()) >= options.most_segments;
    if (last_resort) end = limit;
    // The one screw from begin to end, padded to [0, 1] by poses that stand still in its time.
    std::vector<TimedPose> poses;
    if (begin > 0.0) poses.push_back({0.0, motion.pose(begin)});
    poses.push_back({begin, motion.pose(begin)});
    poses.push_back({end, motion.pose(end)});
    if (end < 1.0) poses.push_back({1.0, motion.pose(end)});
    const double error = segment_error(motion, PiecewiseMotion(poses, Interpolation::Screw), corners, begin,
                                       end, options.tolerance);
    if (error > options.tolerance && !last_resort && end - begin > 1e-9) {
      step = 0.5 * (end - begin);
      continue;
    }
    result.within_tolerance = result.within_tolerance && error <= options.tolerance;
    result.error = std::max(result.error, error);
    result.poses.push_back({end, motion.pose(end)});
    begin = end;
    step = 2.0 * step;
  }
  return result;
}

}  // namespace toccata
