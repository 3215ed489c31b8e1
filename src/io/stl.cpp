// STL, ascii and binary, told apart by the length that a binary header promises, or else by the word "solid"
// at the start of a text. Normals are skipped: they follow from the corners.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "geometry/vertex_welder.hpp"
#include "io/byte_order.hpp"
#include "io/mesh_formats.hpp"
#include "io/read_failure.hpp"
#include "io/text_cursor.hpp"
#include "io/text_writer.hpp"

namespace toccata::io {
namespace {

constexpr std::size_t header_bytes = 80;
constexpr std::size_t data_begin = header_bytes + 4;
constexpr std::size_t facet_bytes = 50;  // a normal and three corners in float, and two bytes unused

bool equal_ignoring_case(std::string_view a, std::string_view lower_case) {
  return a.size() == lower_case.size() &&
         std::equal(a.begin(), a.end(), lower_case.begin(),
                    [](char x, char y) { return (x >= 'A' && x <= 'Z' ? x - 'A' + 'a' : x) == y; });
}

std::uint64_t promised_bytes(std::string_view content) {
  return data_begin + std::uint64_t{facet_bytes} * read_number<std::uint32_t>(content.data() + header_bytes);
}

// A text may begin with a byte-order mark and empty lines. Many binary files begin with "solid", too, but no
// text has a zero byte.
bool looks_like_text(std::string_view content) {
  if (content.starts_with("\xff\xfe") || content.starts_with("\xfe\xff"))
    return true;  // UTF-16, refused as such
  if (content.starts_with("\xef\xbb\xbf")) content.remove_prefix(3);
  const std::size_t word = content.find_first_not_of(" \t\r\n");
  if (word == std::string_view::npos || !equal_ignoring_case(content.substr(word, 5), "solid")) return false;
  return content.substr(0, data_begin + facet_bytes).find('\0') == std::string_view::npos;
}

// After the triangles: less than one more, or nothing but zeros and blanks.
bool is_harmless_end(std::string_view rest) {
  return rest.size() < facet_bytes ||
         rest.find_first_not_of(std::string_view("\0 \t\r\n", 5)) == std::string_view::npos;
}

TriangleMesh read_binary(std::string_view content, std::string_view name, bool weld) {
  const auto fail = [&](std::size_t byte, const std::string& message) {
    throw ReadFailure{std::string(name) + ": byte " + std::to_string(byte) + ": " + message};
  };
  if (content.size() < data_begin) {
    fail(0, "expected the word solid, or a binary STL header of 84 bytes; found " +
                std::to_string(content.size()) + " bytes");
  }
  const auto facets = read_number<std::uint32_t>(content.data() + header_bytes);
  if (promised_bytes(content) > content.size()) {
    fail(header_bytes, "expected " + std::to_string(promised_bytes(content)) + " bytes for the promised " +
                           std::to_string(facets) + " triangles, found " + std::to_string(content.size()));
  }
  const std::string_view rest = content.substr(promised_bytes(content));
  if (!is_harmless_end(rest)) {
    fail(promised_bytes(content),
         "expected the end after the promised " + std::to_string(facets) + " triangles, found " +
             std::to_string(rest.size()) +
             " bytes more: the number of triangles at byte 80 is wrong, or something "
             "was appended");
  }
  if (facets > std::numeric_limits<std::int32_t>::max() / 3) {
    fail(header_bytes, "expected at most 715827882 triangles, found " + std::to_string(facets));
  }
  TriangleMesh mesh;
  mesh.faces.reserve(facets);
  VertexWelder welder(mesh.vertices, weld);
  for (std::size_t i = 0; i < facets; ++i) {
    const std::size_t facet = data_begin + i * facet_bytes;
    Face& face = mesh.faces.emplace_back();
    for (std::size_t corner = 0; corner < 3; ++corner) {
      const std::size_t place = facet + 12 * (corner + 1);
      const Vector3 point(read_number<float>(content.data() + place),
                          read_number<float>(content.data() + place + 4),
                          read_number<float>(content.data() + place + 8));
      if (!point.allFinite()) fail(place, "expected finite coordinates, found infinity or NaN");
      face[corner] = welder.index(point);
    }
  }
  return mesh;
}

class AsciiReader {
 public:
  AsciiReader(std::string_view content, std::string_view name, bool weld)
      : cursor_(content, name), welder_(mesh_.vertices, weld) {}

