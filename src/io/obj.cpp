// Wavefront OBJ: v and f count, every other statement is skipped; indices may be negative (relative) and
// may name vertices that come later in the file.
#include <algorithm>
#include <array>
#include <limits>

#include "io/mesh_formats.hpp"
#include "io/polygons.hpp"
#include "io/text_cursor.hpp"
#include "io/text_writer.hpp"

namespace toccata::io {
namespace {

constexpr std::array<std::string_view, 41> skipped_statements = {
    "vt",        "vn",     "vp",       "l",        "p",     "g",     "s",      "o",    "mg",
    "usemtl",    "mtllib", "usemap",   "maplib",   "lod",   "bevel", "cstype", "deg",  "bmat",
    "step",      "curv",   "curv2",    "surf",     "parm",  "trim",  "hole",   "scrv", "sp",
    "end",       "con",    "c_interp", "d_interp", "ctech", "stech", "call",   "csh",  "shadow_obj",
    "trace_obj", "bsp",    "bzp",      "cdc",      "res"};

class ObjReader {
 public:
  ObjReader(std::string_view content, std::string_view name)
      : content_(content), cursor_(content, name, true), polygons_(mesh_.faces) {}

  TriangleMesh read() {
    for (cursor_.skip_empty_lines(); !cursor_.at_end(); cursor_.skip_empty_lines()) {
      // A comment ends with its line, even after a backslash.
      if (*cursor_.place() == '#') {
        cursor_.skip_empty_lines('#');
        continue;
      }
      const char* start = cursor_.place();
      const std::string_view statement = cursor_.token();
      if (statement == "v") {
        vertex();
      } else if (statement == "f" || statement == "fo") {
        face();
      } else if (std::find(skipped_statements.begin(), skipped_statements.end(), statement) ==
                 skipped_statements.end()) {
        cursor_.fail_expected("an OBJ statement (v, f, vn, ...)", start);
      }
      cursor_.next_line();
    }
    total_ = static_cast<std::int64_t>(mesh_.vertices.size());
    if (furthest_ > total_) fail_index(furthest_, furthest_place_);
    polygons_.finish(mesh_.vertices);
    return std::move(mesh_);
  }

 private:
  void vertex() {
    const char* what = "a number (coordinate)";
    const double x = cursor_.number(what);
    const double y = cursor_.number(what);
    const double z = cursor_.number(what);
    if (mesh_.vertices.size() == static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
      cursor_.fail("expected at most 2147483647 vertices, found more", cursor_.place());
    }
    mesh_.vertices.emplace_back(x, y, z);
    // A weight, a colour, or both may follow.
    for (int i = 0; i < 4 && !at_statement_end(); ++i) cursor_.number("a number (weight or colour)");
    if (!at_statement_end()) cursor_.fail_expected("the end of the line");
  }

  void face() {
    polygons_.begin();
    while (!at_statement_end()) polygons_.add(index());
    if (polygons_.corners() < 3) cursor_.fail_expected("at least 3 corners of a face");
    polygons_.end();
  }

  std::int32_t index() {
    const std::int64_t given = cursor_.corner("a vertex index");
    const auto known = static_cast<std::int64_t>(mesh_.vertices.size());
    // Compared without a change of sign: the least of all integers has no opposite.
    if (given < 0 ? given >= -known : given > 0 && given <= known) {
      return static_cast<std::int32_t>(given < 0 ? known + given : given - 1);
    }
    if (given <= 0 || given > total_vertices()) fail_index(given, cursor_.place());
    if (given > furthest_) {
      furthest_ = given;
      furthest_place_ = cursor_.place();
    }
    return static_cast<std::int32_t>(given - 1);
  }

  bool at_statement_end() { return cursor_.at_line_end() || *cursor_.place() == '#'; }

  // At most so many vertices are in the file: lines that look like one, counted once, when a face first
  // names a vertex that has not come yet. That turns nonsense down at once.
  std::int64_t total_vertices() {
    if (total_ < 0) {
      constexpr std::string_view blanks = " \t\v\f\\";
      total_ = 0;
      bool fresh_line = true;
      for (std::size_t i = 0; i + 1 < content_.size(); ++i) {
        const char c = content_[i];
        if (fresh_line && c == 'v' && blanks.find(content_[i + 1]) != std::string_view::npos) ++total_;
        fresh_line = c == '\n' || c == '\r' || (fresh_line && blanks.find(c) != std::string_view::npos);
      }
      total_ = std::min<std::int64_t>(total_, std::numeric_limits<std::int32_t>::max());
    }
    return total_;
  }

  [[noreturn]] void fail_index(std::int64_t given, const char* place) {
    const bool relative = given < 0;
    const auto known = static_cast<std::int64_t>(mesh_.vertices.size());
    cursor_.fail("expected a vertex index from 1 to " + std::to_string(relative ? known : total_vertices()) +
                     ", found " + std::to_string(given) + (relative ? " (counted back from here)" : ""),
                 place);
  }

  std::string_view content_;
  TextCursor cursor_;
  TriangleMesh mesh_;
  PolygonBuilder polygons_;
  std::int64_t total_ = -1;
  std::int64_t furthest_ = 0;  // the largest index that came before its vertex, and where
  const char* furthest_place_ = nullptr;
};

}  // namespace

TriangleMesh read_obj(std::string_view content, std::string_view name) {
  return ObjReader(content, name).read();
}

std::string write_obj(const TriangleMesh& mesh) {
  TextWriter out;
  for (const Vector3& p : mesh.vertices) out << "v " << p.x() << ' ' << p.y() << ' ' << p.z() << '\n';
  for (const Face& f : mesh.faces) {
    out << "f " << f[0] + std::int64_t{1} << ' ' << f[1] + std::int64_t{1} << ' ' << f[2] + std::int64_t{1}
        << '\n';
  }
  return std::move(out).text();
}

}  // namespace toccata::io
