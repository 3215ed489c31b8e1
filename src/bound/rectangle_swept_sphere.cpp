#include "toccata/bound/rectangle_swept_sphere.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "bound/rectangle_distance.hpp"
#include "bound/rectangle_fit.hpp"
#include "bound/rounding.hpp"
#include "toccata/bound/obb.hpp"
#include "toccata/bound/principal_axes.hpp"

namespace toccata {
namespace {

// Balls in the frame of the rectangle.
struct PlaneBall {
  Vector3 center;
  double radius;
};

struct Range {
  double low = INFINITY;
  double high = -INFINITY;

  void close() {
    if (low > high) low = high = 0.5 * low + 0.5 * high;
  }
};

// How far a ball may stick out over a side of the rectangle and still be inside the swept sphere.
double overhang(const PlaneBall& ball, double radius) {
  const double room = radius - ball.radius;
  return std::sqrt(std::max(0.0, room * room - ball.center.z() * ball.center.z()));
}

// Moves the corner outwards until the ball is covered: it sticks out over both sides by more than it may.
void cover_corner(const PlaneBall& ball, double radius, std::array<Range, 2>& side) {
  Vector2 out;
  for (int k = 0; k < 2; ++k) {
    out[k] = ball.center[k] - std::clamp(ball.center[k], side[k].low, side[k].high);
  }
  const double sticking = out.norm(), allowed = overhang(ball, radius);
  if (!(sticking > allowed)) return;
  for (int k = 0; k < 2; ++k) {
    const double shift = out[k] * (1.0 - allowed / sticking);
    if (shift > 0.0) side[k].high += shift;
    if (shift < 0.0) side[k].low += shift;
  }
}

// The radius from the nearest points as rounded: enough whatever their quality.
double enclosing_radius(const std::vector<PlaneBall>& balls, const Vector2& half) {
  double radius = 0.0;
  for (const PlaneBall& ball : balls) {
    const Vector3 p = ball.center;
    const Vector3 out(std::max(0.0, std::abs(p.x()) - half.x()), std::max(0.0, std::abs(p.y()) - half.y()),
                      p.z());
    radius = std::max(radius, out.norm() + ball.radius);
  }
  return radius;
}

RectangleSweptSphere fit_balls(std::span<const Vector3> points, std::span<const double> radii,
                               const Matrix3& axes) {
  const Obb box = fit_obb(points, axes);
  RectangleSweptSphere result;
  result.axes = axes;
  std::vector<PlaneBall> balls(points.size());
  double radius = 0.0, reach = 0.0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    balls[i] = {axes.transpose() * (points[i] - box.center), radii.empty() ? 0.0 : radii[i]};
    radius = std::max(radius, std::abs(balls[i].center.z()) + balls[i].radius);
    reach = std::max(reach, balls[i].center.cwiseAbs().maxCoeff());
  }
  // Sides are drawn in as far as each ball may stick out over one of them; corners are mended after that.
  std::array<Range, 2> side;
  for (const PlaneBall& ball : balls) {
    for (int k = 0; k < 2; ++k) {
      side[k].low = std::min(side[k].low, ball.center[k] + overhang(ball, radius));
      side[k].high = std::max(side[k].high, ball.center[k] - overhang(ball, radius));
    }
  }
  side[0].close();
  side[1].close();
  for (const PlaneBall& ball : balls) cover_corner(ball, radius, side);
  const Vector3 middle(0.5 * side[0].low + 0.5 * side[0].high, 0.5 * side[1].low + 0.5 * side[1].high, 0.0);
  result.center = box.center + axes * middle;
  result.half = {0.5 * (side[0].high - side[0].low), 0.5 * (side[1].high - side[1].low)};
  for (PlaneBall& ball : balls) ball.center -= middle;
  // Errors of the frame coordinates: axes off by 1e-15, a few roundings of the reach and of the centre.
  const double error = 64.0 * bound::u *
                           (reach + result.half.sum() + result.center.cwiseAbs().maxCoeff() +
                            box.center.cwiseAbs().maxCoeff()) +
                       1e-14 * reach + bound::smallest_length;
  result.radius = enclosing_radius(balls, result.half) * (1.0 + 8.0 * bound::u) + error;
  return result;
}

std::array<Vector3, 4> corners(const RectangleSweptSphere& v) {
  const Vector3 x = v.half.x() * v.axes.col(0), y = v.half.y() * v.axes.col(1);
  return {v.center - x - y, v.center + x - y, v.center + x + y, v.center - x + y};
}

}  // namespace

