#pragma once
// Which of many points are in a hull of balls? What does not depend on the point is worked out once. Without
// proof: a first look, as quick as can be.
#include <Eigen/Geometry>
#include <array>
#include <cmath>

#include "toccata/elementary/ball_hull.hpp"

namespace toccata::medial {

class HullSieve {
 public:
  // Points must be in the hull by this much.
  HullSieve(const BallHull& hull, double margin) : hull_(hull) {
    for (double& radius : hull_.radius) radius -= margin;
    if (hull.count > 1) {
      const int sides = hull.count == 3 ? 3 : 1;
      for (int k = 0; k < sides; ++k)
        add_side(static_cast<std::size_t>(k), static_cast<std::size_t>((k + 1) % 3));
    }
    if (hull.count == 3) add_face();
  }

  bool holds(const Vector3& point) const {
    for (std::size_t i = 0; i < static_cast<std::size_t>(hull_.count); ++i) {
      if (hull_.radius[i] > 0.0 &&
          (point - hull_.center[i]).squaredNorm() <= hull_.radius[i] * hull_.radius[i])
        return true;
    }
    if (has_face_ && is_in_face(point)) return true;
    for (int k = 0; k < side_count_; ++k) {
      if (is_in_side(sides_[static_cast<std::size_t>(k)], point)) return true;
    }
    return false;
  }

 private:
  struct Side {
    Vector3 from, along;  // along: the edge over its squared length
    Vector3 edge;
    double radius, more;  // at the start, and to the end
    double lean;          // p / sqrt(1 - p^2) / |edge|
  };

  void add_side(std::size_t from, std::size_t to) {
    const Vector3 edge = hull_.center[to] - hull_.center[from];
    const double squared = edge.squaredNorm(), more = hull_.radius[to] - hull_.radius[from];
    if (!(more * more < squared)) return;  // one ball holds the other
    const double p = more / std::sqrt(squared);
    sides_[static_cast<std::size_t>(side_count_++)] = {
        hull_.center[from], edge / squared, edge,
        hull_.radius[from], more,           p / std::sqrt((1.0 - p * p) * squared)};
  }

  void add_face() {
    const Vector3 u = hull_.center[1] - hull_.center[0], v = hull_.center[2] - hull_.center[0];
    const double a = hull_.radius[1] - hull_.radius[0], b = hull_.radius[2] - hull_.radius[0];
    const double uu = u.dot(u), uv = u.dot(v), vv = v.dot(v), area = uu * vv - uv * uv;
    if (!(area > 1e-12 * uu * vv)) return;
    const double ps = (vv * a - uv * b) / area, pt = (uu * b - uv * a) / area, squared = ps * a + pt * b;
    if (!(squared < 1.0)) return;
    to_s_ = (vv * u - uv * v) / area;
    to_t_ = (uu * v - uv * u) / area;
    normal_ = u.cross(v) / std::sqrt(area);
    const double longer = 1.0 / std::sqrt(1.0 - squared);
    lean_s_ = ps * longer;
    lean_t_ = pt * longer;
    longer_ = longer;
    more_s_ = a;
    more_t_ = b;
    has_face_ = true;
  }

  bool is_in_face(const Vector3& point) const {
    const Vector3 x = point - hull_.center[0];
    const double height = std::abs(normal_.dot(x));
    const double s = to_s_.dot(x) + height * lean_s_, t = to_t_.dot(x) + height * lean_t_;
    return s >= 0.0 && t >= 0.0 && s + t <= 1.0 &&
           height * longer_ <= hull_.radius[0] + s * more_s_ + t * more_t_;
  }

  static bool is_in_side(const Side& side, const Vector3& point) {
    const Vector3 x = point - side.from;
    const double foot = side.along.dot(x);
    const double across = (x - foot * side.edge).norm();
    const double s = foot + across * side.lean;
    if (!(s >= 0.0 && s <= 1.0)) return false;
    const double radius = side.radius + s * side.more;
    return radius > 0.0 && (x - s * side.edge).squaredNorm() <= radius * radius;
  }

  BallHull hull_;
  std::array<Side, 3> sides_;
  int side_count_ = 0;
  bool has_face_ = false;
  Vector3 normal_, to_s_, to_t_;
  double lean_s_ = 0.0, lean_t_ = 0.0, longer_ = 1.0, more_s_ = 0.0, more_t_ = 0.0;
};

}  // namespace toccata::medial
