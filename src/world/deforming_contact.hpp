#pragma once
// The first contact of a deforming mesh with a body that moves, or with another deforming mesh.
#include "base/stop_watch.hpp"
#include "toccata/bound/aabb.hpp"
#include "toccata/ccd/rigid/first_contact.hpp"
#include "toccata/world/deforming_body.hpp"

namespace toccata::world {

// Fails for what cannot be asked about: no triangles, corners that are missing or not finite.
std::string failure_of(const DeformingBody& body);

// Where it is over [0, 1].
Aabb deforming_box(const DeformingBody& body);

// As first_contact of two bodies: never late, Contact as soon as they are within the tolerance of the minimum
// distance; `upper` of a contact stays 1, poses are the identity for what deforms. What is inside a solid at
// the start overlaps it. Of the options the tolerance is the one given; AtStart::Skip ends Failed.
FirstContactResult deforming_contact(const DeformingBody& a, const Body& b, double tolerance,
                                     const FirstContactOptions& options, const StopWatch* stop);
FirstContactResult deforming_contact(const DeformingBody& a, const DeformingBody& b, double tolerance,
                                     const FirstContactOptions& options, const StopWatch* stop);

}  // namespace toccata::world
