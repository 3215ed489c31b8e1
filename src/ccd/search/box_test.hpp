#pragma once
// Pairs of boxes of two trees at one state of their bodies.
#include "ccd/search/box_steps.hpp"
#include "ccd/search/pair_state.hpp"

namespace toccata::search {

// A state as the box tests need it, from the frame of either body.
struct BoxTestState {
  void set(const PairState& state);

  BoxView view[2];
};

// For a group of boxes and a half space.
void test_above_plane(const BoxTestState& state, const BoxTree* const trees[2], const BoxTestLimits& limits,
                      PendingGroup& group);

// box_steps for a group, `side` being that of its node.
// Half spaces must be at rest.
inline void test_boxes(const BoxTestState& state, const BoxTree* const trees[2], const BoxTestLimits& limits,
                       PendingGroup& group) {
  if (trees[0]->plane || trees[1]->plane) return test_above_plane(state, trees, limits, group);
  const int side = group.side;
  box_steps(state.view[side], trees[side]->node(group.node), trees[1 - side]->node(group.other / box_width),
            group.other % box_width, limits, group);
}

}  // namespace toccata::search
