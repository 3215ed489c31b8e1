#pragma once
// Orphans (Tang et al., ICCD, V.D-E): pairs of features without a common vertex that no two non-adjacent
// elements hold, so that no test between non-adjacent elements reaches them. They depend on the
// connectivity only: computed once, and repaired around the changes.
#include <cstdint>
#include <vector>

#include "ccd/deformable/connectivity/element_mesh.hpp"

namespace toccata::deformable::connectivity {

struct OrphanSet {
  // (vertex, face) and (edge, edge) with the smaller id first; sorted.
  std::vector<std::array<std::int32_t, 2>> vertex_face;
  std::vector<std::array<std::int32_t, 2>> edge_edge;

  std::size_t memory_bytes() const {
    return (vertex_face.capacity() + edge_edge.capacity()) * sizeof(vertex_face[0]);
  }
};

OrphanSet find_orphans(const ElementMesh& mesh, const Topology& topology, int threads);

// The orphans after a change, from those before: pairs whose surroundings did not change are kept, the
// others are searched again.
OrphanSet repair_orphans(const OrphanSet& before, const ElementMesh& mesh_before, const ElementMesh& mesh,
                         const Topology& topology, const TopologyChange& change, int threads);

}  // namespace toccata::deformable::connectivity
