#pragma once
// Points under a binary tree of boxes: which are within a ball?
#include <cstdint>
#include <span>
#include <vector>

#include "toccata/bound/aabb.hpp"

namespace toccata::medial {

class PointTree {
 public:
  explicit PointTree(std::span<const Vector3> points);

  // visit(index, squared distance from the centre) for all points within the radius.
  template <typename Visit>
  void within(const Vector3& center, double radius, Visit&& visit) const {
    if (nodes_.empty()) return;
    const double squared = radius * radius;
    std::int32_t stack[64];
    int top = 0;
    stack[top++] = 0;
    while (top > 0) {
      const Node& node = nodes_[static_cast<std::size_t>(stack[--top])];
      const Vector3 outside =
          (node.box.lower - center).cwiseMax(center - node.box.upper).cwiseMax(Vector3::Zero());
      if (outside.squaredNorm() > squared) continue;
      if (node.child >= 0) {
        stack[top++] = node.child;
        stack[top++] = node.child + 1;
        continue;
      }
      for (std::int32_t i = node.begin; i < node.end; ++i) {
        const double distance = (ordered_[static_cast<std::size_t>(i)] - center).squaredNorm();
        if (distance <= squared) visit(index_[static_cast<std::size_t>(i)], distance);
      }
    }
  }

  // visit(index) for all points of leaves whose boxes overlap the box: a few too many.
  template <typename Visit>
  void in_box(const Aabb& box, Visit&& visit) const {
    if (nodes_.empty()) return;
    std::int32_t stack[64];
    int top = 0;
    stack[top++] = 0;
    while (top > 0) {
      const Node& node = nodes_[static_cast<std::size_t>(stack[--top])];
      if (!overlap(node.box, box)) continue;
      if (node.child >= 0) {
        stack[top++] = node.child;
        stack[top++] = node.child + 1;
        continue;
      }
      for (std::int32_t i = node.begin; i < node.end; ++i) visit(index_[static_cast<std::size_t>(i)]);
    }
  }

 private:
  struct Node {
    Aabb box;
    std::int32_t child = -1;  // the first of two; -1: a leaf
    std::int32_t begin = 0, end = 0;
  };

  void fill(std::span<const Vector3> points, std::size_t node);

  std::vector<Node> nodes_;
  std::vector<std::int32_t> index_;
  std::vector<Vector3> ordered_;
};

}  // namespace toccata::medial
