#pragma once
// The questions of this stage on a Hierarchy of any bounding volume: depth-first over pairs of nodes. They
// give the same answers as the fast paths (distance.hpp, intersects.hpp) and serve to compare the volumes.
#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "toccata/elementary/triangle_intersection.hpp"
#include "toccata/elementary/triangle_triangle.hpp"
#include "toccata/hierarchy/hierarchy.hpp"
#include "toccata/report/contact.hpp"
#include "toccata/report/query_stats.hpp"

namespace toccata {

template <typename Volume>
struct PlacedHierarchy {
  const TriangleMesh& mesh;
  const Hierarchy<Volume>& tree;
  Pose pose = {};
};

struct HierarchyAnswer {
  bool intersects = false;
  double distance = std::numeric_limits<double>::infinity();
  QueryStats stats;
};

namespace hierarchy_query {

// Volumes of a are moved into the world, as those of b are; each once per pair, since rotation does not
// commute with the fixed axes of some of them.
template <typename Volume, typename Bound, typename Leaf>
void traverse(const PlacedHierarchy<Volume>& a, const PlacedHierarchy<Volume>& b, QueryStats& stats,
              Bound&& keep, Leaf&& leaf) {
  if (a.tree.empty() || b.tree.empty()) return;
  const auto moved = [](const PlacedHierarchy<Volume>& p, std::int32_t node) {
    return transformed(p.pose, p.tree.nodes()[node].volume);
  };
  std::vector<std::array<std::int32_t, 2>> stack = {{0, 0}};
  while (!stack.empty()) {
    const auto [i, j] = stack.back();
    stack.pop_back();
    ++stats.node_pairs;
    if (!keep(moved(a, i), moved(b, j))) continue;
    const auto &node_a = a.tree.nodes()[i], &node_b = b.tree.nodes()[j];
    if (node_a.is_leaf() && node_b.is_leaf()) {
      if (!leaf(node_a, node_b)) return;
    } else if (node_b.is_leaf() ||
               (!node_a.is_leaf() && radius_of(node_a.volume) > radius_of(node_b.volume))) {
      stack.push_back({node_a.right, j});
      stack.push_back({i + 1, j});
    } else {
      stack.push_back({i, node_b.right});
      stack.push_back({i, j + 1});
    }
  }
}

template <typename Volume, typename Node, typename Visit>
bool for_each_pair(const PlacedHierarchy<Volume>& a, const PlacedHierarchy<Volume>& b, const Node& node_a,
                   const Node& node_b, Visit&& visit) {
  for (std::int32_t i = node_a.first; i < node_a.first + node_a.count; ++i) {
    const Triangle ta = transformed(a.pose, triangle_of(a.mesh, static_cast<std::size_t>(a.tree.order()[i])));
    for (std::int32_t j = node_b.first; j < node_b.first + node_b.count; ++j) {
      const Triangle tb =
          transformed(b.pose, triangle_of(b.mesh, static_cast<std::size_t>(b.tree.order()[j])));
      if (!visit(ta, tb)) return false;
    }
  }
  return true;
}

}  // namespace hierarchy_query

// Do the surfaces meet? Fills `intersects`.
template <typename Volume>
HierarchyAnswer hierarchy_intersects(const PlacedHierarchy<Volume>& a, const PlacedHierarchy<Volume>& b) {
  HierarchyAnswer answer;
  hierarchy_query::traverse(
      a, b, answer.stats, [](const Volume& va, const Volume& vb) { return overlap(va, vb); },
      [&](const auto& node_a, const auto& node_b) {
        return hierarchy_query::for_each_pair(a, b, node_a, node_b,
                                              [&](const Triangle& ta, const Triangle& tb) {
                                                ++answer.stats.piece_pairs;
                                                answer.intersects = triangle_triangle_intersect(ta, tb);
                                                return !answer.intersects;
                                              });
      });
  return answer;
}

// How far apart are they? Fills `distance`, and `intersects` when it is zero.
template <typename Volume>
HierarchyAnswer hierarchy_distance(const PlacedHierarchy<Volume>& a, const PlacedHierarchy<Volume>& b) {
  HierarchyAnswer answer;
  hierarchy_query::traverse(
      a, b, answer.stats,
      [&](const Volume& va, const Volume& vb) { return lower_distance(va, vb) < answer.distance; },
      [&](const auto& node_a, const auto& node_b) {
        return hierarchy_query::for_each_pair(
            a, b, node_a, node_b, [&](const Triangle& ta, const Triangle& tb) {
              ++answer.stats.piece_pairs;
              answer.distance =
                  std::min(answer.distance, triangle_triangle_distance(ta, tb, answer.distance).distance);
              return answer.distance > 0.0;
            });
      });
  answer.intersects = answer.distance == 0.0;
  return answer;
}

}  // namespace toccata