RectangleSweptSphere bound::fit_rectangle(std::span<const Vector3> points, const Matrix3& axes) {
  return fit_balls(points, {}, axes);
}

template <>
RectangleSweptSphere fit<RectangleSweptSphere>(std::span<const Vector3> points) {
  return fit_balls(points, {}, principal_axes(points));
}

RectangleSweptSphere merge(const RectangleSweptSphere& a, const RectangleSweptSphere& b) {
  std::array<Vector3, 8> points;
  std::array<double, 8> radii;
  const auto corners_a = corners(a), corners_b = corners(b);
  // The corners are rounded and their axes orthonormal to 1e-13.
  const auto thick = [](const RectangleSweptSphere& v) {
    return v.radius + 1e-12 * (v.half.sum() + v.radius) + 8.0 * bound::u * v.center.cwiseAbs().sum();
  };
  for (int i = 0; i < 4; ++i) {
    points[i] = corners_a[i];
    points[i + 4] = corners_b[i];
    radii[i] = thick(a);
    radii[i + 4] = thick(b);
  }
  return fit_balls(points, radii, principal_axes(points));
}

DirectedDistance directed_lower_distance(const RectangleSweptSphere& a, const RectangleSweptSphere& b) {
  const Vector3 offset = b.center - a.center;
  const bound::RectanglePair pair = {a.half, b.half, a.axes.transpose() * b.axes,
                                     a.axes.transpose() * offset};
  DirectedDistance result;
  const Vector3 n = bound::rectangle_difference(pair);  // in a's frame
  const double length = n.norm();
  const double size = offset.cwiseAbs().sum() + a.half.sum() + b.half.sum();
  if (!(length > 1e-13 * size)) return result;
  // The slab orthogonal to n between the rectangles proves the distance, whatever the quality of n. Axes are
  // orthonormal to 1e-13: heights are right to 1e-12 of the lengths that enter.
  const double reach_a = a.half.x() * std::abs(n.x()) + a.half.y() * std::abs(n.y());
  const double reach_b =
      b.half.x() * std::abs(pair.rotation.col(0).dot(n)) + b.half.y() * std::abs(pair.rotation.col(1).dot(n));
  const double gap = (pair.offset.dot(n) - reach_a - reach_b) / length - 1e-12 * size;
  result.lower_distance = std::max(0.0, gap * (1.0 - 1e-12) - (a.radius + b.radius) * (1.0 + 4.0 * bound::u));
  result.direction = a.axes * (n / length);
  return result;
}

double lower_distance(const RectangleSweptSphere& a, const RectangleSweptSphere& b) {
  return directed_lower_distance(a, b).lower_distance;
}

bool overlap(const RectangleSweptSphere& a, const RectangleSweptSphere& b) {
  return !(lower_distance(a, b) > 0.0);
}

RectangleSweptSphere transformed(const Pose& pose, const RectangleSweptSphere& v) {
  RectangleSweptSphere result;
  result.center = pose.apply(v.center);
  result.axes = pose.rotation * v.axes;
  result.half = v.half;
  result.radius = (v.radius + 5.0 * bound::rotation_slack * (v.half.sum() + v.radius) +
                   bound::move_error(pose, v.center)) *
                  (1.0 + 4.0 * bound::u);
  return result;
}

double radius_of(const RectangleSweptSphere& v) {
  return (v.half.norm() + v.radius) * (1.0 + 1e-12);
}

}  // namespace toccata
