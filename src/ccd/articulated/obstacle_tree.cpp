#include "ccd/articulated/obstacle_tree.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace toccata::articulated {

ObstacleTree::ObstacleTree(std::span<const Aabb> boxes) {
  if (boxes.empty()) return;
  std::vector<std::int32_t> numbers(boxes.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  nodes_.reserve(2 * boxes.size());
  build(numbers, boxes);
}

// Halves by the middles of boxes along the longest side; what is infinite comes last.
std::int32_t ObstacleTree::build(std::span<std::int32_t> numbers, std::span<const Aabb> boxes) {
  const auto index = static_cast<std::int32_t>(nodes_.size());
  nodes_.emplace_back();
  Aabb whole = boxes[static_cast<std::size_t>(numbers[0])];
  for (const std::int32_t number : numbers) {
    const Aabb& box = boxes[static_cast<std::size_t>(number)];
    whole.lower = whole.lower.cwiseMin(box.lower);
    whole.upper = whole.upper.cwiseMax(box.upper);
  }
  nodes_.back().box = whole;
  if (numbers.size() == 1) {
    nodes_.back().number = numbers[0];
    return index;
  }
  int axis = 0;
  (whole.upper - whole.lower).maxCoeff(&axis);
  const auto middle_of = [&](std::int32_t number) {
    const Aabb& box = boxes[static_cast<std::size_t>(number)];
    const double middle = 0.5 * box.lower[axis] + 0.5 * box.upper[axis];
    return std::isfinite(middle) ? middle : 1e300;
  };
  const std::size_t half = numbers.size() / 2;
  std::nth_element(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(half), numbers.end(),
                   [&](std::int32_t a, std::int32_t b) {
                     const double x = middle_of(a), y = middle_of(b);
                     return x != y ? x < y : a < b;
                   });
  const std::int32_t left = build(numbers.first(half), boxes);
  const std::int32_t right = build(numbers.subspan(half), boxes);
  nodes_[static_cast<std::size_t>(index)].left = left;
  nodes_[static_cast<std::size_t>(index)].right = right;
  return index;
}

}  // namespace toccata::articulated
