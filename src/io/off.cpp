// Object File Format, ascii: the keyword (OFF, or COFF, NOFF, STOFF... whose extra columns are skipped),
// three counts, the vertices, the polygons.
#include <limits>

#include "io/mesh_formats.hpp"
#include "io/polygons.hpp"
#include "io/text_cursor.hpp"
#include "io/text_writer.hpp"

namespace toccata::io {
namespace {

constexpr char comment = '#';

void read_keyword(TextCursor& cursor) {
  cursor.skip_empty_lines(comment);
  const char* start = cursor.place();
  const std::string_view word = cursor.peek();
  if (!word.ends_with("OFF")) {
    // The keyword is optional, the counts are not.
    if (word.empty() || word[0] < '0' || word[0] > '9') cursor.fail_expected("the keyword OFF");
    return;
  }
  if (word.find_first_of("4n") != std::string_view::npos) {
    cursor.fail("expected vertices with three coordinates, found the keyword " + std::string(word), start);
  }
  cursor.token();
  if (cursor.peek() == "BINARY") cursor.fail("expected ascii OFF, found binary OFF", cursor.place());
}

std::int64_t read_count(TextCursor& cursor, const char* what, std::size_t least_bytes) {
  cursor.skip_empty_lines(comment);
  const char* start = cursor.place();
  const std::int64_t count = cursor.integer(what);
  if (count < 0 || count > std::numeric_limits<std::int32_t>::max()) {
    cursor.fail(std::string("expected ") + what + " from 0 to 2147483647, found " + std::to_string(count),
                start);
  }
  // The last line may lack its end.
  if (static_cast<std::size_t>(count) * least_bytes > cursor.remaining() + 1) {
    cursor.fail("expected data for the promised " + std::to_string(count) + " lines, found only " +
                    std::to_string(cursor.remaining()) + " bytes",
                start);
  }
  return count;
}

}  // namespace

TriangleMesh read_off(std::string_view content, std::string_view name) {
  TextCursor cursor(content, name);
  read_keyword(cursor);
  const std::int64_t vertices = read_count(cursor, "the number of vertices", sizeof "0 0 0");
  const std::int64_t faces = read_count(cursor, "the number of faces", sizeof "3 0 0 0");
  // The number of edges is rarely right and never needed; some files leave it out.
  if (!cursor.at_line_end() && *cursor.place() != comment) cursor.integer("the number of edges");
  cursor.next_line();

  TriangleMesh mesh;
  mesh.vertices.reserve(static_cast<std::size_t>(vertices));
  mesh.faces.reserve(static_cast<std::size_t>(faces));
  for (std::int64_t i = 0; i < vertices; ++i) {
    cursor.skip_empty_lines(comment);
    const double x = cursor.number("a number (coordinate)");
    const double y = cursor.number("a number (coordinate)");
    const double z = cursor.number("a number (coordinate)");
    mesh.vertices.emplace_back(x, y, z);
    cursor.next_line();
  }
  PolygonBuilder polygons(mesh.faces);
  for (std::int64_t i = 0; i < faces; ++i) {
    cursor.skip_empty_lines(comment);
    const char* start = cursor.place();
    const std::int64_t corners = cursor.integer("the number of corners");
    if (corners < 3) cursor.fail_expected("at least 3 corners", start);
    polygons.begin();
    for (std::int64_t k = 0; k < corners; ++k) {
      const std::int64_t index = cursor.integer("a vertex index");
      if (index < 0 || index >= vertices) {
        cursor.fail("expected a vertex index from 0 to " + std::to_string(vertices - 1) + ", found " +
                        std::to_string(index),
                    cursor.place());
      }
      polygons.add(static_cast<std::int32_t>(index));
    }
    polygons.end();
    cursor.next_line();
  }
  polygons.finish(mesh.vertices);
  return mesh;
}

std::string write_off(const TriangleMesh& mesh) {
  TextWriter out;
  out << "OFF\n" << mesh.vertices.size() << ' ' << mesh.faces.size() << " 0\n";
  for (const Vector3& p : mesh.vertices) out << p.x() << ' ' << p.y() << ' ' << p.z() << '\n';
  for (const Face& f : mesh.faces) out << "3 " << f[0] << ' ' << f[1] << ' ' << f[2] << '\n';
  return std::move(out).text();
}

}  // namespace toccata::io
