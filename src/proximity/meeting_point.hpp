#pragma once
// Where two pieces meet: a point of both.
#include "hierarchy/piece.hpp"
#include "proximity/convex/convex_depth.hpp"

namespace toccata::proximity {

// In b's coordinates, in both pieces up to 256 u of the lengths that enter; halfway if they only nearly share
// a point. The middle of the deepest points if closed forms see it in both, as where an overlap is shallow;
// else one of those (a small body deep inside of a large one); else the point where the distance found that
// they meet (bars through each other, hulls). `d`: what convex_distance said of the pieces, not proven apart.
Vector3 meeting_point(const Piece& a, const Pose& a_to_b, const Piece& b, const convex::ConvexDistance& d,
                      const convex::ConvexDepth& depth);

}  // namespace toccata::proximity
