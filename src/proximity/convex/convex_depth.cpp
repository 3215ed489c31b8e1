#include "proximity/convex/convex_depth.hpp"

#include <algorithm>

#include "proximity/convex/core_pair.hpp"
#include "proximity/convex/expanding_polytope.hpp"

namespace toccata::convex {
namespace {

ConvexDepth rescaled_depth(const ConvexSet& a, const Pose& a_to_b, const ConvexSet& b,
                           const ConvexLimits& limits) {
  const RescaledPair pair(a, a_to_b, b, limits);
  ConvexDepth result = convex_depth(pair.a.set, pair.a_to_b, pair.b.set, nullptr, pair.limits);
  scale_back(result.distance, pair.back);
  result.lower_depth = std::max(next_down(result.lower_depth * pair.back), 0.0);
  if (result.upper_depth > 0.0) result.upper_depth = next_up(result.upper_depth * pair.back);
  result.point_a *= pair.back;
  result.point_b *= pair.back;
  return result;
}

}  // namespace

ConvexDepth convex_depth(const ConvexSet& a, const Pose& a_to_b, const ConvexSet& b, ConvexMemory* memory,
                         const ConvexLimits& limits) {
  const Difference difference(a, a_to_b, b);
  if (!is_ordinary(difference)) return rescaled_depth(a, a_to_b, b, limits);
  const CoreDistance core = distance_between_cores(difference, memory, {});
  ConvexDepth result;
  result.distance = distance_of_cores(difference, core);
  result.meets = result.distance.meets;
  result.normal = result.distance.direction;
  result.point_a = result.distance.point_a;
  result.point_b = result.distance.point_b;
  result.iterations = core.iterations;
  if (result.distance.lower > 0.0) return result;
  const double radii = a.radius + b.radius;
  if (core.lower > 0.0 || (!core.meets && !difference.is_polytope() && radii == 0.0)) {
    // The cores are apart (or, curved, not known to meet): the distance along the direction tells the depth.
    const double slack = radii > 0.0 ? 2.0 * unit_roundoff * (radii + core.upper) : 0.0;
    result.lower_depth = std::max(radii - core.upper - slack, 0.0);
    result.upper_depth = std::max(radii - core.lower + slack, 0.0);
    return result;
  }
  const CoreDepth depth = core_depth(difference, core.simplex, limits.absolute_error, limits.relative_error);
  result.iterations += depth.iterations;
  // Cores that may still be apart by rounding are no deeper than nothing.
  const double lower = core.meets ? depth.lower : -core.upper;
  const double slack = radii > 0.0 ? 2.0 * unit_roundoff * (radii + depth.upper) : 0.0;
  result.lower_depth = std::max(lower + radii - slack, 0.0);
  result.upper_depth = depth.upper + radii + slack;
  result.normal = depth.normal;
  result.point_a = depth.of_a + a.radius * depth.normal;
  result.point_b = depth.of_b - b.radius * depth.normal;
  if (!b.is_placed) return result;
  result.normal = b.place.apply_direction(result.normal);
  result.point_a = b.place.apply(result.point_a);
  result.point_b = b.place.apply(result.point_b);
  return result;
}

}  // namespace toccata::convex
