#pragma once
// When do particles, or strands, first touch a mesh that deforms? Exact on the doubles as given, without
// preparation (see deformable_scene.hpp); `tolerance`, `refine` and `budget` of the options play no part.
//
//   const ParticleContacts found = first_contacts(PointPaths{from, to}, DeformingMesh{skin_t0, skin_t1,
//   faces});
#include <span>

#include "toccata/ccd/particle_paths.hpp"
#include "toccata/geometry/triangle_mesh.hpp"
#include "toccata/report/particle_contacts.hpp"

namespace toccata {

// A mesh whose vertices move on straight lines over t in [0, 1].
struct DeformingMesh {
  std::span<const Vector3> vertices_t0;
  std::span<const Vector3> vertices_t1;
  std::span<const Face> faces;
};

ParticleContacts first_contacts(const PointPaths& particles, const DeformingMesh& mesh,
                                const ParticleOptions& options = {});
ParticleContacts first_contacts(const StrandPaths& strands, const DeformingMesh& mesh,
                                const ParticleOptions& options = {});

}  // namespace toccata
