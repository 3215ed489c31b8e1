#pragma once
// The contact of two pieces at given poses, in world coordinates.
#include "hierarchy/piece.hpp"
#include "proximity/convex/convex_distance.hpp"
#include "toccata/base/pose.hpp"
#include "toccata/hierarchy/shape.hpp"
#include "toccata/report/contact.hpp"

namespace toccata::proximity {

// Where pieces overlap, the distance is 0, the points are one of both, and the normal is the direction along
// which they come apart soonest.
Contact contact_of(const Shape& shape_a, const Pose& pose_a, std::int32_t piece_a, const Shape& shape_b,
                   const Pose& pose_b, std::int32_t piece_b);

// The same from a bracket in b's coordinates that is known already.
Contact world_contact(const Piece& a, std::int32_t number_a, const Piece& b, std::int32_t number_b,
                      const convex::ConvexDistance& distance, const Pose& a_to_b, const Pose& b_to_world);

}  // namespace toccata::proximity
