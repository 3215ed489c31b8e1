#pragma once
// A box around the origin, for the examples.
#include "toccata/geometry/triangle_mesh.hpp"

inline toccata::TriangleMesh box(double x, double y, double z) {
  toccata::TriangleMesh mesh;
  for (int i = 0; i < 8; ++i) {
    mesh.vertices.push_back({(i & 4) ? x / 2 : -x / 2, (i & 2) ? y / 2 : -y / 2, (i & 1) ? z / 2 : -z / 2});
  }
  mesh.faces = {{0, 1, 3}, {0, 3, 2}, {4, 6, 7}, {4, 7, 5}, {0, 4, 5}, {0, 5, 1},
                {2, 3, 7}, {2, 7, 6}, {0, 2, 6}, {0, 6, 4}, {1, 5, 7}, {1, 7, 3}};
  return mesh;
}
