// Rounding: every quantity below is a sum of at most eight products of at most three factors, so a relative
// 32 units on the sum of the absolute values covers it.
#include "toccata/motion/displacement_bound.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "motion/rotation.hpp"

namespace toccata {
namespace {

constexpr double above = 1.0 + 32.0 * unit_roundoff;
// Of the sine of the angle between two directions.
constexpr double across_slack = 1e-15;

struct Reach {
  double arm = 0.0;    // largest |x - center| over the set
  double axial = 0.0;  // largest distance to the axis
};

Reach reach_of(const MotionExpansion& e, std::span<const Vector3> points, double radius) {
  const double spin = e.angular_velocity.norm();
  Reach reach;
  double scale = 0.0;
  for (const Vector3& x : points) {
    const Vector3 d = x - e.center;
    reach.arm = std::max(reach.arm, d.norm());
    reach.axial = std::max(reach.axial, spin > 0.0 ? d.cross(e.angular_velocity).norm() / spin : d.norm());
    scale = std::max(scale, x.norm() + e.center.norm());
  }
  const double rounding = 32.0 * unit_roundoff * scale;
  reach.arm = above * (reach.arm + radius) + rounding;
  reach.axial = std::min(above * (reach.axial + radius) + rounding, reach.arm);
  return reach;
}

DisplacementRate rate_along(const MotionExpansion& e, std::span<const Vector3> points, double radius,
                            const Vector3& n, const Reach& reach) {
  const double spin = e.angular_velocity.norm();
  const Vector3 lever = n.cross(e.angular_velocity);  // n . (w x d) = lever . d
  double turning = -std::numeric_limits<double>::infinity();
  for (const Vector3& x : points) turning = std::max(turning, lever.dot(x - e.center));
  const double magnitude = e.velocity.norm() + spin * reach.arm;
  // A steady rotation leaves its tangent within the plane across the axis.
  const double across = e.steady && spin > 0.0 ? std::min(1.0, lever.norm() / spin + across_slack) : 1.0;
  DisplacementRate result;
  result.rate = e.velocity.dot(n) + turning + lever.norm() * radius + e.speed_slack +
                e.spin_slack * reach.arm + 32.0 * unit_roundoff * (magnitude + e.speed_slack);
  result.curvature = above * (e.acceleration + e.spin_acceleration * reach.arm +
                              e.axial_acceleration * reach.axial * across);
  return result;
}

double displacement_along(const MotionExpansion& e, std::span<const Vector3> points, double radius,
                          const Vector3& n, double delta, const Reach& reach) {
  const DisplacementRate bound = rate_along(e, points, radius, n, reach);
  double best = delta * (bound.rate + 0.5 * delta * bound.curvature);
  if (bound.rate < 0.0 && bound.curvature == 0.0) best = 0.0;
  if (e.steady) {
    // The circle's part is at most the chord: |n across the axis| * rho * min(2, turned angle).
    const double spin = e.angular_velocity.norm();
    const double across = spin > 0.0 ? std::min(1.0, n.cross(e.angular_velocity).norm() / spin) : 0.0;
    const double straight = std::max(0.0, e.velocity.dot(n)) + e.speed_slack + e.spin_slack * reach.arm +
                            8.0 * unit_roundoff * e.velocity.norm();
    best = std::min(
        best, delta * straight + (across + across_slack) * reach.axial * std::min(2.0, delta * spin * above));
  }
  return std::max(0.0, best * above);
}

}  // namespace

DisplacementRate directed_rate(const MotionExpansion& e, std::span<const Vector3> points, double radius,
                               const Vector3& n) {
  return rate_along(e, points, radius, n, reach_of(e, points, radius));
}

double directed_displacement(const MotionExpansion& e, std::span<const Vector3> points, double radius,
                             const Vector3& n, double delta) {
  return displacement_along(e, points, radius, n, delta, reach_of(e, points, radius));
}

AxisDisplacements axis_displacements(const MotionExpansion& e, std::span<const Vector3> points, double radius,
                                     double delta) {
  const Reach reach = reach_of(e, points, radius);
  AxisDisplacements result;
  for (int k = 0; k < 3; ++k) {
    result.forward[k] = displacement_along(e, points, radius, Vector3::Unit(k), delta, reach);
    result.backward[k] = displacement_along(e, points, radius, -Vector3::Unit(k), delta, reach);
  }
  return result;
}

double displacement(const MotionExpansion& e, std::span<const Vector3> points, double radius, double delta) {
  const Reach reach = reach_of(e, points, radius);
  const double spin = e.angular_velocity.norm();
  double speed = 0.0;
  for (const Vector3& x : points) {
    speed = std::max(speed, (e.velocity + e.angular_velocity.cross(x - e.center)).norm());
  }
  const double slack = e.speed_slack + e.spin_slack * reach.arm +
                       32.0 * unit_roundoff * (e.velocity.norm() + spin * reach.arm);
  const double curvature =
      e.acceleration + e.spin_acceleration * reach.arm + e.axial_acceleration * reach.axial;
  double best = delta * (speed + spin * radius + slack + 0.5 * delta * curvature);
  if (e.steady) {
    best = std::min(best, delta * (e.velocity.norm() + slack) + reach.axial * std::min(2.0, delta * spin));
  }
  return best * above;
}

double conservative_step(double gap, double rate, double curvature) {
  if (!(gap > 0.0)) return 0.0;
  if (curvature <= 0.0) {
    return rate <= 0.0 ? std::numeric_limits<double>::infinity() : gap / rate * (1.0 - 4.0 * unit_roundoff);
  }
  // The positive root of rate s + curvature s^2 / 2 = gap, in the form without cancellation.
  const double root = std::sqrt(rate * rate + 2.0 * curvature * gap);
  const double step = rate >= 0.0 ? 2.0 * gap / (rate + root) : (root - rate) / curvature;
  return step * (1.0 - 16.0 * unit_roundoff);
}

}  // namespace toccata
