#include "proximity/convex/convex_distance.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "proximity/convex/box_pair.hpp"
#include "proximity/convex/core_pair.hpp"
#include "proximity/convex/segment_pair.hpp"

namespace toccata::convex {
namespace {

// Limits of the cores: the radii are taken off afterwards.
ConvexLimits core_limits(const ConvexLimits& limits, double radii) {
  ConvexLimits core = limits;
  core.enough += radii;
  if (limits.within >= 0.0) core.within += radii;
  // A share of the distance between the surfaces says nothing of the cores: they are asked for all.
  if (radii > 0.0) core.relative_error = 0.0;
  return core;
}

// The points of the surfaces: those of the cores, moved along the direction by the radii.
void write_points(const CoreDistance& core, const ConvexSet& a, const ConvexSet& b, ConvexDistance& result) {
  result.point_a = core.of_a;
  result.point_b = core.of_b;
  if (core.meets) result.point_a = result.point_b = 0.5 * (result.point_a + result.point_b);
  if (a.radius + b.radius == 0.0) return;
  const Vector3 between = result.point_b - result.point_a;
  const double length = between.norm();
  const Vector3 direction = core.lower > 0.0 && length > 0.0 ? Vector3(between / length) : result.direction;
  result.point_a += a.radius * direction;
  result.point_b -= b.radius * direction;
}

void leave_core_frame(const ConvexSet& b, ConvexDistance& result) {
  if (!b.is_placed) return;
  result.direction = b.place.apply_direction(result.direction);
  result.point_a = b.place.apply(result.point_a);
  result.point_b = b.place.apply(result.point_b);
}

// Very large or small lengths: the same question in units that are a power of two away.
ConvexDistance rescaled_distance(const ConvexSet& a, const Pose& a_to_b, const ConvexSet& b,
                                 const ConvexLimits& limits) {
  const RescaledPair pair(a, a_to_b, b, limits);
  ConvexDistance result = convex_distance(pair.a.set, pair.a_to_b, pair.b.set, nullptr, pair.limits);
  scale_back(result, pair.back);
  return result;
}

}  // namespace

ConvexDistance distance_of_cores(const Difference& difference, const CoreDistance& core) {
  const ConvexSet &a = *difference.a, &b = *difference.b;
  const double radii = a.radius + b.radius;
  ConvexDistance result;
  result.iterations = core.iterations;
  result.lower_core = core.lower;
  result.upper_core = core.upper;
  result.direction = -core.direction;
  // One rounding in the sum of the radii, one in the difference.
  const double slack = radii > 0.0 ? 2.0 * unit_roundoff * (radii + core.upper) : 0.0;
  result.lower = std::max(core.lower - radii - slack, 0.0);
  result.upper = std::max(core.upper - radii + slack, 0.0);
  result.meets = core.meets || core.upper - radii + slack <= 0.0;
  if (result.meets) result.lower = result.upper = 0.0;
  result.features = core.features;
  write_points(core, a, b, result);
  leave_core_frame(b, result);
  return result;
}

CoreDistance distance_between_cores(const Difference& difference, ConvexMemory* memory,
                                    const ConvexLimits& limits, Simplex* simplex) {
  std::optional<CoreDistance> closed;
  if (is_segment_pair(*difference.a, *difference.b)) closed = segment_pair_distance(difference);
  if (is_box_pair(*difference.a, *difference.b)) closed = box_pair_distance(difference);
  const double radii = difference.a->radius + difference.b->radius;
  const CoreDistance core =
      closed ? *closed : gjk_distance(difference, memory, core_limits(limits, radii), simplex);
  if (memory != nullptr) {
    memory->features = core.features;
    memory->direction = -core.direction;
  }
  return core;
}

ConvexDistance convex_distance(const ConvexSet& a, const Pose& a_to_b, const ConvexSet& b,
                               ConvexMemory* memory, const ConvexLimits& limits) {
  const Difference difference(a, a_to_b, b);
  if (!is_ordinary(difference)) return rescaled_distance(a, a_to_b, b, limits);
  return distance_of_cores(difference, distance_between_cores(difference, memory, limits));
}

}  // namespace toccata::convex
