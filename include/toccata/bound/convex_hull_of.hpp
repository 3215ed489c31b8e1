#pragma once
// The convex hull of any points, with exact signs.
#include <span>

#include "toccata/base/expected.hpp"
#include "toccata/geometry/convex_hull.hpp"

namespace toccata {

// The hull of the points, and every point within `radius` of it: the hull of real arithmetic on the doubles
// as given, whether they span space, a plane, a line or nothing. Duplicates and points inside are left out.
// The same points in the same order give the same hull on every machine; vertices are in the order of their
// sources, and of equal points the first one is the source.
// Error: no points, one that is not finite, coordinates whose non-zero magnitudes span a factor of about
// 2^600 or more (see elementary/orientation.hpp), or a radius that is negative or not finite.
// Cost: quickhull, about n log n for points that are not chosen against it.
Expected<ConvexHull> convex_hull_of(std::span<const Vector3> points, double radius = 0.0);

}  // namespace toccata
