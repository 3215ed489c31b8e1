#pragma once
// The distance of a point from the triangles of a mesh, and its side, by all of them in long double; of
// needles, whose normals are not known in it, by integers.
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "oracle/exact_triangles.hpp"
#include "toccata/elementary/triangle.hpp"
#include "toccata/proximity/placed_shape.hpp"

namespace toccata::oracle {

using Real = long double;
using Long3 = Eigen::Matrix<Real, 3, 1>;

inline Real squared_to_segment(const Long3& p, const Long3& a, const Long3& b) {
  const Long3 e = b - a;
  const Real length = e.squaredNorm();
  const Real t = length > 0 ? std::clamp<Real>((p - a).dot(e) / length, 0, 1) : Real(0);
  return (p - (a + t * e)).squaredNorm();
}

// The textbook: the plane where the foot is inside, else the nearest edge.
inline Real true_distance(const Vector3& point, const Triangle& triangle) {
  const Long3 p = point.cast<Real>(), a = triangle[0].cast<Real>(), b = triangle[1].cast<Real>(),
              c = triangle[2].cast<Real>();
  Real best =
      std::min({squared_to_segment(p, a, b), squared_to_segment(p, b, c), squared_to_segment(p, c, a)});
  const Long3 n = (b - a).cross(c - a);
  const bool is_needle = n.squaredNorm() <= 1e-3L * (b - a).squaredNorm() * (c - a).squaredNorm();
  if (is_needle) return exact_point_distance(point, triangle);
  const bool inside = n.squaredNorm() > 0 && (b - a).cross(p - a).dot(n) >= 0 &&
                      (c - b).cross(p - b).dot(n) >= 0 && (a - c).cross(p - c).dot(n) >= 0;
  if (inside) best = std::min(best, (p - a).dot(n) * (p - a).dot(n) / n.squaredNorm());
  return std::sqrt(best);
}

inline Real true_distance(const Vector3& point, const PlacedShape& shape) {
  Real best = INFINITY;
  for (std::size_t i = 0; i < shape.shape.mesh().faces.size(); ++i)
    best = std::min(best, true_distance(point, transformed(shape.pose, triangle_of(shape.shape.mesh(), i))));
  return best;
}

// Solid angles of all triangles: an odd number of turns is inside.
inline bool is_inside(const Vector3& point, const PlacedShape& shape) {
  Real sum = 0;
  for (std::size_t i = 0; i < shape.shape.mesh().faces.size(); ++i) {
    const Triangle t = transformed(shape.pose, triangle_of(shape.shape.mesh(), i));
    const Long3 a = (t[0] - point).cast<Real>(), b = (t[1] - point).cast<Real>(),
                c = (t[2] - point).cast<Real>();
    const Real x = a.norm(), y = b.norm(), z = c.norm();
    sum += 2 * std::atan2(a.dot(b.cross(c)), x * y * z + a.dot(b) * z + b.dot(c) * x + c.dot(a) * y);
  }
  const long turns = std::lround(sum / (4 * std::numbers::pi_v<Real>));
  return turns % 2 != 0;
}

}  // namespace toccata::oracle
