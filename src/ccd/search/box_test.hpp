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
                      PendingGroup& group, bool is_fresh);

// What box_steps needs for a group.
inline BoxTest box_test(const BoxTestState& state, const BoxTree* const trees[2], PendingGroup& group,
                        bool is_fresh) {
  const int side = group.side;
  return {&state.view[side],
          &trees[side]->node(group.node),
          &trees[1 - side]->node(group.other / box_width),
          group.other % box_width,
          &group,
          is_fresh};
}

// box_steps for a group. Half spaces must be at rest.
inline void test_boxes(const BoxTestState& state, const BoxTree* const trees[2], const BoxTestLimits& limits,
                       PendingGroup& group, bool is_fresh) {
  if (trees[0]->plane || trees[1]->plane) return test_above_plane(state, trees, limits, group, is_fresh);
  box_steps(box_test(state, trees, group, is_fresh), limits);
}

}  // namespace toccata::search
