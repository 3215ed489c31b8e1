#include "ccd/rigid/touching_triangles.hpp"

#include <algorithm>

#include "ccd/rigid/box_test.hpp"

namespace toccata {
namespace {

struct Pending {
  float gap;
  BoxId a;
  BoxId b;
  bool operator<(const Pending& other) const { return gap > other.gap; }  // the deepest last
};

// For gaps alone: what moves is left out.
PairState places_of(const PairState& moving) {
  PairState still;
  still.time = moving.time;
  still.gap_padding = moving.gap_padding;
  for (int side = 0; side < 2; ++side) {
    still.view[side].rotation = moving.view[side].rotation;
    still.view[side].translation = moving.view[side].translation;
    still.view[side].other.place = moving.view[side].other.place;
    still.pose[side] = moving.pose[side];
  }
  return still;
}

}  // namespace

std::vector<NearestTriangles> touching_triangles(const PairState& state, const RigidShapeData& a,
                                                 const RigidShapeData& b, double distance, std::size_t most,
                                                 QueryStats& stats) {
  std::vector<NearestTriangles> pairs;
  if (a.tree.nodes.empty() || b.tree.nodes.empty()) return pairs;
  const BoxTree* const trees[2] = {&a.tree, &b.tree};
  const double reach = distance + state.gap_padding;
  BoxTestState places;
  places.set(places_of(state));
  // Depth first, the deepest child next: bodies that lie flat on each other have too many pairs to order.
  std::vector<Pending> stack = {{0.0F, 0, 0}};
  while (!stack.empty() && pairs.size() < most) {
    const Pending pair = stack.back();
    stack.pop_back();
    const std::int32_t child_a = child_of(a.tree, pair.a), child_b = child_of(b.tree, pair.b);
    if (child_a < 0 && child_b < 0) {
      ++stats.triangle_pairs;
      const double d = triangle_distance_at(state, a, ~child_a, b, ~child_b);
      if (d <= reach) pairs.push_back({d, ~child_a, ~child_b});
      continue;
    }
    const OpenedPair opened(places, trees, pair.a, pair.b);
    stats.node_pairs += opened.count;
    const auto first = static_cast<std::ptrdiff_t>(stack.size());
    for (std::int32_t k = 0; k < opened.count; ++k) {
      if (static_cast<double>(opened.gaps[k]) <= reach)
        stack.push_back({opened.gaps[k], opened.child_a(k), opened.child_b(k)});
    }
    std::stable_sort(stack.begin() + first, stack.end());
  }
  return pairs;
}

}  // namespace toccata
