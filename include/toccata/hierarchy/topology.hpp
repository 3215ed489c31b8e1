#pragma once
// Which triangles go together: a binary tree over the triangles of a mesh, by the surface-area heuristic.
#include <cstdint>
#include <vector>

#include "toccata/geometry/triangle_mesh.hpp"

namespace toccata {

struct HierarchyOptions {
  int leaf_size = 1;  // most triangles in a leaf
  int threads = 0;    // 0 = all cores; the result does not depend on it
};

// Nodes in depth-first order: the left child of an inner node follows it. Node 0 is the root; a mesh without
// triangles has no node. Every node covers the triangles order[first .. first + count).
struct Topology {
  struct Node {
    std::int32_t first = 0;
    std::int32_t count = 0;
    std::int32_t right = -1;  // index of the right child; -1: a leaf
    float half_area = 0.0f;   // of the axis-aligned box around the node's triangles
  };
  std::vector<Node> nodes;
  std::vector<std::int32_t> order;  // triangle ids
};

// Splits where (area x count) summed over both sides is least, among 16 bins of the triangles' centres along
// each axis. Triangles that share one centre are halved by id. O(n log n).
Topology build_topology(const TriangleMesh& mesh, const HierarchyOptions& options = {});

}  // namespace toccata
