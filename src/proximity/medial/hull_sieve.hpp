#pragma once
// How far are many points from a hull of balls? What does not depend on the point is worked out once. Without
// proof: a first look, as quick as can be.
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "proximity/medial/ball_hull_of.hpp"

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

  Aabb box() const { return box_of(hull_); }

  // With all radii larger by `more`: leans and slopes are the same.
  bool holds(const Vector3& point, double more = 0.0) const {
    for (std::size_t i = 0; i < static_cast<std::size_t>(hull_.count); ++i) {
      const double radius = hull_.radius[i] + more;
      if (radius > 0.0 && (point - hull_.center[i]).squaredNorm() <= radius * radius) return true;
    }
    if (has_face_) {
      const Foot foot = foot_in_face(point);
      if (foot.is_inside) return foot.distance <= more;
    }
    for (std::size_t k = 0; k < side_count_; ++k) {
      const Side& side = sides_[k];
      const Vector3 x = point - side.from;
      const double s = foot_on(side, x);
      if (!(s >= 0.0 && s <= 1.0)) continue;
      const double radius = side.radius + s * side.more + more;
      if (radius > 0.0 && (x - s * side.edge).squaredNorm() <= radius * radius) return true;
    }
    return false;
  }

  // As nearest_ball has it.
  PointBallHull nearest(const Vector3& point) const {
    if (has_face_) {
      const Foot foot = foot_in_face(point);
      // Convex: the least inside is the least of all.
      if (foot.is_inside) return {foot.distance, {std::max(0.0, 1.0 - foot.s - foot.t), foot.s, foot.t}};
    }
    PointBallHull found;
    found.distance = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < static_cast<std::size_t>(hull_.count); ++i) {
      const double distance = (point - hull_.center[i]).norm() - hull_.radius[i];
      if (!(distance < found.distance)) continue;
      found = {distance, {0.0, 0.0, 0.0}};
      found.weight[i] = 1.0;
    }
    for (std::size_t k = 0; k < side_count_; ++k) {
      const Side& side = sides_[k];
      const Vector3 x = point - side.from;
      const double s = foot_on(side, x);
      if (!(s > 0.0 && s < 1.0)) continue;
      const double distance = (x - s * side.edge).norm() - (side.radius + s * side.more);
      if (!(distance < found.distance)) continue;
      found = {distance, {0.0, 0.0, 0.0}};
      found.weight[side.first] = 1.0 - s;
      found.weight[side.second] = s;
    }
    return found;
  }

 private:
  struct Side {
    Vector3 from, along;  // along: the edge over its squared length
    Vector3 edge;
    double radius, more;  // at the start, and to the end
    double lean;          // p / sqrt(1 - p^2) / |edge|
    std::size_t first, second;
  };
  struct Foot {
    double s, t, distance;
    bool is_inside;
  };

  void add_side(std::size_t from, std::size_t to) {
    const Vector3 edge = hull_.center[to] - hull_.center[from];
    const double squared = edge.squaredNorm(), more = hull_.radius[to] - hull_.radius[from];
    if (!(more * more < squared)) return;  // one ball holds the other
    const double p = more / std::sqrt(squared);
    sides_[side_count_++] = {hull_.center[from],
                             edge / squared,
                             edge,
                             hull_.radius[from],
                             more,
                             p / std::sqrt((1.0 - p * p) * squared),
                             from,
                             to};
  }

  void add_face() {
    const Vector3 u = hull_.center[1] - hull_.center[0], v = hull_.center[2] - hull_.center[0];
    const double a = hull_.radius[1] - hull_.radius[0], b = hull_.radius[2] - hull_.radius[0];
    const double uu = u.dot(u), uv = u.dot(v), vv = v.dot(v), area = uu * vv - uv * uv;
    if (!(area > 1e-14 * uu * vv)) return;
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

  Foot foot_in_face(const Vector3& point) const {
    const Vector3 x = point - hull_.center[0];
    const double height = std::abs(normal_.dot(x));
    const double s = to_s_.dot(x) + height * lean_s_, t = to_t_.dot(x) + height * lean_t_;
    return {s, t, height * longer_ - (hull_.radius[0] + s * more_s_ + t * more_t_),
            s >= 0.0 && t >= 0.0 && s + t <= 1.0};
  }

  static double foot_on(const Side& side, const Vector3& x) {
    const double foot = side.along.dot(x);
    return foot + (x - foot * side.edge).norm() * side.lean;
  }

  BallHull hull_;
  std::array<Side, 3> sides_;
  std::size_t side_count_ = 0;
  bool has_face_ = false;
  Vector3 normal_, to_s_, to_t_;
  double lean_s_ = 0.0, lean_t_ = 0.0, longer_ = 1.0, more_s_ = 0.0, more_t_ = 0.0;
};

}  // namespace toccata::medial
