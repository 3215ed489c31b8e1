#include "ccd/rigid/static_pair.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

#include "ccd/rigid/box_test.hpp"
#include "ccd/rigid/triangle_steps.hpp"
#include "toccata/elementary/triangle_triangle.hpp"

namespace toccata {
namespace {

struct Pending {
  float gap;
  BoxId a;
  BoxId b;
  bool operator<(const Pending& other) const { return gap > other.gap; }  // the smallest gap on top of a heap
};

PairState held_still(const PairState& moving) {
  PairState still = moving;
  for (int side = 0; side < 2; ++side) {
    still.turn[side] = {};
    for (VelocityField* field : {&still.view[side].own, &still.view[side].other}) {
      field->velocity = field->spin = field->drift = Vector3::Zero();
    }
  }
  still.acceleration = still.rate_padding = 0.0;
  return still;
}

// Visits pairs of triangles by increasing gap of their boxes, as long as the gap is at most reach().
template <typename Reach, typename Visit>
void visit_near(const PairState& moving, const RigidShapeData& a, const RigidShapeData& b, QueryStats& stats,
                Reach&& reach, Visit&& visit) {
  const BoxTree* const trees[2] = {&a.tree, &b.tree};
  if (a.tree.nodes.empty() || b.tree.nodes.empty()) return;
  BoxTestState state;
  state.set(held_still(moving));
  constexpr float everything = std::numeric_limits<float>::infinity();
  std::vector<Pending> heap = {{-everything, 0, 0}};
  while (!heap.empty()) {
    std::pop_heap(heap.begin(), heap.end());
    const Pending pair = heap.back();
    heap.pop_back();
    if (static_cast<double>(pair.gap) > reach()) return;
    const std::int32_t child_a = child_of(a.tree, pair.a);
    const std::int32_t child_b = child_of(b.tree, pair.b);
    if (child_a < 0 && child_b < 0) {
      ++stats.triangle_pairs;
      visit(~child_a, ~child_b);
      continue;
    }
    const bool open_a =
        child_b < 0 || (child_a >= 0 && extent_of(a.tree, pair.a) >= extent_of(b.tree, pair.b));
    const auto node = static_cast<BoxId>(open_a ? child_a : child_b);
    const int side = open_a ? 0 : 1;
    const BoxId other = open_a ? pair.b : pair.a;
    float gaps[box_width];
    box_gaps(state.view[side], trees[side]->nodes[node], trees[1 - side]->nodes[other / box_width],
             other % box_width, gaps);
    const std::int32_t count = trees[side]->nodes[node].count;
    stats.node_pairs += count;
    for (std::int32_t k = 0; k < count; ++k) {
      if (static_cast<double>(gaps[k]) > reach()) continue;
      const BoxId id = node * box_width + static_cast<BoxId>(k);
      heap.push_back(open_a ? Pending{gaps[k], id, pair.b} : Pending{gaps[k], pair.a, id});
      std::push_heap(heap.begin(), heap.end());
    }
  }
}

}  // namespace

std::array<Vector3, 3> corners_of(const RigidShapeData& shape, std::int32_t triangle) {
  const Face& f = shape.mesh.faces[static_cast<std::size_t>(triangle)];
  return {shape.mesh.vertices[static_cast<std::size_t>(f[0])] - shape.center,
          shape.mesh.vertices[static_cast<std::size_t>(f[1])] - shape.center,
          shape.mesh.vertices[static_cast<std::size_t>(f[2])] - shape.center};
}

double triangle_distance_at(const PairState& state, const RigidShapeData& a, std::int32_t triangle_a,
                            const RigidShapeData& b, std::int32_t triangle_b) {
  std::array<Vector3, 3> corners = corners_of(a, triangle_a);
  for (Vector3& p : corners) p = state.view[1].rotation * p + state.view[1].translation;
  return triangle_triangle_distance(corners, corners_of(b, triangle_b)).distance;
}

NearestTriangles nearest_triangles(const PairState& state, const RigidShapeData& a, const RigidShapeData& b,
                                   double below, QueryStats& stats) {
  NearestTriangles best;
  best.distance = below;
  visit_near(
      state, a, b, stats, [&] { return best.distance; },
      [&](std::int32_t id_a, std::int32_t id_b) {
        const double distance = triangle_distance_at(state, a, id_a, b, id_b);
        if (distance < best.distance) best = {distance, id_a, id_b};
      });
  return best;
}

std::vector<NearestTriangles> triangles_within(const PairState& state, const RigidShapeData& a,
                                               const RigidShapeData& b, double distance, QueryStats& stats) {
  std::vector<NearestTriangles> pairs;
  visit_near(
      state, a, b, stats, [&] { return distance + state.gap_padding; },
      [&](std::int32_t id_a, std::int32_t id_b) {
        const double d = triangle_distance_at(state, a, id_a, b, id_b);
        if (d <= distance + state.gap_padding) pairs.push_back({d, id_a, id_b});
      });
  std::sort(pairs.begin(), pairs.end(), [](const NearestTriangles& x, const NearestTriangles& y) {
    return std::tie(x.triangle_a, x.triangle_b) < std::tie(y.triangle_a, y.triangle_b);
  });
  return pairs;
}

}  // namespace toccata
