#pragma once
// Area, first and second moments of triangles: the covariance of a surface, not of its vertices.
#include <array>
#include <cstddef>

#include "toccata/base/vector.hpp"

namespace toccata {

struct SurfaceMoments {
  double area = 0.0;  // twice the area
  Vector3 first = Vector3::Zero();
  std::array<double, 6> second = {0, 0, 0, 0, 0, 0};  // xx xy xz yy yz zz

  void add(const SurfaceMoments& other) {
    area += other.area;
    first += other.first;
    for (std::size_t i = 0; i < 6; ++i) second[i] += other.second[i];
  }
};

// Of one triangle, to which floor_area is added: degenerate ones still count a little.
SurfaceMoments moments_of(const Vector3& a, const Vector3& b, const Vector3& c, double floor_area);

// Orthonormal to double precision; the direction of the largest variance first. Moments that are not finite
// or vanish give the coordinate axes.
Matrix3 principal_axes(const SurfaceMoments& moments);

}  // namespace toccata
