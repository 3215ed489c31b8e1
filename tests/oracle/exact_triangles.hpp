#pragma once
// Exact distance of two triangles over the rationals, by a route of its own: the convex quadratic programme
// in barycentric weights, solved on every pair of faces of the two simplices.
#include <array>

#include "toccata/base/vector.hpp"

namespace toccata::oracle {

using Corners = std::array<Vector3, 3>;

struct ExactTriangleDistance {
  bool meet = false;      // exact: the closed hulls share a point
  double distance = 0.0;  // the exact squared distance, rounded once, and its root
};

ExactTriangleDistance exact_triangle_distance(const Corners& a, const Corners& b);

// Of a point and a triangle, by the textbook over integers: the exact squared distance, rounded once, and its
// root.
long double exact_point_distance(const Vector3& point, const Corners& triangle);

}  // namespace toccata::oracle
