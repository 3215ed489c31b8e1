#pragma once
// How clusters are laid out in the arrays of a ClusterMesh: shared by building them and by repairing some.
#include <span>

#include "ccd/deformable/clusters/cluster_mesh.hpp"

namespace toccata::deformable::clusters {

// Appends clusters, one at a time.
class ClusterWriter {
 public:
  ClusterWriter(const Topology& topology, ClusterMesh& mesh)
      : topology_(topology),
        mesh_(mesh),
        stamp_(static_cast<std::size_t>(topology.vertex_count), 0),
        local_(static_cast<std::size_t>(topology.vertex_count), 0) {}

  // The cluster of these faces that owns these vertices and edges. Its boxes have no place yet.
  Cluster write(ClusterKind kind, std::span<const std::int32_t> owned, std::span<const std::int32_t> faces,
                std::span<const std::int32_t> edges);

 private:
  std::uint8_t local(std::int32_t vertex);
  void begin_vertices(std::span<const std::int32_t> owned);
  void add_faces(std::span<const std::int32_t> faces);
  void add_edges(std::span<const std::int32_t> edges);
  void find_incidence();
  void find_disjoint_edges();

  const Topology& topology_;
  ClusterMesh& mesh_;
  std::vector<std::int32_t> stamp_, local_;
  std::int32_t now_ = 0;
  Cluster cluster_;
};

// Component and object of a cluster, -1 where mixed.
void find_membership(const Topology& topology, const ClusterMesh& mesh, Cluster& cluster);

// Gives every cluster a place in ClusterBoxes::features.
void place_boxes(ClusterMesh& mesh);

struct ClusterLabels {
  std::vector<std::int32_t> points;  // by position in Topology::points
  std::int32_t face_clusters = 0, wire_clusters = 0, total = 0;
};

// Labels wires (mesh.wire_cluster) and points with clusters that follow labels.face_clusters.
void label_wires_and_points(const Topology& topology, const Step& step, ClusterMesh& mesh,
                            ClusterLabels& labels);

}  // namespace toccata::deformable::clusters
