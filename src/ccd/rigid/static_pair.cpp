#include "ccd/rigid/static_pair.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

#include "ccd/rigid/box_pair_step.hpp"
#include "ccd/rigid/box_test.hpp"
#include "ccd/rigid/triangle_steps.hpp"
#include "toccata/elementary/triangle_triangle.hpp"

namespace toccata {
namespace {

// From so many pairs of triangles on, boxes are looked at in double precision before they are opened: flat
// parts side by side.
constexpr std::int64_t usual_triangle_pairs = 1024;

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

// Pairs of boxes by increasing gap, at one time.
class NearestFirst {
 public:
  NearestFirst(const PairState& moving, const RigidShapeData& a, const RigidShapeData& b, QueryStats& stats)
      : shapes_{&a, &b},
        trees_{&a.tree, &b.tree},
        stats_(stats),
        looks_closely_from_(stats.triangle_pairs + usual_triangle_pairs) {
    for (int side = 0; side < 2; ++side) pose_[side] = moving.pose[side];
    padding_ = moving.gap_padding;
    if (a.tree.nodes.empty() || b.tree.nodes.empty()) return;
    state_.set(held_still(moving));
    heap_.push_back({-std::numeric_limits<float>::infinity(), 0, 0});
  }

  // Nothing that is left is nearer.
  double gap() const {
    return heap_.empty() ? std::numeric_limits<double>::infinity() : static_cast<double>(heap_.front().gap);
  }

  // Takes the nearest pair: two triangles are given to visit(), else the larger box is opened as far as its
  // children are within reach().
  template <typename Reach, typename Visit>
  void open(Reach&& reach, Visit&& visit) {
    std::pop_heap(heap_.begin(), heap_.end());
    const Pending pair = heap_.back();
    heap_.pop_back();
    const std::int32_t child_a = child_of(*trees_[0], pair.a);
    const std::int32_t child_b = child_of(*trees_[1], pair.b);
    if (child_a < 0 && child_b < 0) {
      ++stats_.triangle_pairs;
      visit(~child_a, ~child_b);
      return;
    }
    if (stats_.triangle_pairs > looks_closely_from_ && close_gap(pair) > reach()) return;
    const OpenedPair opened(state_, trees_, pair.a, pair.b);
    stats_.node_pairs += opened.count;
    for (std::int32_t k = 0; k < opened.count; ++k) {
      if (static_cast<double>(opened.gaps[k]) > reach()) continue;
      heap_.push_back({opened.gaps[k], opened.child_a(k), opened.child_b(k)});
      std::push_heap(heap_.begin(), heap_.end());
    }
  }

 private:
  // In double precision.
  double close_gap(const Pending& pair) const {
    return box_pair_gap(*shapes_[0], pose_[0], pair.a, *shapes_[1], pose_[1], pair.b) - padding_;
  }

  const RigidShapeData* shapes_[2];
  const BoxTree* trees_[2];
  Pose pose_[2];
  double padding_ = 0.0;
  QueryStats& stats_;
  std::int64_t looks_closely_from_;
  BoxTestState state_;
  std::vector<Pending> heap_;
};

// Visits pairs of triangles by increasing gap of their boxes, as long as the gap is at most reach().
template <typename Reach, typename Visit>
void visit_near(const PairState& moving, const RigidShapeData& a, const RigidShapeData& b, QueryStats& stats,
                Reach&& reach, Visit&& visit) {
  NearestFirst nearest(moving, a, b, stats);
  while (nearest.gap() <= reach() && nearest.gap() < std::numeric_limits<double>::infinity())
    nearest.open(reach, visit);
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

NearestTriangles some_near_triangles(const PairState& state, const RigidShapeData& a, const RigidShapeData& b,
                                     QueryStats& stats) {
  const BoxTree* const trees[2] = {&a.tree, &b.tree};
  BoxTestState still;
  still.set(held_still(state));
  BoxId box_a = 0, box_b = 0;
  for (;;) {
    const std::int32_t child_a = child_of(a.tree, box_a), child_b = child_of(b.tree, box_b);
    if (child_a < 0 && child_b < 0) {
      ++stats.triangle_pairs;
      return {triangle_distance_at(state, a, ~child_a, b, ~child_b), ~child_a, ~child_b};
    }
    const OpenedPair opened(still, trees, box_a, box_b);
    stats.node_pairs += opened.count;
    const auto nearest = std::min_element(opened.gaps, opened.gaps + opened.count) - opened.gaps;
    box_a = opened.child_a(static_cast<std::int32_t>(nearest));
    box_b = opened.child_b(static_cast<std::int32_t>(nearest));
  }
}

double proven_gap(const PairState& state, const RigidShapeData& a, const RigidShapeData& b, double enough,
                  std::int64_t budget, QueryStats& stats) {
  NearestFirst nearest(state, a, b, stats);
  const std::int64_t last = stats.node_pairs + 16 * stats.triangle_pairs + budget;
  double nearest_triangles = std::numeric_limits<double>::infinity();
  const auto reach = [&] { return std::min(enough, nearest_triangles); };
  while (stats.node_pairs + 16 * stats.triangle_pairs < last && nearest.gap() < reach()) {
    nearest.open(reach, [&](std::int32_t id_a, std::int32_t id_b) {
      nearest_triangles = std::min(nearest_triangles, triangle_distance_at(state, a, id_a, b, id_b));
    });
  }
  return std::min(reach(), nearest.gap());
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
