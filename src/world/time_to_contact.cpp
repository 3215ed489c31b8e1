#include "world/time_to_contact.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "hierarchy/shape_data.hpp"
#include "toccata/base/rounding.hpp"
#include "toccata/motion/displacement_bound.hpp"

namespace toccata::world {
namespace {

// The centre's place, and how far it and the radius may be off.
struct Ball {
  Vector3 center;
  double error;
};

Ball ball_at(const SeenBody& body, double t) {
  const ShapeData& shape = body.shape.data();
  const Pose pose = body.motion->pose(t);
  const PoseError error = body.motion->pose_error();
  const double reach = shape.center.norm() + shape.radius;
  return {pose.apply(shape.center), error.translation + error.rotation * reach +
                                        32.0 * unit_roundoff * (reach + pose.translation.norm())};
}

// How long two balls stay farther apart than `radii` that turn steadily about points that go straight: each
// is in a ball about its point. The root of a parabola, found for a larger ball: by 1e-7 of all lengths L, so
// that squares differ by more than 1e-14 L^2, and all roundings of its coefficients and of the root are less
// than 32 u L^2.
double straight_time(const Ball& a, const MotionExpansion& seen_a, const Ball& b,
                     const MotionExpansion& seen_b, double radii) {
  constexpr double never = std::numeric_limits<double>::infinity();
  const double arm_a = (a.center - seen_a.center).norm(), arm_b = (b.center - seen_b.center).norm();
  const Vector3 between = seen_b.center - seen_a.center, velocity = seen_b.velocity - seen_a.velocity;
  const double sum = radii + arm_a + arm_b + a.error + b.error + seen_a.speed_slack + seen_b.speed_slack +
                     seen_a.spin_slack * arm_a + seen_b.spin_slack * arm_b;
  const double length = between.norm();
  const double reach = sum + 1e-7 * (length + sum + velocity.norm()) +
                       16.0 * unit_roundoff * (seen_a.center.norm() + seen_b.center.norm());
  const double apart = length * length - reach * reach, nearing = -between.dot(velocity);
  if (!(apart > 0.0)) return 0.0;
  if (!(nearing > 0.0)) return never;
  const double discriminant = nearing * nearing - velocity.squaredNorm() * apart;
  if (!(discriminant > 0.0)) return never;
  return apart / (nearing + std::sqrt(discriminant));
}

// A plane that stands still, in world coordinates.
struct StillPlane {
  Vector3 normal;
  double offset;
  double error;  // per length from the origin, and of the offset
};

StillPlane still_plane(const SeenBody& body) {
  const Plane& plane = *body.shape.data().tree.plane;
  const Pose pose = body.motion->pose(0.0);
  const Vector3 normal = pose.rotation * plane.normal;
  const double offset = plane.offset + normal.dot(pose.translation);
  const PoseError error = body.motion->pose_error();
  return {
      normal, offset,
      error.rotation + 64.0 * unit_roundoff +
          (error.translation + 64.0 * unit_roundoff * (std::abs(plane.offset) + pose.translation.norm()))};
}

// Until when the ball about a's shape stays above the plane of b.
double time_to_plane(const SeenBody& a, const SeenBody& b, double distance, double from) {
  const StillPlane plane = still_plane(b);
  double t = from;
  for (int looks = 0; looks < 2; ++looks) {
    const double smooth = a.motion->next_breakpoint(t);
    const Ball ball = ball_at(a, t);
    const double gap = plane.normal.dot(ball.center) - plane.offset -
                       a.shape.data().radius * (1.0 + 8.0 * unit_roundoff) - distance - ball.error -
                       plane.error * (1.0 + ball.center.norm() + a.shape.data().radius);
    if (!(gap > 0.0)) return t;
    const DisplacementRate rate =
        directed_rate(a.motion->expansion(t, smooth), {&ball.center, 1}, 0.0, -plane.normal);
    const double step = conservative_step(gap, rate.rate, rate.curvature);
    if (t + step >= smooth) {
      if (smooth >= 1.0) return 2.0;
      t = smooth;
    } else {
      t = next_down(t + step);
    }
  }
  return std::max(t, from);
}

}  // namespace

double time_to_contact(const SeenBody& a, const SeenBody& b, double distance, double from) {
  const bool plane_a = a.shape.data().is_half_space(), plane_b = b.shape.data().is_half_space();
  if (plane_a || plane_b) {  // in no ball
    if (plane_a && plane_b) return from;
    const SeenBody &plane = plane_a ? a : b, &other = plane_a ? b : a;
    return plane.motion->is_fixed() ? time_to_plane(other, plane, distance, from) : from;
  }
  const double radii = a.shape.data().radius + b.shape.data().radius;
  double t = from;
  for (int looks = 0; looks < 4; ++looks) {  // further ones gain less than they cost
    const double smooth = std::min(a.motion->next_breakpoint(t), b.motion->next_breakpoint(t));
    const Ball ball_a = ball_at(a, t), ball_b = ball_at(b, t);
    const Vector3 between = ball_b.center - ball_a.center;
    const double length = between.norm();
    const double gap = length * (1.0 - 8.0 * unit_roundoff) - radii * (1.0 + 8.0 * unit_roundoff) - distance -
                       ball_a.error - ball_b.error;
    if (!(gap > 0.0)) return t;
    const Vector3 n = between / length;
    const MotionExpansion seen_a = a.motion->expansion(t, smooth), seen_b = b.motion->expansion(t, smooth);
    const bool is_steady = seen_a.steady && seen_b.steady;
    if (is_steady) {
      const double time = t + straight_time(ball_a, seen_a, ball_b, seen_b, radii + distance);
      if (time >= smooth && smooth >= 1.0) return 2.0;
      if (time >= smooth) {
        t = smooth;
        continue;
      }
      t = std::max(t, next_down(time));
      if (t > from) return t;  // the balls about the centres gain little more
    }
    const DisplacementRate rate_a = directed_rate(seen_a, {&ball_a.center, 1}, 0.0, n);
    const DisplacementRate rate_b = directed_rate(seen_b, {&ball_b.center, 1}, 0.0, -n);
    const double rate =
        rate_a.rate + rate_b.rate + 4.0 * unit_roundoff * (std::abs(rate_a.rate) + std::abs(rate_b.rate));
    const double step = conservative_step(gap, rate, (rate_a.curvature + rate_b.curvature) * (1.0 + 1e-15));
    if (t + step >= smooth) {
      if (smooth >= 1.0) return 2.0;
      t = smooth;
    } else {
      t = next_down(t + step);
    }
  }
  return std::max(t, from);
}

}  // namespace toccata::world
