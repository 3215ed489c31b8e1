#pragma once
// Pairs of boxes of two trees at one state of their bodies: what box_steps needs, gathered.
#include "ccd/rigid/box_steps.hpp"
#include "ccd/rigid/pair_state.hpp"

namespace toccata {

struct BoxTestLimits {
  double distance = 0.0;   // apart means further apart than this
  float near_step = 0.0F;  // see BoxStepsInput
  float enough = 0.0F;
};

// The children of `node` of tree `side` against the box `other` of the other tree: steps and gaps as
// box_steps gives them.
void test_boxes(const PairState& state, const BoxTree* const trees[2], int side, BoxId node, BoxId other,
                const BoxTestLimits& limits, float* steps, float* gaps);

inline std::int32_t child_of(const BoxTree& tree, BoxId id) {
  return tree.nodes[id / box_width].child[id % box_width];
}

// How large a box is, for the choice which of two to open.
inline float extent_of(const BoxTree& tree, BoxId id) {
  const BoxNode& node = tree.nodes[id / box_width];
  const auto slot = id % box_width;
  return node.half[0][slot] + node.half[1][slot] + node.half[2][slot];
}

// Not below x, a few roundings above.
inline float rounded_up(double x) {
  return static_cast<float>(x * (1.0 + 0x1p-20));
}

}  // namespace toccata
