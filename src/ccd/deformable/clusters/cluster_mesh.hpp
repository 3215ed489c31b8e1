#pragma once
// Who owns which feature: faces, wires and free points are grouped into small clusters, and every edge and
// every vertex is owned by exactly one cluster that has it. A pair of features then belongs to exactly one
// pair of clusters, so each is looked at once, and one tree over the clusters serves both kinds of tests.
#include <array>
#include <cstdint>
#include <vector>

#include "ccd/deformable/clusters/face_patches.hpp"
#include "ccd/deformable/pipeline.hpp"

namespace toccata::deformable::clusters {

inline constexpr std::int32_t cluster_capacity = 32;  // faces, wires or points of a cluster
inline constexpr std::int32_t feature_lanes = 32;     // feature lists are padded to a multiple of this
inline constexpr std::int32_t max_local_vertices = 64, max_local_edges = 64;
// Local index that padding slots point to; it has no vertex.
inline constexpr std::uint8_t empty_local = max_local_vertices;
// The owned vertices are the first local ones: slot i is local vertex i.
inline constexpr auto every_local = [] {
  std::array<std::uint8_t, 64> table{};
  for (std::size_t i = 0; i < table.size(); ++i) {
    table[i] = static_cast<std::uint8_t>(i < max_local_vertices ? i : empty_local);
  }
  return table;
}();

enum class ClusterKind : std::uint8_t { Faces, Wires, Points };

struct Cluster {
  std::int32_t vertex_begin =
      0;                        // into ClusterMesh::vertices: all vertices of its features, owned ones first
  std::int32_t face_begin = 0;  // into faces and face_corners, padded slots
  std::int32_t edge_begin = 0;  // into edges and edge_ends, padded slots
  std::int32_t slot_begin = 0;  // into owned: the owned vertices in padded slots
  std::int32_t disjoint_begin = 0;     // into disjoint_edges
  std::int64_t box_begin[2] = {0, 0};  // into ClusterBoxes::features, if not swept and if swept
  std::int32_t component = -1;         // of all its vertices; -1 where mixed
  std::int32_t object = -1;
  std::uint8_t vertex_count = 0;
  std::uint8_t owned_count = 0;
  std::uint8_t face_count = 0;
  std::uint8_t edge_count = 0;
  ClusterKind kind = ClusterKind::Faces;
  bool crowded = false;  // has a vertex that is in more than most_sharing clusters

  static std::int32_t padded(std::int32_t n) {
    return (n + feature_lanes - 1) / feature_lanes * feature_lanes;
  }
  std::int32_t face_slots() const { return padded(face_count); }
  std::int32_t edge_slots() const { return padded(edge_count); }
  std::int32_t owned_slots() const { return padded(owned_count); }
};

// Vertices of more clusters are not listed for pairs of them: their number would grow with its square.
inline constexpr std::size_t most_sharing = 16;

// One vertex in two clusters, by its local indices.
struct SharedVertex {
  std::uint8_t lesser, greater;
};

// A cluster of a greater index that has vertices in common with the cluster in question.
struct Neighbour {
  std::int32_t cluster;
  std::int32_t shared_begin;  // up to that of the next one
};

struct ClusterMesh {
  std::vector<Cluster> clusters;
  std::vector<std::int32_t> vertices;
  std::vector<std::uint64_t> vertex_edges;        // beside `vertices`: the cluster's edges there, by slot
  std::vector<std::uint32_t> vertex_faces;        // and its faces
  std::vector<std::int32_t> faces, edges, owned;  // global ids by slot; padding repeats -1
  std::vector<std::uint8_t> face_corners;         // three planes a cluster: [corner][slot], local indices
  std::vector<std::uint8_t> edge_ends;            // two planes a cluster: [end][slot]
  // By cluster, for k = 1 .. edges / 2: the edges (bits, by slot) that have no vertex in common with the one
  // k further on, around the end of the list; each pair once.
  std::vector<std::uint64_t> disjoint_edges;
  std::vector<std::int32_t> neighbour_begin;  // by cluster, and one more
  std::vector<Neighbour> neighbours;          // rising; one more at the end
  std::vector<SharedVertex> shared;
  std::int64_t feature_shorts[2] = {0, 0};               // length of ClusterBoxes::features, the same
  std::vector<std::int32_t> face_cluster, wire_cluster;  // by face, by position in Topology::wires
  // By cluster, the patch (face_patches.hpp) that all its faces are in, or -1; empty once repaired.
  std::vector<std::int32_t> patch_of;

  std::size_t memory_bytes() const;
};

// Median splits of faces, wires and points by their position at t0, one component at a time (components of
// fewer than half a cluster share clusters with others of their kind); the patches of a component, if there
// are any, by themselves.
ClusterMesh build_clusters(const Topology& topology, const Step& step, const FacePatches& patches,
                           int threads);

// Writes only those clusters again that lost or gained a face, an edge or a vertex, or that a new border of
// components cuts: new faces join a cluster at one of their vertices or open a new one. What the others hold
// is renumbered in place. false: too much changed, or too much memory lies fallow; build them all.
bool repair_clusters(const Topology& topology, const TopologyChange& change, const Step& step,
                     ClusterMesh& mesh);

}  // namespace toccata::deformable::clusters
