#pragma once
// The trees of two shapes at rest: the one engine below every question without time. A pair of boxes is
// opened into the children of the larger one, with a lower bound of each new pair's distance; the questions
// differ in the order in which they go on.
#include "hierarchy/box_pair.hpp"
#include "hierarchy/shape_data.hpp"
#include "toccata/report/query_stats.hpp"

namespace toccata::proximity {

// `Bounds` bounds the children of a node against a box of the other tree (see opened_pair), and says by
// `opens_a_of_equals` which of two boxes of the same size is opened.
template <typename Bounds>
class TreePair {
 public:
  // The shapes must outlive this object.
  TreePair(const ShapeData& a, const ShapeData& b, const Bounds& bounds)
      : trees_{&a.tree, &b.tree}, bounds_(bounds) {}

  bool empty() const { return trees_[0]->empty() || trees_[1]->empty(); }

  // Both boxes hold one piece each.
  bool is_leaf(BoxId a, BoxId b) const { return child_of(*trees_[0], a) < 0 && child_of(*trees_[1], b) < 0; }
  std::int32_t piece_a(BoxId a) const { return ~child_of(*trees_[0], a); }
  std::int32_t piece_b(BoxId b) const { return ~child_of(*trees_[1], b); }

  // The boxes of the whole shapes against each other. precondition: !empty()
  OpenedPair opened_roots(QueryStats& stats) const {
    OpenedPair roots;
    roots.side = 1;
    roots.count = trees_[1]->node(0).count;
    bounds_(1, trees_[1]->node(0), trees_[0]->node(0), 0, roots.bounds);
    stats.node_pairs += roots.count;
    return roots;
  }

  // precondition: !is_leaf(a, b)
  OpenedPair opened(BoxId a, BoxId b, QueryStats& stats) const {
    const bool opens_a = Bounds::opens_a_of_equals ? opens_first(*trees_[0], a, *trees_[1], b)
                                                   : !opens_first(*trees_[1], b, *trees_[0], a);
    const OpenedPair pair = opened_pair(trees_, a, b, opens_a, bounds_);
    stats.node_pairs += pair.count;
    return pair;
  }

  Bounds& bounds() { return bounds_; }

 private:
  const BoxTree* trees_[2];
  Bounds bounds_;
};

}  // namespace toccata::proximity
