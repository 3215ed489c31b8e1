#pragma once
// Pairs of boxes of two trees at one state of their bodies.
#include "ccd/rigid/box_steps.hpp"
#include "ccd/rigid/pair_state.hpp"

namespace toccata {

// A state as the box tests need it, from the frame of either body.
struct BoxTestState {
  void set(const PairState& state);

  BoxView view[2];
};

// box_steps for a group, `side` being that of its node.
inline void test_boxes(const BoxTestState& state, const BoxTree* const trees[2], const BoxTestLimits& limits,
                       PendingGroup& group) {
  const int side = group.side;
  box_steps(state.view[side], trees[side]->nodes[group.node], trees[1 - side]->nodes[group.other / box_width],
            group.other % box_width, limits, group);
}

inline std::int32_t child_of(const BoxTree& tree, BoxId id) {
  return tree.nodes[id / box_width].child[id % box_width];
}

// How large a box is, for the choice which of two to open.
inline float extent_of(const BoxTree& tree, BoxId id) {
  const BoxNode& node = tree.nodes[id / box_width];
  const auto slot = id % box_width;
  return node.half[0][slot] + node.half[1][slot] + node.half[2][slot];
}

// Two boxes, not both of one triangle, the larger of them replaced by its children, with the gaps at one
// time.
struct OpenedPair {
  OpenedPair(const BoxTestState& state, const BoxTree* const trees[2], BoxId a, BoxId b);

  BoxId child_a(std::int32_t k) const { return side == 0 ? child(k) : other; }
  BoxId child_b(std::int32_t k) const { return side == 0 ? other : child(k); }

  int side;  // of the box that was opened
  BoxId node;
  BoxId other;
  std::int32_t count;
  float gaps[box_width];

 private:
  BoxId child(std::int32_t k) const { return node * box_width + static_cast<BoxId>(k); }
};

}  // namespace toccata
