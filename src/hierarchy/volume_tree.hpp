#pragma once
// Binary trees of other volumes than the default method's, made from its tree of boxes: the same triangles go
// together, and volumes lie along the axes of the boxes. A fifth of the time of a tree from nothing
// (Hierarchy), which looks for axes at every node.
#include <cstdint>
#include <span>
#include <vector>

#include "hierarchy/shape_data.hpp"
#include "toccata/base/parallel.hpp"
#include "toccata/hierarchy/topology.hpp"

namespace toccata::hierarchy {

// One triangle per leaf.
struct BinaryTree {
  Topology topology;
  std::vector<Matrix3> axes;  // of each node, orthonormal to 1e-15, the longest first for the most part
};

// Empty where the shape has no triangles.
// precondition: the shape is a mesh
BinaryTree binary_tree_of(const ShapeData& mesh);

// The vertices of some triangles, each once. Holds until this thread asks again.
std::span<const Vector3> points_of(const MeshView& mesh, std::span<const std::int32_t> triangles);

template <typename Volume>
class VolumeTree {
 public:
  struct Node {
    Volume volume;
    std::int32_t first = 0;  // the node covers order()[first .. first + count)
    std::int32_t count = 0;
    std::int32_t right = -1;  // right child; the left child is the next node; -1: a leaf

    bool is_leaf() const { return right < 0; }
  };

  // fit_along(points, axes) is a Volume.
  template <typename FitAlong>
  VolumeTree(const ShapeData& mesh, const BinaryTree& tree, FitAlong&& fit_along)
      : nodes_(tree.topology.nodes.size()), order_(tree.topology.order) {
    parallel_blocks(nodes_.size(), 64, 0, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const Topology::Node& node = tree.topology.nodes[i];
        const std::span triangles(order_.data() + node.first, static_cast<std::size_t>(node.count));
        nodes_[i] = {fit_along(points_of(mesh.mesh, triangles), tree.axes[i]), node.first, node.count,
                     node.right};
      }
    });
  }

  bool empty() const { return nodes_.empty(); }
  const std::vector<Node>& nodes() const { return nodes_; }  // depth-first; 0 is the root
  const std::vector<std::int32_t>& order() const { return order_; }

 private:
  std::vector<Node> nodes_;
  std::vector<std::int32_t> order_;
};

}  // namespace toccata::hierarchy
