#pragma once
// The vector kernels of the Clusters pipeline. Each exists for every instruction set of the processor family
// and is chosen at run time; they compare and select only, so all of them give the same pairs.
#include <array>
#include <cstddef>
#include <cstdint>

#include "ccd/deformable/clusters/cluster_boxes.hpp"
#include "ccd/deformable/clusters/cluster_mesh.hpp"
#include "impact/narrow_kernels.hpp"

namespace toccata::deformable::clusters {

using impact::cubic_kind_count;
using impact::CubicKind;

struct IndexPair {
  std::int32_t first;
  std::int32_t second;
};

// Room for everything one pair of clusters can emit, several times over.
inline constexpr std::size_t pair_buffer_capacity = 12288;
inline constexpr std::size_t pair_buffer_margin = 64 * 64 + 2 * feature_lanes;

struct PairBuffer {
  std::size_t size = 0;
  std::int64_t before_spread_axes = 0;  // pairs that the cardinal axes left since this was last reset
  std::int32_t first[pair_buffer_capacity + 16];
  std::int32_t second[pair_buffer_capacity + 16];
  bool is_nearly_full() const { return size + pair_buffer_margin > pair_buffer_capacity; }
};

// Candidates of one kind that may meet, by what is known of their cubic over the step (CubicKind).
struct MeetingPairs {
  std::size_t count = 0;
  std::int32_t first[pair_buffer_capacity + 16];
  std::int32_t second[pair_buffer_capacity + 16];
};

// The candidates of a run of cluster pairs, by FeaturePairKind.
struct PairBuffers {
  PairBuffer kinds[4];
  MeetingPairs meeting[cubic_kind_count];  // working memory of drop_apart
  bool is_nearly_full() const {
    return kinds[0].is_nearly_full() || kinds[1].is_nearly_full() || kinds[2].is_nearly_full() ||
           kinds[3].is_nearly_full();
  }
};

struct KernelContext {
  const Topology* topology;
  const ClusterMesh* mesh;
  const ClusterBoxes* boxes;
  Thresholds thresholds;
  GridThresholds grid_thresholds;
  DeformableStages stages;
  bool at_distance = false;  // asked for a minimum distance
};

// Boxes of clusters [begin, end) on all axes, from boxes.points.
void fit_clusters(const ClusterMesh& mesh, std::size_t begin, std::size_t end, ClusterBoxes& boxes);

// Frames of clusters [begin, end) on boxes.grid, and their features in these.
void fit_features(const ClusterMesh& mesh, std::size_t begin, std::size_t end, const ClusterBoxes& boxes);

// Children of two blocks of a level whose boxes may meet during the step, as positions in the level; for a
// block with itself each pair once, i <= j. Returns the number written (at most 256).
std::size_t expand_blocks(const KernelContext& context, const ClusterBoxes::Level& level,
                          std::int32_t block_a, std::int32_t block_b, IndexPair* out);

// Keeps the pairs of clusters, given by position, that no spread axis separates; pairs of a cluster with
// itself stay.
std::size_t keep_by_spread_axes(const KernelContext& context, IndexPair* pairs, std::size_t count);

// Candidate feature pairs of pairs of clusters, given by position, as global ids, symmetric ones in any
// order: by clipping, by the cardinal axes (one feature against a vector of others), by having no vertex in
// common, by the spread axes. Stops before a buffer overflows; returns the number of pairs of clusters done.
std::size_t collect_feature_pairs(const KernelContext& context, const IndexPair* pairs, std::size_t count,
                                  PairBuffers& out);

// The candidates among `pairs`, vertex-face or edge-edge, that single precision does not prove apart: one
// list per CubicKind. At a distance: not farther apart than that, and all of them Unknown.
void drop_apart(const KernelContext& context, FeaturePairKind kind, PairBuffer& pairs, MeetingPairs* out);

// A direction with entries of at most 1.
using NormalAxis = std::array<float, 3>;

// Along which of the axes, bits of `wanted`, the normals of these faces are proven to stay during the boxes'
// step, on their side of the plane across it: their three control vectors are.
std::uint32_t normals_along(const ClusterBoxes& boxes, const Face* faces, const std::int32_t* ids,
                            std::size_t count, const NormalAxis* axes, std::uint32_t wanted);
// The same of the faces of a cluster.
std::uint32_t normals_along(const ClusterBoxes& boxes, const ClusterMesh& mesh, const Cluster& cluster,
                            const NormalAxis* axes, std::uint32_t wanted);

// Asks the memory for what the first of these pairs need, while another list is worked on.
void prefetch_first_pairs(const KernelContext& context, const IndexPair* pairs, std::size_t count);

}  // namespace toccata::deformable::clusters
