#pragma once
// A tree of boxes over the obstacles of a scene: which of them are near a ball?
#include <cstdint>
#include <span>
#include <vector>

#include "toccata/bound/aabb.hpp"

namespace toccata::articulated {

class ObstacleTree {
 public:
  ObstacleTree() = default;
  // One box per obstacle; numbers are theirs. What has no box (a half space) has an infinite one.
  explicit ObstacleTree(std::span<const Aabb> boxes);

  bool empty() const { return nodes_.empty(); }
  // visit(number) for every obstacle whose box is at most `room` away from the centre, and maybe others.
  template <typename Visit>
  void near(const Vector3& center, double room, Visit&& visit) const {
    if (nodes_.empty()) return;
    std::int32_t stack[most_levels];
    int waiting = 0;
    stack[waiting++] = 0;
    while (waiting > 0) {
      const Node& node = nodes_[static_cast<std::size_t>(stack[--waiting])];
      if (!is_near(node.box, center, room)) continue;
      if (node.number >= 0) {
        visit(node.number);
      } else {
        stack[waiting++] = node.left;
        stack[waiting++] = node.right;
      }
    }
  }

 private:
  struct Node {
    Aabb box;
    std::int32_t left = -1;
    std::int32_t right = -1;
    std::int32_t number = -1;  // of a leaf
  };
  // Halved at the middle of their number, so that no tree of 2^31 is deeper.
  static constexpr int most_levels = 64;

  static bool is_near(const Aabb& box, const Vector3& center, double room) {
    const Vector3 beyond = (center - box.upper).cwiseMax(box.lower - center).cwiseMax(0.0);
    return !(beyond.norm() > room);
  }
  std::int32_t build(std::span<std::int32_t> numbers, std::span<const Aabb> boxes);

  std::vector<Node> nodes_;
};

}  // namespace toccata::articulated
