#pragma once
// Which parts of a surface are worth looking at as regions without contact in themselves. Nothing here is
// proven: a proposal that turns out wrong costs time, never an answer.
#include <array>
#include <cstdint>
#include <vector>

#include "ccd/deformable/clusters/cluster_mesh.hpp"

namespace toccata::deformable::clusters {

struct ProposedRegion {
  std::array<std::int32_t, 2> patches;  // the second is -1: one alone
  // Loops, as ContourTester takes them; none where the region is not worth a test, or has no simple contour.
  std::vector<std::int32_t> contour;
};

// The patches of the clusters (ClusterMesh::patch_of), in their order, and pairs of neighbours.
std::vector<ProposedRegion> propose_regions(const Topology& topology, const ClusterMesh& mesh);

}  // namespace toccata::deformable::clusters
