#pragma once
// Bodies of the benchmark, and the clock.
#include <optional>
#include <string>
#include <string_view>

#include "toccata/geometry/triangle_mesh.hpp"
#include "toccata/proximity/medial_proxy.hpp"

namespace toccata::bench {

double cpu_seconds();  // of the process
double wall_seconds();

// NAME.off of the folder (libcgal-demo's data/meshes), or "knot" (34,560 triangles) and "ring" (1,152) made
// here: in a unit box about the origin. None, and a word on stderr, if there is no such file or it is not
// closed.
std::optional<TriangleMesh> body(const std::string& folder, std::string_view name);
TriangleMesh in_unit_box(TriangleMesh mesh);

// How many tests of cone against cone and of ball against slab the paper counts for the two.
long elementary_pairs(const MedialMesh& a, const MedialMesh& b);

}  // namespace toccata::bench
