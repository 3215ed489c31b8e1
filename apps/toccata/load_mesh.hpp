#pragma once
// Meshes for the commands: every format the library reads, and what Assimp adds where it was built in.
#include <string>

#include "toccata/base/expected.hpp"
#include "toccata/geometry/triangle_mesh.hpp"

namespace toccata::app {

// The reader's message, or which formats this program lacks.
Expected<TriangleMesh> load_any_mesh(const std::string& path);

// Throws UsageError; a mesh without triangles is one.
TriangleMesh load_mesh_argument(const std::string& path);

}  // namespace toccata::app
