#pragma once
// A binary tree of oriented boxes in double precision, one triangle per leaf: what the interval and the screw
// method walk.
#include "hierarchy/volume_tree.hpp"
#include "toccata/bound/obb.hpp"

namespace toccata {

struct ObbTree {
  Topology topology;
  hierarchy::VolumeTree<Obb> boxes;

  explicit ObbTree(const ShapeData& mesh) : ObbTree(mesh, hierarchy::binary_tree_of(mesh)) {}

 private:
  ObbTree(const ShapeData& mesh, const hierarchy::BinaryTree& tree)
      : topology(tree.topology), boxes(mesh, tree, fit_obb) {}
};

// Built on first use.
inline const ObbTree& obb_tree_of(const ShapeData& shape) {
  return shape.boxes.get<ObbTree>([&] { return ObbTree(shape); });
}

}  // namespace toccata
