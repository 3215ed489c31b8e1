#include "proximity/convex/convex_distance.hpp"

#include <algorithm>
#include <cmath>

#include "proximity/convex/box_pair.hpp"
#include "proximity/convex/core_pair.hpp"
#include "proximity/convex/segment_pair.hpp"

namespace toccata::convex {
namespace {

// Limits of the cores: the radii are taken off afterwards.
ConvexLimits core_limits(const ConvexLimits& limits, double radii) {
  ConvexLimits core = limits;
  // With the slack that add_radii takes off: what is enough for the cores must be so for the sets.
  if (radii > 0.0) core.enough = (limits.enough + radii) * (1.0 + 8.0 * unit_roundoff);
  if (limits.within >= 0.0) core.within += radii;
  // A share of the distance between the surfaces says nothing of the cores: they are asked for all.
  if (radii > 0.0) core.relative_error = 0.0;
  return core;
}

// The points of the surfaces: those of the cores, moved towards each other by the radii.
void move_points(const ConvexSet& a, const ConvexSet& b, bool cores_meet, ConvexDistance& result) {
  if (cores_meet) result.point_a = result.point_b = 0.5 * (result.point_a + result.point_b);
  Vector3 direction = result.direction;
  const Vector3 between = result.point_b - result.point_a;
  const double squared = between.squaredNorm();
  if (result.lower_core > 0.0 && squared > 0.0) direction = between * (1.0 / std::sqrt(squared));
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

void add_radii(const Difference& difference, bool is_closed, ConvexDistance& result) {
  const ConvexSet &a = *difference.a, &b = *difference.b;
  const double radii = a.radius + b.radius;
  result.lower = std::max(result.lower_core, 0.0);
  result.upper = result.upper_core;
  if (radii > 0.0) {
    // One rounding in the sum of the radii, one in the difference.
    const double slack = 2.0 * unit_roundoff * (radii + result.upper_core);
    const double lower_slack = 2.0 * unit_roundoff * (radii + std::abs(result.lower_core));
    const bool cores_meet = result.meets;
    result.lower = std::max(result.lower_core - radii - lower_slack, 0.0);
    result.upper = std::max(result.upper_core - radii + slack, 0.0);
    result.meets = cores_meet || result.upper <= 0.0;
    if (is_closed) {
      result.point_a += a.radius * result.direction;
      result.point_b -= b.radius * result.direction;
    } else {
      move_points(a, b, cores_meet, result);
    }
  } else if (result.meets) {
    move_points(a, b, true, result);
  }
  if (result.meets) result.lower = result.upper = 0.0;
  leave_core_frame(b, result);
}

bool distance_between_cores(const Difference& difference, ConvexMemory* memory, const ConvexLimits& limits,
                            ConvexDistance& core, Simplex* simplex) {
  const bool is_closed =
      is_box_pair(*difference.a, *difference.b)
          ? box_pair_distance(difference, core)
          : is_segment_pair(*difference.a, *difference.b) && segment_pair_distance(difference, core);
  if (!is_closed) {
    const double radii = difference.a->radius + difference.b->radius;
    gjk_distance(difference, memory, core_limits(limits, radii), core, simplex);
  }
  if (memory != nullptr) {
    memory->features = core.features;
    memory->direction = core.direction;
  }
  return is_closed;
}

ConvexDistance convex_distance(const ConvexSet& a, const Pose& a_to_b, const ConvexSet& b,
                               ConvexMemory* memory, const ConvexLimits& limits) {
  const Difference difference(a, a_to_b, b);
  if (!is_ordinary(difference)) return rescaled_distance(a, a_to_b, b, limits);
  ConvexDistance result;
  const bool is_closed = distance_between_cores(difference, memory, limits, result);
  add_radii(difference, is_closed, result);
  return result;
}

}  // namespace toccata::convex
