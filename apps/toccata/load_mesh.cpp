#include "load_mesh.hpp"

#include "command.hpp"
#include "toccata/io/mesh_io.hpp"
#ifdef TOCCATA_WITH_ASSIMP
#include "toccata/io/assimp_import.hpp"
#endif

namespace toccata::app {

Expected<TriangleMesh> load_any_mesh(const std::string& path) {
#ifdef TOCCATA_WITH_ASSIMP
  return load_mesh(path, {.importer = import_with_assimp});
#else
  const auto refuse = [](const std::string& name) -> Expected<TriangleMesh> {
    return Error{name +
                 ": expected a name that ends with .obj, .stl, .ply or .off; for other formats build with "
                 "Assimp (Debian: libassimp-dev)"};
  };
  return load_mesh(path, {.importer = refuse});
#endif
}

TriangleMesh load_mesh_argument(const std::string& path) {
  Expected<TriangleMesh> mesh = load_any_mesh(path);
  if (!mesh) throw UsageError(mesh.error().message);
  if (mesh->faces.empty()) throw UsageError(path + ": has no triangles");
  return std::move(*mesh);
}

}  // namespace toccata::app
