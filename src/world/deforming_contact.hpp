#pragma once
// The first contact of a deforming mesh with a body that moves, or with another deforming mesh.
#include "base/stop_watch.hpp"
#include "toccata/bound/aabb.hpp"
#include "toccata/ccd/rigid/first_contact.hpp"
#include "toccata/world/deforming_body.hpp"
#include "world/asked_bodies.hpp"

namespace toccata::world {

// Fails for what cannot be asked about: no triangles, corners that are missing or not finite.
std::string failure_of(const DeformingBody& body);

// Where it is over [from, 1].
Aabb deforming_box(const DeformingBody& body, double from = 0.0);

struct DeformingQuestion {
  double begin = 0.0;  // from then on, as if it were the start
  double tolerance = 0.0;
  const FirstContactOptions& options;  // the tolerance is the one above
  const StopWatch* stop = nullptr;     // null: nothing stops it
};

// As first_contact of two bodies: never late, Contact as soon as they are within the tolerance of the minimum
// distance; `upper` of a contact stays 1, poses are the identity for what deforms. What is inside a solid at
// t = 0 overlaps it. AtStart::Skip: an overlap at t = 0 is followed until the two are apart, to
// tolerances::exit_resolution in time, and the contact is the next one.
// precondition: one of the pair deforms.
FirstContactResult deforming_contact(const AskedBodies& bodies, const IndexPair& pair,
                                     const DeformingQuestion& question);

}  // namespace toccata::world
