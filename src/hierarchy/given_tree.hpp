#pragma once
// A tree that was built before: read back instead of built again.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hierarchy/shape_data.hpp"

namespace toccata {

struct GivenParts {
  BoxNodes nodes;
  MeshView mesh;                            // sound, and instead of an empty one, if somebody keeps it
  std::shared_ptr<const void> mesh_keeper;  // where it lies
};

// While it lives, the next tree of boxes that this thread would build for a shape is this one. A shape is
// then made like any other; that the tree is one over its pieces is asked with failure_of_tree before it is
// used.
class GivenTree {
 public:
  explicit GivenTree(GivenParts parts);
  ~GivenTree();
  GivenTree(const GivenTree&) = delete;
  GivenTree& operator=(const GivenTree&) = delete;

  // Once; none if nothing was given.
  static std::optional<GivenParts> take();

 private:
  GivenParts parts_;
};

// Sees that nodes are a tree while they come by, in order; no is not a proof: failure_of_tree says.
class TreeGlance {
 public:
  // Room for the nodes and for as many pieces as they have children.
  explicit TreeGlance(std::size_t nodes) : nodes_(nodes), seen_((1 + box_width) * nodes + 1, 0) {
    seen_[0] = 1;
  }

  void take(std::span<const BoxNode> next);
  // All were taken, the first has one child, each piece is in one leaf, each node below one before it, and
  // there are few levels.
  bool is_tree_over(std::size_t pieces) const;

 private:
  static constexpr std::uint8_t most_levels = 250;

  std::size_t nodes_;
  std::vector<std::uint8_t> seen_;  // the level of nodes and then of pieces, from 1; 0 until they are seen
  std::size_t taken_ = 0, children_ = 0;
  bool is_sound_ = true;
};

// Whether walking the tree is safe, if its nodes are finite: every piece of the shape is in one leaf, every
// node below one other. Why not, for a person; none if it is. That boxes hold their pieces is not looked at.
std::optional<std::string> failure_of_tree(const ShapeData& shape);

}  // namespace toccata
