#pragma once
// Two convex sets that move without turning: where does the ray of their motion enter their Minkowski
// difference? Polytopes by a portal, a triangle of the difference that the ray passes through and that moves
// towards it until it is a face (a moving GJK that keeps what the ray needs); cores of one or two points with
// a radius, balls and capsules, in closed form. A hint: whoever follows its direction proves what it says.
#include "ccd/search/touching_corners.hpp"

namespace toccata::search {

struct StraightCast {
  Vector3 normal = Vector3::Zero();  // unit, from a to b: the one of the contact, or one along which they
                                     // pass each other; zero if none was found
  TouchingCorners corners;           // of the face that is entered; known of polytopes in contact only
};

// Neither has a place of its own. velocity: of b against a, in b's coordinates, per time; span: later
// contacts are of no interest.
StraightCast polytope_cast(const ConvexSet& a, const Pose& a_to_b, const ConvexSet& b,
                           const Vector3& velocity, double span);

// Is each the ball of some radius around a point or a segment?
bool are_balls_or_capsules(const ConvexSet& a, const ConvexSet& b);
// Of those, until they are `distance` apart.
StraightCast capsule_cast(const ConvexSet& a, const Pose& a_to_b, const ConvexSet& b, const Vector3& velocity,
                          double distance);

}  // namespace toccata::search
