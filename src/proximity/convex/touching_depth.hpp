#pragma once
// The depth of two convex sets whose distance was asked for first.
#include "proximity/convex/convex_depth.hpp"

namespace toccata::convex {

// As convex_depth; `touching` is what convex_distance said of the same sets, not proven apart. Polytopes go
// on from the corners that it names, without a second walk.
ConvexDepth touching_depth(const ConvexSet& a, const Pose& a_to_b, const ConvexSet& b,
                           const ConvexDistance& touching);

}  // namespace toccata::convex
