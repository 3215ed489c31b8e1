#include "proximity/pair_at_rest.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

#include "hierarchy/box_slabs.hpp"
#include "hierarchy/plane_boxes.hpp"
#include "proximity/piece_bracket.hpp"
#include "proximity/tree_pair.hpp"
#include "toccata/elementary/triangle_triangle.hpp"

namespace toccata::proximity {
namespace {

// From so many pairs of pieces on, boxes are looked at in double precision before they are opened: flat parts
// side by side.
constexpr std::int64_t usual_piece_pairs = 1024;

struct Pending {
  float gap;
  BoxId a;
  BoxId b;
  // The smallest gap on top of a heap, the deepest overlap last in a list.
  bool operator<(const Pending& other) const { return gap > other.gap; }
};

// Signed gaps: they order overlaps by their depth.
class BoxGaps {
 public:
  static constexpr bool opens_a_of_equals = true;

  explicit BoxGaps(const PairAtRest& pair)
      : views_{hierarchy::RestView(pair.to_own[0], pair.padding),
               hierarchy::RestView(pair.to_own[1], pair.padding)},
        planes_(planes_of(pair)) {}

  void operator()(int side, const BoxNode& node, const BoxNode& theirs, std::uint32_t slot,
                  float* gaps) const {
    if (planes_) return planes_(side, node, theirs, slot, gaps);
    hierarchy::box_gaps(views_[side], node, theirs, slot, gaps);
  }

 private:
  static hierarchy::PlaneBoxes planes_of(const PairAtRest& pair) {
    const Pose to_other[2] = {pair.to_own[1], pair.to_own[0]};
    return {pair.shape[0]->tree, pair.shape[1]->tree, to_other, pair.padding};
  }

  hierarchy::RestView views_[2];
  hierarchy::PlaneBoxes planes_;
};

TreePair<BoxGaps> trees_of(const PairAtRest& pair) {
  return {*pair.shape[0], *pair.shape[1], BoxGaps(pair)};
}

// Pairs of boxes by increasing gap.
class NearestFirst {
 public:
  NearestFirst(const PairAtRest& pair, QueryStats& stats)
      : pair_(pair),
        trees_(trees_of(pair)),
        stats_(stats),
        looks_closely_from_(stats.piece_pairs + usual_piece_pairs) {
    if (!trees_.empty()) heap_.push_back({-std::numeric_limits<float>::infinity(), 0, 0});
  }

  // Nothing that is left is nearer.
  double gap() const {
    return heap_.empty() ? std::numeric_limits<double>::infinity() : static_cast<double>(heap_.front().gap);
  }

  // Takes the nearest pair: two pieces are given to visit(), else the larger box is opened as far as its
  // children are within reach().
  template <typename Reach, typename Visit>
  void open(Reach&& reach, Visit&& visit) {
    std::pop_heap(heap_.begin(), heap_.end());
    const Pending pair = heap_.back();
    heap_.pop_back();
    if (trees_.is_leaf(pair.a, pair.b)) {
      ++stats_.piece_pairs;
      visit(trees_.piece_a(pair.a), trees_.piece_b(pair.b));
      return;
    }
    if (stats_.piece_pairs > looks_closely_from_ && can_look_closely() && close_gap(pair) > reach()) return;
    const OpenedPair opened = trees_.opened(pair.a, pair.b, stats_);
    for (std::int32_t k = 0; k < opened.count; ++k) {
      if (static_cast<double>(opened.bounds[k]) > reach()) continue;
      heap_.push_back({opened.bounds[k], opened.child_a(k), opened.child_b(k)});
      std::push_heap(heap_.begin(), heap_.end());
    }
  }

 private:
  bool can_look_closely() const {
    return !pair_.shape[0]->is_half_space() && !pair_.shape[1]->is_half_space();
  }

  // In double precision.
  double close_gap(const Pending& boxes) const {
    return hierarchy::widest_slab(hierarchy::world_box(*pair_.shape[0], pair_.pose[0], boxes.a),
                                  hierarchy::world_box(*pair_.shape[1], pair_.pose[1], boxes.b)) -
           pair_.padding;
  }

