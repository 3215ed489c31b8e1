#include "proximity/point_distance/curve_order.hpp"

#include <algorithm>

#include "base/morton.hpp"

namespace toccata::point_distance {
namespace {

constexpr int levels = 10;

}  // namespace

std::vector<std::uint32_t> order_along_curve(std::span<const Vector3> points) {
  std::vector<std::uint32_t> order;
  if (points.empty()) return order;
  Vector3 low = points[0], high = points[0];
  for (const Vector3& p : points) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  const double width = (high - low).maxCoeff();
  const double cells = width > 0.0 ? ((1 << levels) - 1) / width : 0.0;
  std::vector<std::uint64_t> keys;  // the cell, then the number
  keys.reserve(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vector3 place = (points[i] - low) * cells;
    const std::uint32_t code =
        morton_code(static_cast<std::uint32_t>(place.x()), static_cast<std::uint32_t>(place.y()),
                    static_cast<std::uint32_t>(place.z()));
    keys.push_back(static_cast<std::uint64_t>(code) << 32U | i);
  }
  std::sort(keys.begin(), keys.end());
  order.reserve(points.size());
  for (const std::uint64_t key : keys) order.push_back(static_cast<std::uint32_t>(key));
  return order;
}

}  // namespace toccata::point_distance
