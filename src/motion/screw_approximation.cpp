// Between two samples h apart a curve g leaves its chord by at most h^2/8 max|g''|, and the chord is nowhere
// longer than at one of its ends. Of a steady motion and its screw the second derivative of the difference is
// known (steady_error); of any other only the Taylor remainder e(delta) <= delta slack + delta^2/2 K at the
// sample is known, and the chord is left by at most |e(delta)| + (delta/h) |e(h)| <= 2 h slack + h^2 K.
#include "toccata/motion/screw_approximation.hpp"
#include "toccata/base/rounding.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>

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

// How far the moved corners may leave the chord of a step of length h that begins at `pose`. All three bounds
// of an expansion are convex in the point, so the corners stand for the box.
double chord_error(const MotionExpansion& e, const Pose& pose, const Corners& corners, double h) {
  const double spin = e.angular_velocity.norm();
  double slack = 0.0, curvature = 0.0;
  for (const Vector3& p : corners) {
    const Vector3 d = pose.apply(p) - e.center;
    const double arm = d.norm();
    const double axial = spin > 0.0 ? d.cross(e.angular_velocity).norm() / spin : arm;
    slack = std::max(slack, e.speed_slack + e.spin_slack * arm);
    curvature =
        std::max(curvature, e.acceleration + e.spin_acceleration * arm + e.axial_acceleration * axial);
  }
  return 2.0 * h * slack + h * h * curvature;
}

// Of the corners, now.
double speed_bound(const MotionExpansion& e, const Pose& pose, const Corners& corners) {
  double arm = 0.0;
  for (const Vector3& p : corners) arm = std::max(arm, (pose.apply(p) - e.center).norm());
  return e.velocity.norm() + e.speed_slack + (e.angular_velocity.norm() + e.spin_slack) * arm;
}

double discrepancy(const Pose& of_motion, const Pose& of_screw, const Corners& corners) {
  double worst = 0.0;
  for (const Vector3& p : corners) worst = std::max(worst, (of_motion.apply(p) - of_screw.apply(p)).norm());
  return worst;
}

// Both turn steadily: x'' = exp(s W) W x (W x d) for each, and where both turn alike the difference is that
// of the centres alone, whatever the size of the body. `duration` brings the motion to the screw's time.
double steady_error(const MotionExpansion& m, const MotionExpansion& s, const Pose& first,
                    const Corners& corners, double duration) {
  const double spin = s.angular_velocity.norm();
  const double unlike =
      (duration * m.angular_velocity - s.angular_velocity).norm() + 8.0 * unit_roundoff * spin;
  double arm = 0.0;
  for (const Vector3& p : corners) {
    const Vector3 x = first.apply(p);
    arm = std::max({arm, (x - m.center).norm(), (x - s.center).norm()});
  }
  const double alike = s.angular_velocity.cross(s.angular_velocity.cross(m.center - s.center)).norm();
  const double both = spin + unlike;
  const double curvature = alike + unlike * (2.0 * both + both * both) * arm +
                           duration * duration * m.acceleration + s.acceleration +
                           32.0 * unit_roundoff * spin * spin * (arm + m.center.norm());
  const double slack = duration * (m.speed_slack + m.spin_slack * arm) + s.speed_slack + s.spin_slack * arm;
  return 0.125 * curvature + 2.0 * slack;
}

}  // namespace

ScrewFit fit_screw(const Motion& motion, const Vector3& lower, const Vector3& upper, double begin,
                   double end) {
  const Corners corners = corners_of(lower, upper);
  const Pose first = motion.pose(begin);
  ScrewFit fit{ScrewMotion(first, motion.pose(end)), 0.0};
  const MotionExpansion of_screw = fit.screw.expansion(0.0, 1.0);
  const MotionExpansion of_motion = motion.expansion(begin, end);
  const bool steady = of_motion.steady && of_screw.steady;
  const int steps = steady ? 1 : 8;
  double between = 0.0;
  if (steady) {
    between = steady_error(of_motion, of_screw, first, corners, (end - begin) * (1.0 + 0x1p-50));
  } else {
    between = chord_error(of_screw, fit.screw.pose(0.0), corners, 1.0 / steps);
  }
  const double length = (end - begin) / steps * (1.0 + 0x1p-50);
  double seen = 0.0, motion_chord = 0.0;
  for (int i = 0; i <= steps; ++i) {
    const double share = static_cast<double>(i) / steps;
    const double t = i == steps ? end : std::min(end, begin + (end - begin) * share);
    const Pose pose = motion.pose(t);
    seen = std::max(seen, discrepancy(pose, fit.screw.pose(share), corners));
    if (!steady && i < steps) {
      motion_chord = std::max(motion_chord, chord_error(motion.expansion(t, end), pose, corners, length));
    }
  }
  // Poses and corners as rounded; the times of the samples, which carry a few roundings of 1.
  const double reach = std::max(lower.norm(), upper.norm()) + (upper - lower).norm();
  const PoseError m = motion.pose_error(), s = fit.screw.pose_error();
  const double rounding = m.translation + s.translation + (m.rotation + s.rotation) * reach +
                          64.0 * unit_roundoff * (first.translation.norm() + reach + seen) +
                          0x1p-50 * speed_bound(of_motion, first, corners);
  fit.error = (seen + between + motion_chord + 2.0 * rounding) * (1.0 + 1e-12);
  return fit;
}

ScrewApproximation approximate_by_screws(const Motion& motion, const Vector3& lower, const Vector3& upper,
                                         const ScrewApproximationOptions& options) {
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
    const double error = fit_screw(motion, lower, upper, begin, end).error;
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