  TriangleMesh read() {
    for (cursor_.skip_empty_lines(); !cursor_.at_end(); cursor_.skip_empty_lines()) solid();
    return std::move(mesh_);
  }

 private:
  void solid() {
    expect("solid");
    cursor_.next_line();  // the name
    for (;;) {
      cursor_.skip_empty_lines();
      if (equal_ignoring_case(cursor_.peek(), "endsolid")) break;
      if (!equal_ignoring_case(cursor_.peek(), "facet")) cursor_.fail_expected("facet or endsolid");
      facet();
    }
    cursor_.next_line();
  }

  void facet() {
    cursor_.next_line();  // facet normal x y z
    expect("outer");
    expect("loop");
    Face face{};
    for (std::int32_t& corner : face) {
      expect("vertex");
      const double x = cursor_.number("a number (coordinate)");
      const double y = cursor_.number("a number (coordinate)");
      const double z = cursor_.number("a number (coordinate)");
      if (mesh_.vertices.size() == static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
        cursor_.fail("expected at most 2147483647 vertices, found more", cursor_.place());
      }
      corner = welder_.index({x, y, z});
    }
    expect("endloop");
    expect("endfacet");
    mesh_.faces.push_back(face);
  }

  void expect(const char* word) {
    cursor_.skip_empty_lines();
    if (!equal_ignoring_case(cursor_.peek(), word)) cursor_.fail_expected(word);
    cursor_.token();
  }

  TextCursor cursor_;
  TriangleMesh mesh_;
  VertexWelder welder_;
};

// A unit vector, or zero for a degenerate triangle, as the format wants it.
Vector3 facet_normal(const std::array<Vector3, 3>& p) {
  const Vector3 u = p[1] - p[0], v = p[2] - p[0];
  const Vector3 n(u.y() * v.z() - u.z() * v.y(), u.z() * v.x() - u.x() * v.z(),
                  u.x() * v.y() - u.y() * v.x());
  const double length = n.norm();
  return length > 0 && std::isfinite(length) ? Vector3(n / length) : Vector3(Vector3::Zero());
}

std::string write_binary(const TriangleMesh& mesh) {
  std::string out = "Toccata binary STL";
  out.resize(header_bytes, ' ');
  out.reserve(data_begin + facet_bytes * mesh.faces.size());
  append_number(out, static_cast<std::uint32_t>(mesh.faces.size()));
  const auto append = [&](const Vector3& v) {
    for (int axis = 0; axis < 3; ++axis) append_number(out, static_cast<float>(v[axis]));
  };
  for (const Face& f : mesh.faces) {
    const std::array<Vector3, 3> p = {mesh.vertices[f[0]], mesh.vertices[f[1]], mesh.vertices[f[2]]};
    append(facet_normal(p));
    for (const Vector3& corner : p) append(corner);
    append_number(out, std::uint16_t{0});
  }
  return out;
}

std::string write_ascii(const TriangleMesh& mesh) {
  TextWriter out;
  const auto write = [&](const char* before, const Vector3& v) {
    out << before << v.x() << ' ' << v.y() << ' ' << v.z() << '\n';
  };
  out << "solid toccata\n";
  for (const Face& f : mesh.faces) {
    const std::array<Vector3, 3> p = {mesh.vertices[f[0]], mesh.vertices[f[1]], mesh.vertices[f[2]]};
    write("facet normal ", facet_normal(p));
    out << "outer loop\n";
    for (const Vector3& corner : p) write("vertex ", corner);
    out << "endloop\nendfacet\n";
  }
  out << "endsolid toccata\n";
  return std::move(out).text();
}

}  // namespace

bool is_binary_stl(std::string_view content) {
  if (content.size() >= data_begin && promised_bytes(content) == content.size()) return true;
  return !looks_like_text(content);
}

TriangleMesh read_stl(std::string_view content, std::string_view name, bool weld) {
  if (is_binary_stl(content)) return read_binary(content, name, weld);
  return AsciiReader(content, name, weld).read();
}

std::string write_stl(const TriangleMesh& mesh, bool ascii) {
  return ascii ? write_ascii(mesh) : write_binary(mesh);
}

}  // namespace toccata::io
