#pragma once
// Which clusters have which vertices in common: ClusterMesh::neighbours and what belongs to them.
#include <cstdint>
#include <vector>

#include "ccd/deformable/clusters/cluster_mesh.hpp"

namespace toccata::deformable::clusters {

// threads as everywhere.
void find_neighbours(const Topology& topology, int threads, ClusterMesh& mesh);

// moved: by cluster, 1 where its neighbours are looked for again. Pairs of clusters that stayed where they
// were keep their lists.
void repair_neighbours(const Topology& topology, const std::vector<std::uint8_t>& moved, ClusterMesh& mesh);

}  // namespace toccata::deformable::clusters
