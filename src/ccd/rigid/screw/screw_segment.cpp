// docs/notes/rigid_bounds.md derives the constants of this file.
#include "ccd/rigid/screw/screw_segment.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "toccata/base/rounding.hpp"

namespace toccata::screw {

namespace {

constexpr double u = unit_roundoff;
constexpr double full_turn = 2.0 * std::numbers::pi;
// Below this angle a segment is taken as straight: leaving the turn out costs as much as the rounding of
// positions about an axis that far away.
constexpr double least_angle = 1e-7;
// Roundings of a position on its way into the frame of the axis, of the axis' point and of its direction.
constexpr double frame_roundings = 128.0;
// Of an angle: arc tangent, the sum with another one, the reduction by full turns; in radians.
constexpr double angle_rounding = 64.0 * u;
// Of extents of a box whose axes are orthonormal to 1e-13.
constexpr double box_slack = 1e-12;

AxisBounds everywhere_around(double radius_high, double height_low, double height_high) {
  return {0.0, radius_high, -full_turn, full_turn, height_low, height_high};
}

struct Flat {
  double x, y;
};

// Distance from the axis of the segment pq as seen along the axis, from below.
double flat_distance(const Flat& p, const Flat& q) {
  const double dx = q.x - p.x, dy = q.y - p.y;
  const double length = dx * dx + dy * dy;
  const double s = length > 0.0 ? std::clamp(-(p.x * dx + p.y * dy) / length, 0.0, 1.0) : 0.0;
  const double near_x = p.x + s * dx, near_y = p.y + s * dy;
  const double distance = std::hypot(near_x, near_y);
  if (!(distance > 0.0)) return 0.0;
  // Whatever the quality of the nearest point: the whole segment is beyond the line across it.
  return std::min(p.x * near_x + p.y * near_y, q.x * near_x + q.y * near_y) / distance;
}

AxisBounds united(const AxisBounds& a, const AxisBounds& b) {
  return {std::min(a.radius_low, b.radius_low), std::max(a.radius_high, b.radius_high),
          std::min(a.angle_low, b.angle_low),   std::max(a.angle_high, b.angle_high),
          std::min(a.height_low, b.height_low), std::max(a.height_high, b.height_high)};
}

// s with s rate in [low, high]; the rounded quotients are moved outwards.
void restrict(MeetingWindow& window, double rate, double low, double high) {
  if (std::abs(rate) < 1e-290) {
    if (low > 0.0 || high < 0.0) window = {2.0, -1.0};
    return;
  }
  double first = low / rate, last = high / rate;
  if (rate < 0.0) std::swap(first, last);
  window.begin = std::max(window.begin, first - 4.0 * u * std::abs(first));
  window.end = std::min(window.end, last + 4.0 * u * std::abs(last));
}

}  // namespace

double ScrewSegment::time_at(double s) const {
  return std::max(begin, next_down(begin + s * (end - begin) * (1.0 - 4.0 * u)));
}

double ScrewSegment::share_at(double t) const {
  return end > begin ? std::clamp((t - begin) / (end - begin) * (1.0 - 4.0 * u), 0.0, 1.0) : 0.0;
}

ScrewSegment screw_segment(const ScrewBodies& bodies, double begin, double end) {
  const ScrewFit fit = fit_screw(bodies.relative, bodies.lower_a, bodies.upper_a, begin, end);
  const Pose first = fit.screw.pose_t0();
  ScrewSegment s;
  s.begin = begin;
  s.end = end;
  s.angle = fit.screw.angle();
  Vector3 axis = fit.screw.axis(), point = Vector3::Zero();
  double left_out = 0.0;
  if (s.angle >= least_angle) {
    point = fit.screw.point_on_axis();
    s.slide = fit.screw.slide();
  } else {
    const Vector3 shift = fit.screw.pose(1.0).translation - first.translation;
    s.slide = shift.norm();
    axis = s.slide > 0.0 ? (shift / s.slide).stableNormalized() : Vector3(Vector3::UnitZ());
    left_out = 1.01 * s.angle * (bodies.reach_a + s.slide);
    s.angle = 0.0;
  }
  const Matrix3 turn =
      Eigen::Quaterniond::FromTwoVectors(axis, Vector3::UnitZ()).normalized().toRotationMatrix();
  s.b_to_axis = {turn, -(turn * point)};
  s.a_to_axis = s.b_to_axis * first;
  s.scale = bodies.reach_a + bodies.reach_b + first.translation.norm() + point.norm() + std::abs(s.slide);
  s.error = fit.error + left_out + frame_roundings * u * s.scale;
  return s;
}

MeetingWindow meeting_window(const ScrewSegment& segment, const AxisBounds& a, const AxisBounds& b) {
  MeetingWindow window;
  if (a.radius_low > b.radius_high || b.radius_low > a.radius_high) return {2.0, -1.0};
  restrict(window, segment.slide, b.height_low - a.height_high, b.height_high - a.height_low);
  if (window.empty()) return window;
  double low = b.angle_low - a.angle_high, high = b.angle_high - a.angle_low;
  if (segment.angle == 0.0) {
    if (low > 0.0 || high < 0.0) return {2.0, -1.0};
    return window;
  }
  low -= angle_rounding;
  high += angle_rounding;
  if (high - low >= full_turn) return window;
  // The first turn whose end is not behind; the next one may begin before the segment ends.
  const double turns = std::floor(high / full_turn) * full_turn;
  low -= turns;
  high -= turns;
  if (low + full_turn <= segment.angle + angle_rounding) high = segment.angle;
  restrict(window, segment.angle, low - angle_rounding, high + angle_rounding);
  return window;
}

AxisBounds axis_bounds(const ScrewSegment& segment, const Pose& pose, const Vector3& center,
                       const Matrix3& axes, const Vector3& half, double margin) {
  const Vector3 c = pose.apply(center);
  const Matrix3 arms = (pose.rotation * axes) * half.asDiagonal();
  const double grown = margin + box_slack * half.sum();
  const double height = arms.row(2).cwiseAbs().sum() + grown;
  const double low = c.z() - height, high = c.z() + height;
  if (segment.angle == 0.0) {
    const double x = arms.row(0).cwiseAbs().sum() + grown, y = arms.row(1).cwiseAbs().sum() + grown;
    return {c.x() - x, c.x() + x, c.y() - y, c.y() + y, low, high};
  }
  // A rectangle around the box as seen along the axis, one side towards the axis.
  const double distance = std::sqrt(c.x() * c.x() + c.y() * c.y());
  const double ex = distance > 0.0 ? c.x() / distance : 1.0, ey = distance > 0.0 ? c.y() / distance : 0.0;
  double along = grown, across = grown;
  for (int k = 0; k < 3; ++k) {
    along += std::abs(ex * arms(0, k) + ey * arms(1, k));
    across += std::abs(ex * arms(1, k) - ey * arms(0, k));
  }
  const double near = distance - along, outer = distance + along;
  const double far = std::sqrt(outer * outer + across * across) * (1.0 + 4.0 * u);
  if (!(near > 0.0)) return everywhere_around(far, low, high);
  const double middle = std::atan2(c.y(), c.x()), width = std::atan2(across, near) + angle_rounding;
  return {near, far, middle - width, middle + width, low, high};
}

AxisBounds axis_bounds(const ScrewSegment& segment, const Vector3& center, double radius) {
  return axis_bounds(segment, {Matrix3::Identity(), center}, Vector3::Zero(), Matrix3::Identity(),
                     Vector3::Zero(), radius);
}

TriangleBounds triangle_bounds(const ScrewSegment& segment, const Triangle& points, double margin) {
  TriangleBounds bounds;
  bounds.points = points;
  if (segment.angle == 0.0) {
    for (int i = 0; i < 3; ++i) bounds.corner[i] = axis_bounds(segment, points[i], margin);
    for (int i = 0; i < 3; ++i) bounds.edge[i] = united(bounds.corner[i], bounds.corner[(i + 1) % 3]);
    bounds.all = united(bounds.edge[0], bounds.edge[1]);
    return bounds;
  }
  // Angles from one direction: on its side of the axis the angle along an edge has its extremes at the ends.
  Flat to = {points[0].x() + points[1].x() + points[2].x(), points[0].y() + points[1].y() + points[2].y()};
  const double length = std::hypot(to.x, to.y);
  to = length > 0.0 ? Flat{to.x / length, to.y / length} : Flat{1.0, 0.0};
  Flat p[3];
  double near = INFINITY;
  for (int i = 0; i < 3; ++i) {
    p[i] = {points[i].x() * to.x + points[i].y() * to.y, points[i].y() * to.x - points[i].x() * to.y};
    near = std::min(near, p[i].x - margin);
  }
  const bool around = !(near > 0.0);
  const double direction = around ? 0.0 : std::atan2(to.y, to.x);
  for (int i = 0; i < 3; ++i) {
    const double r = std::hypot(p[i].x, p[i].y);
    bounds.corner[i] = {std::max(0.0, r - margin), r + margin, -full_turn, full_turn, points[i].z() - margin,
                        points[i].z() + margin};
    if (around) continue;
    const double angle = direction + std::atan2(p[i].y, p[i].x);
    // A point moved by m at distance r turns by at most asin(m / r) <= pi/2 m / r.
    const double width = 1.6 * margin / (r * (1.0 - 8.0 * u)) + angle_rounding;
    bounds.corner[i].angle_low = angle - width;
    bounds.corner[i].angle_high = angle + width;
  }
  for (int i = 0; i < 3; ++i) {
    const int k = (i + 1) % 3;
    bounds.edge[i] = united(bounds.corner[i], bounds.corner[k]);
    bounds.edge[i].radius_low = std::max(0.0, flat_distance(p[i], p[k]) - margin);
    // Along an edge the margin's angle is that of its nearest point.
    if (!around) {
      const double width = 1.6 * margin / std::max(bounds.edge[i].radius_low, 1e-300);
      bounds.edge[i].angle_low -= width;
      bounds.edge[i].angle_high += width;
    }
  }
  bounds.all = united(united(bounds.edge[0], bounds.edge[1]), bounds.edge[2]);
  if (around) bounds.all.radius_low = 0.0;
  return bounds;
}

}  // namespace toccata::screw
