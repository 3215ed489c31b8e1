#pragma once
// Up to eight triangles as columns, and the distances of one point from all of them.
#include <cstdint>

#include "toccata/base/vector.hpp"

namespace toccata::point_distance {

struct TriangleColumns {
  static constexpr int width = 8;

  alignas(64) double corner[3][3][width] = {};  // corner[i][coordinate][column], relative to the point
  int count = 0;

  void clear() { count = 0; }
  bool full() const { return count == width; }
  void add(const Vector3& a, const Vector3& b, const Vector3& c, const Vector3& point) {
    for (int k = 0; k < 3; ++k) {
      corner[0][k][count] = a[k] - point[k];
      corner[1][k][count] = b[k] - point[k];
      corner[2][k][count] = c[k] - point[k];
    }
    ++count;
  }
};

// low[i] <= distance <= high[i] of column i, for triangles of any shape. They are 2e-12 of its corners'
// distances apart, but for needles (the sine between two sides below 1e-3), where it is their inner radius.
//
// The distance is the least of those to the three edges and, where the foot lies inside, the one to the
// plane. That of an edge is right to 16 u of its ends' distances (u = 2^-53). The normal of a plane is right
// to 4 u / sine of itself, so that the distance to it is to 1e-12 of the corners'. Nothing inside a triangle
// is farther from its edges than the inner radius, twice the area over the perimeter.
void point_triangle_brackets(const TriangleColumns& triangles, double* low, double* high);

}  // namespace toccata::point_distance
