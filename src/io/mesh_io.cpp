#include "toccata/io/mesh_io.hpp"

#include <array>
#include <limits>
#include <new>
#include <utility>

#include "io/file_bytes.hpp"
#include "io/mesh_formats.hpp"
#include "io/read_failure.hpp"
#include "toccata/io/numpy_io.hpp"

namespace toccata {
namespace {

constexpr std::array<std::pair<std::string_view, MeshFormat>, 4> extensions = {
    {{"obj", MeshFormat::Obj}, {"stl", MeshFormat::Stl}, {"ply", MeshFormat::Ply}, {"off", MeshFormat::Off}}};

std::string lower_case_extension(const std::string& path) {
  const std::size_t dot = path.find_last_of("./");
  if (dot == std::string::npos || path[dot] == '/') return "";
  std::string extension = path.substr(dot + 1);
  for (char& c : extension) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return extension;
}

// Some editors begin a text with a byte-order mark. That of UTF-8 says nothing; the others say that every
// letter takes two bytes, which no mesh format allows.
std::string_view without_byte_order_mark(std::string_view content, std::string_view name) {
  if (content.starts_with("\xef\xbb\xbf")) return content.substr(3);
  if (content.starts_with("\xff\xfe") || content.starts_with("\xfe\xff"))
    throw io::ReadFailure{std::string(name) + ":1: expected plain text, found UTF-16; save it as UTF-8"};
  return content;
}

TriangleMesh read(std::string_view content, MeshFormat format, std::string_view name, bool weld) {
  if (format != MeshFormat::Stl) content = without_byte_order_mark(content, name);
  switch (format) {
    case MeshFormat::Obj:
      return io::read_obj(content, name);
    case MeshFormat::Stl:
      if (!io::is_binary_stl(content)) content = without_byte_order_mark(content, name);
      return io::read_stl(content, name, weld);
    case MeshFormat::Ply:
      return io::read_ply(content, name);
    case MeshFormat::Off:
      return io::read_off(content, name);
  }
  return {};
}

bool fits_binary_stl(const TriangleMesh& mesh) {
  constexpr double limit = std::numeric_limits<float>::max();
  for (const Vector3& p : mesh.vertices) {
    if (p.cwiseAbs().maxCoeff() > limit) return false;
  }
  return mesh.faces.size() <= std::numeric_limits<std::uint32_t>::max();
}

}  // namespace

Expected<MeshFormat> mesh_format_of(const std::string& path) {
  const std::string extension = lower_case_extension(path);
  for (const auto& [name, format] : extensions) {
    if (extension == name) return format;
  }
  return Error{path + ": expected a name that ends with .obj, .stl, .ply or .off"};
}

Expected<TriangleMesh> load_mesh(const std::string& path, const LoadMeshOptions& options) {
  const Expected<MeshFormat> format = mesh_format_of(path);
  // A file that cannot be read is the better reason, whatever its name.
  const Expected<io::FileBytes> file = io::FileBytes::map(path);
  if (!file) return file.error();
  if (is_numpy_file(path)) return parse_numpy_mesh(file->view(), path);
  if (!format) {
    if (options.importer != nullptr) return options.importer(path);
    return Error{path + ": expected a name that ends with .obj, .stl, .ply, .off, .npz or .npy"};
  }
  return parse_mesh(file->view(), *format, path, options);
}

Expected<TriangleMesh> parse_mesh(std::string_view content, MeshFormat format, std::string_view name,
                                  const LoadMeshOptions& options) {
  try {
    TriangleMesh mesh = read(content, format, name, options.weld_stl);
    if (mesh.vertices.empty()) return Error{std::string(name) + ": the file holds no vertices"};
    return mesh;
  } catch (const io::ReadFailure& failure) {
    return Error{failure.message};
  } catch (const std::bad_alloc&) {
    return Error{std::string(name) + ": not enough memory for the mesh"};
  }
}

Expected<std::string> format_mesh(const TriangleMesh& mesh, MeshFormat format, bool ascii) {
  const Expected<MeshSummary> summary = validate(mesh);
  if (!summary) return summary.error();
  switch (format) {
    case MeshFormat::Obj:
      return io::write_obj(mesh);
    case MeshFormat::Off:
      return io::write_off(mesh);
    case MeshFormat::Ply:
      return io::write_ply(mesh, ascii);
    case MeshFormat::Stl:
      break;
  }
  if (!ascii && !fits_binary_stl(mesh)) {
    return Error{
        "binary STL holds single precision: a coordinate or the number of faces is too large for it"};
  }
  return io::write_stl(mesh, ascii);
}

Expected<SavedMesh> save_mesh(const std::string& path, const TriangleMesh& mesh,
                              const SaveMeshOptions& options) {
  const Expected<MeshFormat> format = mesh_format_of(path);
  if (!format) return format.error();
  const Expected<std::string> content = format_mesh(mesh, *format, options.ascii);
  if (!content) return Error{path + ": " + content.error().message};
  const Expected<std::size_t> written = io::write_file(path, *content, options.force);
  if (!written) return written.error();
  return SavedMesh{*written};
}

}  // namespace toccata
