#pragma once
// A pair of boxes of two trees, and what it is replaced by: the children of the larger one.
#include "hierarchy/box_tree.hpp"

namespace toccata {

// >= 0: a node; < 0: ~piece. Asked for every pair of boxes: a call costs as much as the answer.
[[gnu::always_inline]] inline std::int32_t child_of(const BoxTree& tree, BoxId id) {
  return tree.node(id / box_width).child[id % box_width];
}

// How large a box is, for the choice which of two to open.
inline float extent_of(const BoxTree& tree, BoxId id) {
  const BoxNode& node = tree.node(id / box_width);
  const auto slot = id % box_width;
  return node.half[0][slot] + node.half[1][slot] + node.half[2][slot];
}

// Of two boxes the larger is opened, of equals the first. A box of one piece cannot be opened.
// precondition: not both hold one piece.
inline bool opens_first(const BoxTree& first, BoxId a, const BoxTree& second, BoxId b) {
  return child_of(second, b) < 0 || (child_of(first, a) >= 0 && extent_of(first, a) >= extent_of(second, b));
}

// Two boxes, not both of one piece, one of them replaced by its children, with a bound for each new pair.
struct OpenedPair {
  int side = 0;  // of the box that was opened
  BoxId node = 0;
  BoxId other = 0;
  std::int32_t count = 0;
  float bounds[box_width];

  BoxId child_a(std::int32_t k) const { return side == 0 ? child(k) : other; }
  BoxId child_b(std::int32_t k) const { return side == 0 ? other : child(k); }

 private:
  BoxId child(std::int32_t k) const { return node * box_width + static_cast<BoxId>(k); }
};

// Opens a's box or b's. `bound_children(side, node, theirs, slot, bounds)` bounds the children of `node`, of
// tree `side`, against child `slot` of the other tree's node `theirs`.
template <typename BoundChildren>
OpenedPair opened_pair(const BoxTree* const trees[2], BoxId a, BoxId b, bool opens_a,
                       BoundChildren&& bound_children) {
  OpenedPair opened;
  opened.side = opens_a ? 0 : 1;
  opened.node = static_cast<BoxId>(opens_a ? child_of(*trees[0], a) : child_of(*trees[1], b));
  opened.other = opens_a ? b : a;
  const BoxNode& node = trees[opened.side]->node(opened.node);
  opened.count = node.count;
  bound_children(opened.side, node, trees[1 - opened.side]->node(opened.other / box_width),
                 opened.other % box_width, opened.bounds);
  return opened;
}

}  // namespace toccata