  const PairAtRest& pair_;
  TreePair<BoxGaps> trees_;
  QueryStats& stats_;
  std::int64_t looks_closely_from_;
  std::vector<Pending> heap_;
};

// Visits pairs of pieces by increasing gap of their boxes, as long as the gap is at most reach().
template <typename Reach, typename Visit>
void visit_near(const PairAtRest& pair, QueryStats& stats, Reach&& reach, Visit&& visit) {
  NearestFirst nearest(pair, stats);
  while (nearest.gap() <= reach() && nearest.gap() < std::numeric_limits<double>::infinity())
    nearest.open(reach, visit);
}

double triangle_distance(const PairAtRest& pair, std::int32_t triangle_a, std::int32_t triangle_b) {
  std::array<Vector3, 3> corners = corners_of(*pair.shape[0], triangle_a);
  for (Vector3& p : corners) p = pair.to_own[1].rotation * p + pair.to_own[1].translation;
  return triangle_triangle_distance(corners, corners_of(*pair.shape[1], triangle_b)).distance;
}

// Of pieces of any kind: as found, or as proven.
double mixed_distance(const PairAtRest& pair, std::int32_t piece_a, std::int32_t piece_b, bool is_proven) {
  const Piece a(*pair.shape[0], piece_a), b(*pair.shape[1], piece_b);
  if (a.triangle() >= 0 && b.triangle() >= 0) return triangle_distance(pair, a.triangle(), b.triangle());
  const convex::ConvexDistance d = piece_bracket(a, pair.to_own[1], b);
  return is_proven || is_touching(d) ? d.lower : d.upper;
}

}  // namespace

double piece_distance(const PairAtRest& pair, std::int32_t piece_a, std::int32_t piece_b) {
  if (!pair.shape[0]->has_only_triangles() || !pair.shape[1]->has_only_triangles())
    return mixed_distance(pair, piece_a, piece_b, false);
  return triangle_distance(pair, piece_a, piece_b);
}

double proven_distance(const PairAtRest& pair, std::int32_t piece_a, std::int32_t piece_b) {
  if (!pair.shape[0]->has_only_triangles() || !pair.shape[1]->has_only_triangles())
    return mixed_distance(pair, piece_a, piece_b, true);
  return triangle_distance(pair, piece_a, piece_b);
}

NearestPieces nearest_pieces(const PairAtRest& pair, double below, QueryStats& stats, const StopWatch* stop) {
  constexpr int looks_at_watch = 256;
  NearestPieces best;
  best.distance = below;
  SparseLook watch(stop, looks_at_watch);
  visit_near(
      pair, stats, [&] { return watch.is_over() ? -std::numeric_limits<double>::infinity() : best.distance; },
      [&](std::int32_t id_a, std::int32_t id_b) {
        const double distance = piece_distance(pair, id_a, id_b);
        if (distance < best.distance) best = {distance, id_a, id_b};
      });
  return best;
}

NearestPieces some_near_pieces(const PairAtRest& pair, QueryStats& stats) {
  const TreePair<BoxGaps> trees = trees_of(pair);
  BoxId a = 0, b = 0;
  while (!trees.is_leaf(a, b)) {
    const OpenedPair opened = trees.opened(a, b, stats);
    const auto nearest = static_cast<std::int32_t>(
        std::min_element(opened.bounds, opened.bounds + opened.count) - opened.bounds);
    a = opened.child_a(nearest);
    b = opened.child_b(nearest);
  }
  ++stats.piece_pairs;
  return {piece_distance(pair, trees.piece_a(a), trees.piece_b(b)), trees.piece_a(a), trees.piece_b(b)};
}

double proven_gap(const PairAtRest& pair, double enough, std::int64_t budget, QueryStats& stats) {
  NearestFirst nearest(pair, stats);
  const std::int64_t last = stats.node_pairs + 16 * stats.piece_pairs + budget;
  double nearest_seen = std::numeric_limits<double>::infinity();
  const auto reach = [&] { return std::min(enough, nearest_seen); };
  while (stats.node_pairs + 16 * stats.piece_pairs < last && nearest.gap() < reach()) {
    nearest.open(reach, [&](std::int32_t id_a, std::int32_t id_b) {
      nearest_seen = std::min(nearest_seen, proven_distance(pair, id_a, id_b));
    });
  }
  return std::min(reach(), nearest.gap());
}

std::vector<NearestPieces> pieces_within(const PairAtRest& pair, double distance, QueryStats& stats) {
  std::vector<NearestPieces> pairs;
  visit_near(
      pair, stats, [&] { return distance + pair.padding; },
      [&](std::int32_t id_a, std::int32_t id_b) {
        const double d = piece_distance(pair, id_a, id_b);
        if (d <= distance + pair.padding) pairs.push_back({d, id_a, id_b});
      });
  std::sort(pairs.begin(), pairs.end(), [](const NearestPieces& x, const NearestPieces& y) {
    return std::tie(x.piece_a, x.piece_b) < std::tie(y.piece_a, y.piece_b);
  });
  return pairs;
}

std::vector<NearestPieces> touching_pieces(const PairAtRest& pair, double distance, std::size_t most,
                                           QueryStats& stats) {
  std::vector<NearestPieces> pairs;
  const TreePair<BoxGaps> trees = trees_of(pair);
  if (trees.empty()) return pairs;
  const double reach = distance + pair.padding;
  // Depth first, the deepest child next: bodies that lie flat on each other have too many pairs to order.
  std::vector<Pending> stack = {{0.0F, 0, 0}};
  while (!stack.empty() && pairs.size() < most) {
    const Pending boxes = stack.back();
    stack.pop_back();
    if (trees.is_leaf(boxes.a, boxes.b)) {
      const std::int32_t id_a = trees.piece_a(boxes.a), id_b = trees.piece_b(boxes.b);
      ++stats.piece_pairs;
      const double d = piece_distance(pair, id_a, id_b);
      if (d <= reach) pairs.push_back({d, id_a, id_b});
      continue;
    }
    const OpenedPair opened = trees.opened(boxes.a, boxes.b, stats);
    const auto first = static_cast<std::ptrdiff_t>(stack.size());
    for (std::int32_t k = 0; k < opened.count; ++k) {
      if (static_cast<double>(opened.bounds[k]) <= reach)
        stack.push_back({opened.bounds[k], opened.child_a(k), opened.child_b(k)});
    }
    std::stable_sort(stack.begin() + first, stack.end());
  }
  return pairs;
}

}  // namespace toccata::proximity
