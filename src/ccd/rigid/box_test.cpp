#include "ccd/rigid/box_test.hpp"

namespace toccata {
namespace {

void put(double* to, const Vector3& from) {
  for (int k = 0; k < 3; ++k) to[k] = from[k];
}

void put_view(const PairState& state, int side, BoxView& view) {
  const FrameView& from = state.view[side];
  for (int k = 0; k < 3; ++k) {
    for (int l = 0; l < 3; ++l) {
      view.rotation[k][l] = from.rotation(k, l);
      view.float_rotation[k][l] = static_cast<float>(from.rotation(k, l));
    }
  }
  put(view.translation, from.translation);
  put(view.velocity, from.own.velocity - from.other.velocity);
  put(view.own.spin, from.own.spin);
  put(view.own.turning, from.own.velocity - from.own.drift);
  put(view.other.spin, from.other.spin);
  put(view.other.turning, from.other.velocity - from.other.drift);
  view.own.bound = state.turn[side];
  view.other.bound = state.turn[1 - side];
  view.acceleration = state.acceleration;
  view.gap_padding = state.gap_padding;
  view.rate_padding = state.rate_padding;
}

}  // namespace

void BoxTestState::set(const PairState& state) {
  for (int side = 0; side < 2; ++side) put_view(state, side, view[side]);
}

OpenedPair::OpenedPair(const BoxTestState& state, const BoxTree* const trees[2], BoxId a, BoxId b) {
  const std::int32_t child_a = child_of(*trees[0], a), child_b = child_of(*trees[1], b);
  const bool open_a = child_b < 0 || (child_a >= 0 && extent_of(*trees[0], a) >= extent_of(*trees[1], b));
  side = open_a ? 0 : 1;
  node = static_cast<BoxId>(open_a ? child_a : child_b);
  other = open_a ? b : a;
  const BoxNode& opened = trees[side]->nodes[node];
  count = opened.count;
  box_gaps(state.view[side], opened, trees[1 - side]->nodes[other / box_width], other % box_width, gaps);
}

}  // namespace toccata
