#pragma once
// When do particles, or strands, first touch a body that is given as a shape or as a distance field, and
// moves?
//
//   const ParticleContacts found = first_contacts(PointPaths{positions_t0, positions_t1}, Body{mesh, turn});
//   const double when = found.paths[0].time;
//
// Guarantee, for the motions in real arithmetic on the doubles as given: a contact is never missed, its time
// is never later than the true first contact, and at it the particle (a point of the strand) is within
// minimum distance + tolerance of the surface. A mesh that deforms: see ccd/deformable/particle_contacts.hpp.
#include "toccata/ccd/body.hpp"
#include "toccata/ccd/particle_paths.hpp"
#include "toccata/field/distance_field.hpp"
#include "toccata/report/particle_contacts.hpp"

namespace toccata {

// A body known by its field.
struct FieldBody {
  DistanceField field;
  OwnedMotion motion = {};
};

// `solid` of the body does not matter here: see ParticleOptions.
ParticleContacts first_contacts(const PointPaths& particles, const Body& body,
                                const ParticleOptions& options = {});
ParticleContacts first_contacts(const PointPaths& particles, const FieldBody& body,
                                const ParticleOptions& options = {});
ParticleContacts first_contacts(const StrandPaths& strands, const Body& body,
                                const ParticleOptions& options = {});
ParticleContacts first_contacts(const StrandPaths& strands, const FieldBody& body,
                                const ParticleOptions& options = {});

}  // namespace toccata
