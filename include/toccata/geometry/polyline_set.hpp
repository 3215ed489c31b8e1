#pragma once
// Strands: polylines, such as hair or cables, all points in one array.
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "toccata/base/vector.hpp"

namespace toccata {

struct PolylineSet {
  // Strand i is points[first[i]] ... points[first[i + 1] - 1]; one more entry than strands, from 0 to the
  // number of points. A strand of one point is a point; one of none touches nothing.
  std::vector<Vector3> points = {};
  std::vector<std::int32_t> first = {0};

  std::size_t size() const { return first.size() - 1; }

  // Strands of this many points each, one after the other.
  static PolylineSet even(std::vector<Vector3> points, std::int32_t points_each) {
    PolylineSet set;
    const auto count = static_cast<std::int32_t>(points.size());
    for (std::int32_t end = points_each; points_each > 0 && end <= count; end += points_each)
      set.first.push_back(end);
    set.points = std::move(points);
    return set;
  }

  bool is_valid() const {
    if (first.empty() || first.front() != 0 || first.back() != static_cast<std::int32_t>(points.size()))
      return false;
    for (std::size_t i = 1; i < first.size(); ++i) {
      if (first[i] < first[i - 1]) return false;
    }
    return true;
  }
};

}  // namespace toccata
