#pragma once
// A tree that was built before: read back instead of built again.
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hierarchy/shape_data.hpp"

namespace toccata {

// While it lives, the next tree of boxes that this thread would build for a shape is this one. A shape is
// then made like any other; that the tree is one over its pieces is asked with failure_of_tree before it is
// used.
class GivenTree {
 public:
  explicit GivenTree(std::vector<BoxNode> nodes);
  ~GivenTree();
  GivenTree(const GivenTree&) = delete;
  GivenTree& operator=(const GivenTree&) = delete;

  // The nodes, once; none if nothing was given.
  static std::optional<std::vector<BoxNode>> take();

 private:
  std::vector<BoxNode> nodes_;
};

// Whether all boxes of these nodes are of finite numbers.
bool are_finite(std::span<const BoxNode> nodes);

// Whether walking the tree is safe, if its nodes are finite: every piece of the shape is in one leaf, every
// node below one other. Why not, for a person; none if it is. That boxes hold their pieces is not looked at.
std::optional<std::string> failure_of_tree(const ShapeData& shape);

}  // namespace toccata
