#pragma once
// Where a medial mesh does not yet enclose a mesh.
#include <vector>

#include "toccata/proximity/enclosure.hpp"

namespace toccata::medial {

// A corner of each piece of a triangle that is not proven inside, the one farthest outside, where radii would
// have to be larger by `least` for it.
// precondition: both are all right
std::vector<Vector3> open_points(const TriangleMesh& mesh, const MedialMesh& medial,
                                 const EnclosureOptions& options, double least);

}  // namespace toccata::medial
