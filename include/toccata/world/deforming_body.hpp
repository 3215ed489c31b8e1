#pragma once
// A mesh that deforms: every corner goes straight from where it is at t = 0 to where it is at t = 1. A
// surface: what is inside it is apart from it.
#include <span>
#include <vector>

#include "toccata/base/vector.hpp"
#include "toccata/geometry/triangle_mesh.hpp"

namespace toccata {

struct DeformingBody {
  TriangleMesh mesh;                  // at t = 0, world coordinates
  std::vector<Vector3> positions_t1;  // of the same corners
};

// Its mesh at t, each corner right to a few roundings.
TriangleMesh mesh_at(const DeformingBody& body, double t);

}  // namespace toccata
