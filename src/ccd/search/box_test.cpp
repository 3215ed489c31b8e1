#include "ccd/search/box_test.hpp"

namespace toccata::search {
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

}  // namespace toccata::search
