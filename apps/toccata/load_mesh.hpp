#pragma once
// Meshes for the commands: every format the library reads, and what Assimp adds where it was built in.
#include <string>

#include "toccata/command.hpp"
#include "toccata/io/mesh_io.hpp"
#ifdef TOCCATA_WITH_ASSIMP
#include "toccata/io/assimp_import.hpp"
#endif

namespace toccata::app {

// Throws UsageError with the reader's message.
inline TriangleMesh load_mesh_argument(const std::string& path) {
  LoadMeshOptions options;
#ifdef TOCCATA_WITH_ASSIMP
  options.importer = import_with_assimp;
#endif
  Expected<TriangleMesh> mesh = load_mesh(path, options);
  if (!mesh) throw UsageError(mesh.error().message);
  return std::move(*mesh);
}

}  // namespace toccata::app
