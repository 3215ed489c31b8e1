#include "proximity/point_distance/curve_order.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/morton.hpp"

namespace toccata::point_distance {
namespace {

constexpr int levels = 10;
constexpr unsigned code_bits = 3 * levels;
// Fewer are sorted by comparing them: counting has its price.
constexpr std::size_t fewest_counted = 256;

// By code, equal ones as they come: digit by digit, the lowest first, each time in the order of the last.
void sort_by_code(std::vector<std::uint64_t>& keys) {
  if (keys.size() < fewest_counted) return std::sort(keys.begin(), keys.end());
  constexpr unsigned digit_bits = 10, digits = code_bits / digit_bits, digit_count = 1U << digit_bits;
  static_assert(digits * digit_bits == code_bits);
  const auto digit_of = [](std::uint64_t key, unsigned digit) {
    return static_cast<std::size_t>(key >> (32U + digit * digit_bits)) % digit_count;
  };
  std::array<std::array<std::uint32_t, digit_count>, digits> places = {};
  for (const std::uint64_t key : keys) {
    for (unsigned digit = 0; digit < digits; ++digit) ++places[digit][digit_of(key, digit)];
  }
  std::vector<std::uint64_t> sorted(keys.size());
  for (unsigned digit = 0; digit < digits; ++digit) {
    std::uint32_t before = 0;
    for (std::uint32_t& place : places[digit]) before += std::exchange(place, before);
    for (const std::uint64_t key : keys) sorted[places[digit][digit_of(key, digit)]++] = key;
    keys.swap(sorted);
  }
}

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
  sort_by_code(keys);
  order.reserve(points.size());
  for (const std::uint64_t key : keys) order.push_back(static_cast<std::uint32_t>(key));
  return order;
}

}  // namespace toccata::point_distance
