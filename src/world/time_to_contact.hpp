#pragma once
// When two moving bodies can touch at the earliest: the bound by which pairs are scheduled.
#include "world/kept_body.hpp"

namespace toccata::world {

// Their surfaces are proven farther apart than `distance` from `from` on, before the time returned; above 1
// if until the end. By the balls about their shapes' centres, or one ball and a plane at rest: the course's
// (sqrt(v^2 + 2 a d) - v) / a, with a signed v; where velocities are constant, the balls about the points
// that go straight.
double time_to_contact(const SeenBody& a, const SeenBody& b, double distance, double from = 0.0);

}  // namespace toccata::world
