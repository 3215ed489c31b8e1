#pragma once
// Triangle meshes from and to files: OBJ, STL (ascii and binary), PLY (ascii, little- and big-endian), OFF.
//
// Polygons are triangulated (convex ones as fans, concave ones by ear clipping), vertices stay in the order
// of the file. Errors are one line: the file, the line (text) or byte (binary), what was expected and what
// was found. Nothing is allocated for what a header promises until the file is known to be long enough.
// A file must not be shortened by someone else while it is read (it is mapped into memory).
#include <cstddef>
#include <string>
#include <string_view>

#include "toccata/base/expected.hpp"
#include "toccata/geometry/triangle_mesh.hpp"

namespace toccata {

enum class MeshFormat { Obj, Stl, Ply, Off };

constexpr std::string_view to_string(MeshFormat format) {
  switch (format) {
    case MeshFormat::Obj:
      return "OBJ";
    case MeshFormat::Stl:
      return "STL";
    case MeshFormat::Ply:
      return "PLY";
    case MeshFormat::Off:
      return "OFF";
  }
  return "unknown";
}

// By the extension, whatever its case; an error lists what is known.
Expected<MeshFormat> mesh_format_of(const std::string& path);

struct LoadMeshOptions {
  // STL repeats a vertex in every triangle: vertices with equal coordinates become one. Off keeps the soup.
  bool weld_stl = true;
  // Asked for files with an extension that is not built in, e.g. import_with_assimp; none = an error.
  Expected<TriangleMesh> (*importer)(const std::string& path) = nullptr;
};

// The mesh is valid as `validate` understands it: at least one vertex, all coordinates finite, all indices
// in range. It may have no faces (a point cloud).
Expected<TriangleMesh> load_mesh(const std::string& path, const LoadMeshOptions& options = {});

// The same from memory; `name` stands for the file in errors.
Expected<TriangleMesh> parse_mesh(std::string_view content, MeshFormat format, std::string_view name = "mesh",
                                  const LoadMeshOptions& options = {});

struct SaveMeshOptions {
  bool force = false;  // replace an existing file; otherwise that is an error
  bool ascii = false;  // STL and PLY as text; OBJ and OFF always are
};

struct SavedMesh {
  std::size_t bytes = 0;  // size of the file
};

// The format follows the extension. Coordinates survive exactly, except in binary STL, which is single
// precision. The file appears whole or not at all.
Expected<SavedMesh> save_mesh(const std::string& path, const TriangleMesh& mesh,
                              const SaveMeshOptions& options = {});

// The content `save_mesh` would write.
Expected<std::string> format_mesh(const TriangleMesh& mesh, MeshFormat format, bool ascii = false);

}  // namespace toccata
