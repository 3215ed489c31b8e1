#pragma once
// Points under a binary tree of boxes: which are within a ball, or a hull of balls?
#include <cstdint>
#include <span>
#include <vector>

#include "proximity/medial/hull_sieve.hpp"
#include "toccata/bound/aabb.hpp"

namespace toccata::medial {

class PointTree {
 public:
  explicit PointTree(std::span<const Vector3> points);

  // visit(index) for all points within the radius.
  template <typename Visit>
  void within(const Vector3& center, double radius, Visit&& visit) const {
    const double squared = radius > 0.0 ? radius * radius : 0.0;
    const auto is_in = [&](const Vector3& point) { return (point - center).squaredNorm() <= squared; };
    const auto look = [&](const Node& node) {
      const Vector3 below = node.box.lower - center, above = center - node.box.upper;
      if (below.cwiseMax(above).cwiseMax(Vector3::Zero()).squaredNorm() > squared) return Side::Outside;
      return below.cwiseMin(above).squaredNorm() <= squared ? Side::Inside : Side::Across;
    };
    visit_all(look, is_in, visit);
  }

  // visit(index) for all points in the hull.
  template <typename Visit>
  void within(const HullSieve& hull, Visit&& visit) const {
    const auto is_in = [&](const Vector3& point) { return hull.holds(point); };
    const Aabb box = hull.box();
    const auto look = [&](const Node& node) {
      if (!overlap(node.box, box)) return Side::Outside;
      const Vector3 middle = 0.5 * (node.box.lower + node.box.upper);
      const double reach = 0.5 * (node.box.upper - node.box.lower).norm();
      if (!hull.holds(middle, reach)) return Side::Outside;
      return hull.holds(middle, -reach) ? Side::Inside : Side::Across;
    };
    visit_all(look, is_in, visit);
  }

 private:
  struct Node {
    Aabb box;
    std::int32_t child = -1;  // the first of two; -1: a leaf
    std::int32_t begin = 0, end = 0;
  };
  enum class Side : std::uint8_t { Outside, Across, Inside };

  template <typename Look, typename IsIn, typename Visit>
  void visit_all(const Look& look, const IsIn& is_in, Visit& visit) const {
    if (nodes_.empty()) return;
    std::int32_t stack[64];
    int top = 0;
    stack[top++] = 0;
    while (top > 0) {
      const Node& node = nodes_[static_cast<std::size_t>(stack[--top])];
      const Side side = look(node);
      if (side == Side::Outside) continue;
      if (side == Side::Across && node.child >= 0) {
        stack[top++] = node.child;
        stack[top++] = node.child + 1;
        continue;
      }
      for (auto i = static_cast<std::size_t>(node.begin); i < static_cast<std::size_t>(node.end); ++i) {
        if (side == Side::Inside || is_in(ordered_[i])) visit(index_[i]);
      }
    }
  }

  void fill(std::span<const Vector3> points, std::size_t node);

  std::vector<Node> nodes_;
  std::vector<std::int32_t> index_;
  std::vector<Vector3> ordered_;
};

}  // namespace toccata::medial
