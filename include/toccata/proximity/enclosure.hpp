#pragma once
// Does a medial mesh hold every triangle of a mesh? Proven, or not said.
// A primitive is convex: a triangle whose corners are in it is in it. A corner is in it if some ball of it
// holds the corner, however that ball was found. A triangle that no single primitive takes is cut in four.
// Roundings are counted on the safe side. docs/notes/medial_bounds.md has the proof.
#include <cstdint>
#include <span>
#include <vector>

#include "toccata/base/expected.hpp"
#include "toccata/geometry/medial_mesh.hpp"
#include "toccata/hierarchy/shape.hpp"

namespace toccata {

struct EnclosureOptions {
  // Pieces of triangles are cut no further once their sides are as short as this; 0: a thousandth of the size
  // of the mesh. A triangle is cut ten times at most.
  double finest = 0.0;
  int threads = 0;  // 0 = all cores; the answers do not depend on it
};

struct EnclosureResult {
  bool holds = false;               // proven: every triangle is in the union of the primitives
  std::int32_t triangle = -1;       // the first that is not proven; -1: none, or an input is wrong
  Vector3 point = Vector3::Zero();  // of it: the corner of a piece that is farthest outside
  double missing = 0.0;     // how much larger the radii nearest to it would have to be for that piece, about
  std::int64_t pieces = 0;  // of triangles that were looked at
  std::string failure;      // what is wrong with the medial mesh or the mesh; empty if nothing is
};

EnclosureResult encloses(const TriangleMesh& mesh, const MedialMesh& medial,
                         const EnclosureOptions& options = {});

// Over a step in which vertices, centres and radii all go straight: x(t) - c(t) is linear, its length convex
// and the radius linear, so that a ball which holds a corner at both ends does so all the time. Both meshes
// have the same faces, both medial meshes the same primitives.
EnclosureResult encloses_step(const TriangleMesh& mesh_t0, const TriangleMesh& mesh_t1,
                              const MedialMesh& medial_t0, const MedialMesh& medial_t1,
                              const EnclosureOptions& options = {});

// Radii made larger, ball by ball, where the proof needs it, until it holds.
struct DilatedMedialMesh {
  MedialMesh mesh;
  std::vector<double> dilations;  // of each ball
  double largest = 0.0;           // of them
  double mean = 0.0;
  std::int64_t pieces = 0;  // of the last proof
};
// Error: an input is wrong, or a hundred rounds were not enough (numbers beyond double).
Expected<DilatedMedialMesh> dilated_to_enclose(const TriangleMesh& mesh, const MedialMesh& medial,
                                               const EnclosureOptions& options = {});
// The same over a step: radii grow alike at both ends.
Expected<DilatedMedialMesh> dilated_to_enclose_step(const TriangleMesh& mesh_t0, const TriangleMesh& mesh_t1,
                                                    const MedialMesh& medial_t0, const MedialMesh& medial_t1,
                                                    const EnclosureOptions& options = {});

// How far a medial mesh sticks out of a solid: the farthest that a point of a primitive is from it, proven.
struct Protrusion {
  double upper = 0.0;                // no point of any primitive is farther than this from the solid
  double lower = 0.0;                // and some ball of one does stick out as far as this
  std::vector<double> of_primitive;  // `upper` of each of medial_primitives
};
struct ProtrusionOptions {
  // Good enough: `upper` within this share of it, or this distance, of what was seen.
  double relative_error = 0.01;
  double absolute_error = 0.0;
  int threads = 0;
};
// Error: the mesh is not closed, or an input is wrong.
Expected<Protrusion> protrusion(const MedialMesh& medial, const Shape& mesh,
                                const ProtrusionOptions& options = {});

}  // namespace toccata
