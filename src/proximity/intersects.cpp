#include "toccata/proximity/intersects.hpp"

#include <algorithm>

#include "base/stop_watch.hpp"
#include "proximity/piece_bracket.hpp"
#include "proximity/tree_pair.hpp"
#include "proximity/world_triangle.hpp"
#include "toccata/elementary/triangle_intersection.hpp"

namespace toccata {

using namespace proximity;

namespace {

// Pairs of boxes, of a tenth of a microsecond each, between two looks at the watch.
constexpr int looks_at_watch = 64;

class Search {
 public:
  Search(const PlacedShape& a, const PlacedShape& b, const IntersectsOptions& options)
      : a_(a),
        b_(b),
        trees_(a.shape.data(), b.shape.data(), BoxDistances(a, b, true)),
        only_triangles_(a.shape.data().has_only_triangles() && b.shape.data().has_only_triangles()),
        a_to_b_(only_triangles_ ? Pose() : between_trees(a, b)),
        all_pairs_(options.all_pairs) {}

  IntersectsResult run(const StopWatch& watch) {
    if (trees_.empty()) return {};
    SparseLook look(watch.or_null(), looks_at_watch);
    consider(trees_.opened_roots(result_.stats));
    while (!stack_.empty() && (all_pairs_ || !result_.intersects)) {
      if (look.is_over()) {
        result_.stopped = result_.intersects = true;
        break;
      }
      const auto [a, b] = stack_.back();
      stack_.pop_back();
      open(a, b);
    }
    std::sort(result_.pairs.begin(), result_.pairs.end());
    return std::move(result_);
  }

 private:
  struct Pair {
    BoxId a;
    BoxId b;
  };

  void open(BoxId a, BoxId b) {
    if (trees_.is_leaf(a, b)) {
      look_at(trees_.piece_a(a), trees_.piece_b(b));
    } else {
      consider(trees_.opened(a, b, result_.stats));
    }
  }

  void consider(const OpenedPair& opened) {
    for (std::int32_t k = 0; k < opened.count; ++k) {
      if (!(opened.bounds[k] > 0.0f)) stack_.push_back({opened.child_a(k), opened.child_b(k)});
    }
  }

  void look_at(std::int32_t a, std::int32_t b) {
    ++result_.stats.piece_pairs;
    if (!meet(a, b)) return;
    result_.intersects = true;
    result_.pairs.push_back({a, b});
  }

  bool meet(std::int32_t a, std::int32_t b) const {
    if (only_triangles_) return triangle_triangle_intersect(world_triangle(a_, a), world_triangle(b_, b));
    const Piece first(a_.shape.data(), a), second(b_.shape.data(), b);
    if (first.triangle() >= 0 && second.triangle() >= 0)
      return triangle_triangle_intersect(world_triangle(a_, first.triangle()),
                                         world_triangle(b_, second.triangle()));
    convex::ConvexLimits limits;
    limits.enough = 0.0;
    return is_touching(piece_bracket(first, a_to_b_, second, nullptr, limits));
  }

  const PlacedShape& a_;
  const PlacedShape& b_;
  TreePair<BoxDistances> trees_;
  bool only_triangles_;
  Pose a_to_b_;
  bool all_pairs_;
  std::vector<Pair> stack_;
  IntersectsResult result_;
};

IntersectsResult of_single_pieces(const PlacedShape& a, const PlacedShape& b) {
  IntersectsResult result;
  const ShapeData &shape_a = a.shape.data(), &shape_b = b.shape.data();
  if (shape_a.is_hole(0) || shape_b.is_hole(0)) return result;
  convex::ConvexLimits limits;
  limits.enough = 0.0;
  result.stats.piece_pairs = 1;
  result.intersects =
      is_touching(piece_bracket(Piece(shape_a, 0), between_trees(a, b), Piece(shape_b, 0), nullptr, limits));
  if (result.intersects) result.pairs.push_back({0, 0});
  return result;
}

}  // namespace

IntersectsResult intersects(const PlacedShape& a, const PlacedShape& b, const IntersectsOptions& options) {
  if (are_single_pieces(a.shape.data(), b.shape.data())) return of_single_pieces(a, b);
  const StopWatch watch(options.stop);
  return Search(a, b, options).run(watch);
}

}  // namespace toccata
