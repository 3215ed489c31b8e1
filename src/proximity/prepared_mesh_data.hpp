#pragma once
// What a PreparedMesh holds.
#include <mutex>

#include "hierarchy/box_tree.hpp"
#include "toccata/elementary/triangle.hpp"
#include "toccata/proximity/prepared_mesh.hpp"

namespace toccata {

struct PreparedMeshData {
  TriangleMesh mesh;
  BoxTree tree;
  Vector3 center = Vector3::Zero();    // of the bounding box: the tree's origin
  double radius = 0.0;                 // |coordinate - center| of any vertex of a face is at most this
  mutable std::once_flag closed_once;  // found on first use: only containment needs it
  mutable bool is_closed = false;
};

inline Triangle world_triangle(const PlacedMesh& placed, std::int32_t triangle) {
  return transformed(placed.pose, triangle_of(placed.mesh.data().mesh, static_cast<std::size_t>(triangle)));
}

// Upper bound of how far any rounded world coordinate of a placed mesh, and its transformation into the frame
// of another mesh's tree, can be from real arithmetic: fewer than 32 roundings of the lengths on the way.
double placement_error(const PlacedMesh& a, const PlacedMesh& b);

// From the tree frame of `from` (relative to its centre) to that of `to`.
Pose between_trees(const PlacedMesh& from, const PlacedMesh& to);

}  // namespace toccata
