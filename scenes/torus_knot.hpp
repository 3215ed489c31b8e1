#pragma once
// A (p, q) torus knot as a closed tube.
#include "toccata/geometry/triangle_mesh.hpp"

namespace toccata::scenes {

struct TorusKnotOptions {
  int p = 2;                    // turns around the axis
  int q = 3;                    // turns around the core circle
  int along = 240;              // segments along the knot
  int around = 24;              // segments around the tube
  double core_radius = 1.0;     // of the torus
  double winding_radius = 0.4;  // distance of the knot from the core circle
  double tube_radius = 0.14;
};

// 2 * along * around triangles.
TriangleMesh torus_knot(const TorusKnotOptions& options = {});

}  // namespace toccata::scenes
