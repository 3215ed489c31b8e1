#include "proximity/medial/point_tree.hpp"

#include <algorithm>
#include <numeric>

namespace toccata::medial {
namespace {

constexpr std::int32_t leaf_size = 12;

}  // namespace

PointTree::PointTree(std::span<const Vector3> points) : index_(points.size()) {
  if (points.empty()) return;
  std::iota(index_.begin(), index_.end(), 0);
  nodes_.reserve(points.size() / 2 + 2);
  nodes_.push_back({{}, -1, 0, static_cast<std::int32_t>(points.size())});
  for (std::size_t node = 0; node < nodes_.size(); ++node) fill(points, node);
  for (const std::int32_t i : index_) ordered_.push_back(points[static_cast<std::size_t>(i)]);
}

void PointTree::fill(std::span<const Vector3> points, std::size_t node) {
  const std::int32_t begin = nodes_[node].begin, end = nodes_[node].end;
  const auto point = [&](std::int32_t i) -> const Vector3& {
    return points[static_cast<std::size_t>(index_[static_cast<std::size_t>(i)])];
  };
  Aabb box = {point(begin), point(begin)};
  for (std::int32_t i = begin; i < end; ++i) {
    box.lower = box.lower.cwiseMin(point(i));
    box.upper = box.upper.cwiseMax(point(i));
  }
  nodes_[node].box = box;
  if (end - begin <= leaf_size) return;
  Eigen::Index axis = 0;
  (box.upper - box.lower).maxCoeff(&axis);
  const std::int32_t middle = begin + (end - begin) / 2;
  std::nth_element(index_.begin() + begin, index_.begin() + middle, index_.begin() + end,
                   [&](std::int32_t a, std::int32_t b) {
                     const double x = points[static_cast<std::size_t>(a)][axis],
                                  y = points[static_cast<std::size_t>(b)][axis];
                     return x < y || (x == y && a < b);
                   });
  nodes_[node].child = static_cast<std::int32_t>(nodes_.size());
  nodes_.push_back({{}, -1, begin, middle});
  nodes_.push_back({{}, -1, middle, end});
}

}  // namespace toccata::medial
