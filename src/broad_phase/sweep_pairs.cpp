#include "broad_phase/sweep_pairs.hpp"

#include <algorithm>

namespace toccata::broad_phase {
namespace {

int widest_axis(std::span<const Aabb> boxes, std::span<const std::int32_t> ids) {
  Vector3 lowest = boxes[static_cast<std::size_t>(ids[0])].lower, highest = lowest;
  for (const std::int32_t id : ids) {
    lowest = lowest.cwiseMin(boxes[static_cast<std::size_t>(id)].lower);
    highest = highest.cwiseMax(boxes[static_cast<std::size_t>(id)].lower);
  }
  Eigen::Index axis = 0;
  (highest - lowest).cwiseMin(1e300).maxCoeff(&axis);
  return static_cast<int>(axis);
}

}  // namespace

void sweep_pairs(std::span<const Aabb> boxes, std::span<const std::int32_t> ids,
                 std::vector<IndexPair>& pairs) {
  if (ids.size() < 2) return;
  const int axis = widest_axis(boxes, ids);
  const auto box = [&](std::int32_t id) -> const Aabb& { return boxes[static_cast<std::size_t>(id)]; };
  std::vector<std::int32_t> order(ids.begin(), ids.end());
  std::sort(order.begin(), order.end(), [&](std::int32_t x, std::int32_t y) {
    const double start_x = box(x).lower[axis], start_y = box(y).lower[axis];
    return start_x != start_y ? start_x < start_y : x < y;
  });
  for (std::size_t i = 0; i < order.size(); ++i) {
    const double end = box(order[i]).upper[axis];
    for (std::size_t k = i + 1; k < order.size() && box(order[k]).lower[axis] <= end; ++k) {
      if (overlap(box(order[i]), box(order[k])))
        pairs.push_back({std::min(order[i], order[k]), std::max(order[i], order[k])});
    }
  }
}

}  // namespace toccata::broad_phase
