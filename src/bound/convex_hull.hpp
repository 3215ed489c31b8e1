#pragma once
// The convex hull of a few points, as triangles.
#include <array>
#include <span>
#include <vector>

#include "toccata/base/vector.hpp"

namespace toccata::bound {

// Outward triangles over `points`, found by adding one point after the other with exact orientation signs.
// Empty if all points lie in one plane. Cost: points times triangles.
std::vector<std::array<int, 3>> convex_hull(std::span<const Vector3> points);

}  // namespace toccata::bound
