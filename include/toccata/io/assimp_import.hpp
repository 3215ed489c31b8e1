#pragma once
// Meshes in the many formats that the Assimp library reads (glTF, Collada, FBX, 3DS...). Optional component:
// link Toccata::assimp. Use it as the importer of load_mesh:
//
//   load_mesh("robot.dae", {.importer = import_with_assimp});
#include <string>

#include "toccata/base/expected.hpp"
#include "toccata/geometry/triangle_mesh.hpp"

namespace toccata {

// All meshes of the file in one, placed as its nodes place them; polygons are triangulated, vertices with
// equal coordinates become one, points and lines are left out. Assimp holds coordinates in single precision.
Expected<TriangleMesh> import_with_assimp(const std::string& path);

}  // namespace toccata
