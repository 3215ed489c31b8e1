#include "proximity/convex/core_pair.hpp"

#include <algorithm>
#include <cmath>

namespace toccata::convex {
namespace {

double largest_coordinate(const ConvexSet& a, const Pose& a_to_b, const ConvexSet& b) {
  double largest = std::max(
      {a.radius, b.radius, a.half.maxCoeff(), b.half.maxCoeff(), a_to_b.translation.cwiseAbs().maxCoeff(),
       a.place.translation.cwiseAbs().maxCoeff(), b.place.translation.cwiseAbs().maxCoeff()});
  for (const ConvexSet* set : {&a, &b}) {
    for (const Vector3& p : set->points) largest = std::max(largest, p.cwiseAbs().maxCoeff());
  }
  return largest;
}

double rescaling_factor(const ConvexSet& a, const Pose& a_to_b, const ConvexSet& b) {
  return std::ldexp(1.0, std::clamp(-std::ilogb(largest_coordinate(a, a_to_b, b)), -1020, 1020));
}

}  // namespace

bool is_ordinary(const Difference& difference) {
  const double largest = std::max({difference.scale, difference.a->radius, difference.b->radius});
  if (largest > 0x1p-200) return largest < 0x1p+200;
  // Lengths of zero may be squares that vanished.
  return largest == 0.0 && largest_coordinate(*difference.a, difference.a_to_b, *difference.b) == 0.0;
}

RescaledSet::RescaledSet(const ConvexSet& from, double factor) : set(from) {
  points.reserve(from.points.size());
  for (const Vector3& p : from.points) points.push_back(factor * p);
  set.points = points;
  set.index = nullptr;
  set.half *= factor;
  set.radius *= factor;
  set.place.translation *= factor;
  set.reach = -1.0;
}

RescaledPair::RescaledPair(const ConvexSet& set_a, const Pose& set_a_to_b, const ConvexSet& set_b,
                           const ConvexLimits& set_limits)
    : factor(rescaling_factor(set_a, set_a_to_b, set_b)),
      back(1.0 / factor),
      a(set_a, factor),
      b(set_b, factor),
      a_to_b(set_a_to_b.rotation, factor * set_a_to_b.translation),
      limits(set_limits) {
  limits.absolute_error *= factor;
  limits.enough *= factor;
  if (limits.within > 0.0) limits.within *= factor;
}

void scale_back(ConvexDistance& result, double back) {
  result.lower = std::max(next_down(result.lower * back), 0.0);
  result.upper = result.meets ? 0.0 : next_up(result.upper * back);
  result.lower_core = next_down(result.lower_core * back);
  result.upper_core = next_up(result.upper_core * back);
  result.point_a *= back;
  result.point_b *= back;
}

}  // namespace toccata::convex
