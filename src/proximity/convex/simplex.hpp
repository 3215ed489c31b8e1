#pragma once
// The point nearest to the origin of a point, segment, triangle or tetrahedron of a Minkowski difference.
#include <array>

#include "proximity/convex/difference.hpp"

namespace toccata::convex {

// Corners and the weights of its nearest point; only corners that carry weight are kept.
struct Simplex {
  int count = 0;
  std::array<DifferencePoint, 4> corner;
  std::array<double, 4> weight = {1.0, 0.0, 0.0, 0.0};

  void add(const DifferencePoint& point) { corner[static_cast<std::size_t>(count++)] = point; }
  bool has(const DifferencePoint& point) const;
  Vector3 nearest() const;  // the weighted sum of the corners
};

// Reduces the simplex to the part that carries its nearest point, and gives that point. Four corners left:
// the origin is inside, as far as plain arithmetic sees. Plain formulas, not proven: the caller proves.
Vector3 reduce_to_nearest(Simplex& simplex);

// Whether the origin is in the tetrahedron for certain, all roundings counted.
bool surely_contains_origin(const Simplex& simplex);

// A direction across the simplex towards its nearest point: orthogonal to it as exactly as doubles can,
// which the nearest point itself is not when it is close to the origin. Of unit length; zero if there is
// none.
Vector3 direction_across(const Simplex& simplex, const Vector3& nearest);

}  // namespace toccata::convex
