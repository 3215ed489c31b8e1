// Any bytes, as any mesh format, give a valid mesh or an error; what was read survives being written.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "toccata/io/mesh_io.hpp"

using namespace toccata;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto format = static_cast<MeshFormat>(data[0] % 4);
  const bool ascii = (data[0] & 4) != 0;
  const std::string_view content(reinterpret_cast<const char*>(data + 1), size - 1);
  const Expected<TriangleMesh> mesh = parse_mesh(content, format, "fuzz");
  if (!mesh) {
    if (mesh.error().message.rfind("fuzz:", 0) != 0) std::abort();
    return 0;
  }
  if (mesh->vertices.empty() || !validate(*mesh)) std::abort();
  // PLY, OBJ and OFF keep every coordinate and index.
  const auto other = static_cast<MeshFormat>((data[0] / 8) % 4);
  const Expected<std::string> text = format_mesh(*mesh, other, ascii);
  if (!text) return 0;  // too large for single precision
  const Expected<TriangleMesh> again = parse_mesh(*text, other, "again");
  if (other == MeshFormat::Stl) return 0;  // holds triangles only
  if (!again || again->vertices != mesh->vertices || again->faces != mesh->faces) std::abort();
  return 0;
}
