#pragma once
// A binary tree of bounding volumes over the triangles of a mesh, for any volume of the `bound` stage.
//
// Every node's volume encloses all triangles below it. The same tree shape for all volumes (build_topology),
// so that comparisons compare the volumes alone.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "toccata/base/parallel.hpp"
#include "toccata/bound/volume.hpp"
#include "toccata/hierarchy/topology.hpp"

namespace toccata {

template <typename Volume>
class Hierarchy {
 public:
  struct Node {
    Volume volume;
    std::int32_t first = 0;  // the node covers order()[first .. first + count)
    std::int32_t count = 0;
    std::int32_t right = -1;  // right child; the left child is the next node; -1: a leaf

    bool is_leaf() const { return right < 0; }
  };

  // The mesh is not kept; it must be valid (see validate()).
  explicit Hierarchy(const TriangleMesh& mesh, const HierarchyOptions& options = {})
      : Hierarchy(mesh, build_topology(mesh, options), options.threads) {}

  Hierarchy(const TriangleMesh& mesh, Topology topology, int threads = 0)
      : order_(std::move(topology.order)) {
    nodes_.resize(topology.nodes.size());
    parallel_blocks(nodes_.size(), 64, threads, [&](std::size_t begin, std::size_t end) {
      std::vector<Vector3> points;
      for (std::size_t i = begin; i < end; ++i) {
        const Topology::Node& node = topology.nodes[i];
        points.clear();
        for (std::int32_t k = node.first; k < node.first + node.count; ++k) {
          for (const std::int32_t v : mesh.faces[order_[k]]) points.push_back(mesh.vertices[v]);
        }
        nodes_[i] = {fit<Volume>(points), node.first, node.count, node.right};
      }
    });
  }

  bool empty() const { return nodes_.empty(); }
  const std::vector<Node>& nodes() const { return nodes_; }  // depth-first; 0 is the root
  const std::vector<std::int32_t>& order() const { return order_; }
  std::size_t memory_bytes() const {
    return nodes_.capacity() * sizeof(Node) + order_.capacity() * sizeof(std::int32_t);
  }

 private:
  std::vector<Node> nodes_;
  std::vector<std::int32_t> order_;
};

}  // namespace toccata
