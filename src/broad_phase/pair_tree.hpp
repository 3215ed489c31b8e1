#pragma once
// An eight-wide tree of axis-aligned boxes over many bodies: built along a space-filling curve, refitted when
// they move, asked for what overlaps a box.
#include <cstdint>
#include <span>
#include <vector>

#include "toccata/broad_phase/overlapping_pairs.hpp"

namespace toccata::broad_phase {

inline constexpr int tree_width = 8;

// The boxes of up to eight children, rounded outwards; the missing ones are NaN and overlap nothing.
struct alignas(32) TreeNode {
  float low[3][tree_width];
  float high[3][tree_width];
};

class PairTree {
 public:
  // boxes: none is empty. ids: which of them.
  void build(std::span<const Aabb> boxes, std::span<const std::int32_t> ids);
  // The same ids after their boxes have changed. Answers stay right, but slow down as bodies mix.
  void refit(std::span<const Aabb> boxes);
  // One of the ids after its box has changed.
  void refit(std::int32_t id, const Aabb& box);

  bool contains(std::int32_t id) const {
    return static_cast<std::size_t>(id) < place_.size() && place_[static_cast<std::size_t>(id)] >= 0;
  }

  // Appends the ids whose rounded boxes overlap that of `box`.
  void overlapping(const Aabb& box, std::vector<std::int32_t>& ids) const;
  // Appends each pair of the tree once, by the boxes themselves, in no particular order.
  void pairs(std::span<const Aabb> boxes, int threads, std::vector<IndexPair>& pairs) const;

 private:
  // Level 0 has the bodies eight to a node, in the order of `order_`; the children of node i of level k + 1
  // are the nodes 8 i .. 8 i + 7 of level k. The last level is one node.
  std::vector<std::vector<TreeNode>> levels_;
  std::vector<std::int32_t> order_;
  std::vector<std::int32_t> place_;  // of an id in order_; -1 for those that are not there

  void set_leaf(std::size_t place, const Aabb& box);
  void set_parent(std::size_t level, std::size_t node);
  template <typename Visit>
  void visit(const float* low, const float* high, std::size_t first_leaf, Visit&& visit) const;
};

}  // namespace toccata::broad_phase
