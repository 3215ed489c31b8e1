#pragma once
// Shapes that are one convex set each: their distance from the bracket of the sets, without the detour of
// pieces.
#include "proximity/convex/convex_distance.hpp"
#include "toccata/proximity/distance.hpp"

namespace toccata::proximity {

// From the bracket of sets that do not touch. The result as new.
void tell_sets_apart(const PlacedShape& a, const PlacedShape& b, const convex::ConvexDistance& bracket,
                     double limit, DistanceResult& result);

}  // namespace toccata::proximity
