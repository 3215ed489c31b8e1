// PLY, ascii and binary of both byte orders. Elements and properties may come in any order; what is not a
// position or a polygon (or a triangle strip) is skipped.
#include <cmath>
#include <limits>

#include "io/mesh_formats.hpp"
#include "io/ply_header.hpp"
#include "io/ply_source.hpp"
#include "io/polygons.hpp"
#include "io/text_writer.hpp"

namespace toccata::io {
namespace {

template <typename Source>
class PlyReader {
 public:
  PlyReader(const PlyHeader& header, Source source)
      : header_(header), source_(std::move(source)), polygons_(mesh_.faces) {}

  TriangleMesh read() {
    count_vertices();
    for (const PlyElement& element : header_.elements) {
      source_.begin_element();
      if (!element.properties.empty() && !source_.holds(element)) fail_promise(element);
      if (element.name == "vertex") {
        read_vertices(element);
      } else if (element.name == "face" || element.name == "tristrips") {
        read_polygons(element);
      } else {
        read_elements(element, [](std::size_t) { return false; });
      }
    }
    polygons_.finish(mesh_.vertices);
    return std::move(mesh_);
  }

 private:
  void count_vertices() {
    bool found = false;
    source_.begin_element();
    for (const PlyElement& element : header_.elements) {
      if (element.name != "vertex") continue;
      if (found) source_.fail("expected one element 'vertex' in the header, found two");
      found = true;
      if (element.count > std::numeric_limits<std::int32_t>::max()) fail_promise(element);
      vertex_count_ = element.count;
      for (const char* axis : {"x", "y", "z"}) {
        const int at = element.find(axis);
        if (at < 0 || element.properties[static_cast<std::size_t>(at)].is_list) {
          source_.fail(std::string("expected the vertex property '") + axis + "' in the header");
        }
      }
    }
    if (!found) source_.fail("expected an element 'vertex' in the header");
  }

  // Goes through the values of all elements; use(k) reads the k-th property and returns true, or leaves it to
  // be skipped by returning false.
  template <typename Use>
  void read_elements(const PlyElement& element, Use&& use) {
    if (element.properties.empty()) return;
    for (std::int64_t i = 0; i < element.count; ++i) {
      source_.begin_element();
      for (std::size_t k = 0; k < element.properties.size(); ++k) {
        if (use(k)) continue;
        const PlyProperty& property = element.properties[k];
        source_.skip(property.type, property.is_list ? list_length(property) : 1);
      }
      source_.end_element();
    }
  }

  void read_vertices(const PlyElement& element) {
    const auto x = static_cast<std::size_t>(element.find("x"));
    const auto y = static_cast<std::size_t>(element.find("y"));
    const auto z = static_cast<std::size_t>(element.find("z"));
    mesh_.vertices.reserve(static_cast<std::size_t>(element.count));
    Vector3 point = Vector3::Zero();
    std::size_t seen = 0;
    read_elements(element, [&](std::size_t k) {
      if (k != x && k != y && k != z) return false;
      const double value = source_.value(element.properties[k].type, "a number (coordinate)");
      if (!std::isfinite(value)) source_.fail("expected a finite coordinate, found infinity or NaN");
      point[k == x ? 0 : k == y ? 1 : 2] = value;
      if (++seen % 3 == 0) mesh_.vertices.push_back(point);
      return true;
    });
  }

  void read_polygons(const PlyElement& element) {
    if (element.count == 0) return;
    int at = element.find("vertex_indices");
    if (at < 0) at = element.find("vertex_index");
    const auto list = static_cast<std::size_t>(at);
    if (at < 0 || !element.properties[list].is_list) {
      source_.fail("expected the list 'vertex_indices' of the element '" + element.name + "' in the header");
    }
    const bool strips = element.name == "tristrips";
    read_elements(element, [&](std::size_t k) {
      if (k != list) return false;
      const std::int64_t length = list_length(element.properties[k]);
      if (strips) {
        read_strip(element.properties[k].type, length);
      } else {
        read_polygon(element.properties[k].type, length);
      }
      return true;
    });
  }

  void read_polygon(PlyType type, std::int64_t corners) {
    if (corners < 3) source_.fail("expected at least 3 corners of a face, found " + std::to_string(corners));
    polygons_.begin();
    for (std::int64_t i = 0; i < corners; ++i) polygons_.add(index(type, 0));
    polygons_.end();
  }

  // -1 starts a new strip; every second triangle is turned over.
  void read_strip(PlyType type, std::int64_t length) {
    std::int32_t before = -1, last = -1;
    bool turned = false;
    for (std::int64_t i = 0; i < length; ++i) {
      const std::int32_t next = index(type, -1);
      if (next >= 0 && before >= 0) {
        mesh_.faces.push_back(turned ? Face{last, before, next} : Face{before, last, next});
        turned = !turned;
      }
      before = next < 0 ? -1 : last;
      last = next;
      if (next < 0) turned = false;
    }
  }

  std::int32_t index(PlyType type, std::int64_t least) {
    const double value = source_.value(type, "a vertex index");
    const auto low = static_cast<double>(least), high = static_cast<double>(vertex_count_);
    if (!(value >= low && value < high) || value != std::floor(value)) {
      source_.fail("expected a vertex index from " + std::to_string(least) + " to " +
                   std::to_string(vertex_count_ - 1) + ", found " + number_text(value));
    }
    return static_cast<std::int32_t>(value);
  }

  std::int64_t list_length(const PlyProperty& property) {
    const double length = source_.value(property.count_type, "the length of a list");
    if (!(length >= 0 && length <= static_cast<double>(source_.remaining())) ||
        length != std::floor(length)) {
      source_.fail("expected the length of a list that fits into the file, found " + number_text(length));
    }
    return static_cast<std::int64_t>(length);
  }

  static std::string number_text(double value) {
    TextWriter out;
    out << value;
    return std::move(out).text();
  }

  [[noreturn]] void fail_promise(const PlyElement& element) const {
    source_.fail("expected data for the promised " + std::to_string(element.count) + " elements '" +
                 element.name + "', found only " + std::to_string(source_.remaining()) + " bytes");
  }

  const PlyHeader& header_;
  Source source_;
  TriangleMesh mesh_;
  PolygonBuilder polygons_;
  std::int64_t vertex_count_ = 0;
};

}  // namespace

TriangleMesh read_ply(std::string_view content, std::string_view name) {
  const PlyHeader header = read_ply_header(content, name);
  if (header.ascii) {
    return PlyReader<PlyTextSource>(header, PlyTextSource(content, name, header)).read();
  }
  return PlyReader<PlyByteSource>(header, PlyByteSource(content, name, header)).read();
}

std::string write_ply(const TriangleMesh& mesh, bool ascii) {
  TextWriter head;
  head << "ply\nformat " << (ascii ? "ascii" : "binary_little_endian") << " 1.0\nelement vertex "
       << mesh.vertices.size() << "\nproperty double x\nproperty double y\nproperty double z\nelement face "
       << mesh.faces.size() << "\nproperty list uchar int vertex_indices\nend_header\n";
  if (ascii) {
    for (const Vector3& p : mesh.vertices) head << p.x() << ' ' << p.y() << ' ' << p.z() << '\n';
    for (const Face& f : mesh.faces) head << "3 " << f[0] << ' ' << f[1] << ' ' << f[2] << '\n';
    return std::move(head).text();
  }
  std::string out = std::move(head).text();
  out.reserve(out.size() + 24 * mesh.vertices.size() + 13 * mesh.faces.size());
  for (const Vector3& p : mesh.vertices) {
    for (int axis = 0; axis < 3; ++axis) append_number(out, p[axis]);
  }
  for (const Face& f : mesh.faces) {
    append_number(out, std::uint8_t{3});
    for (const std::int32_t corner : f) append_number(out, corner);
  }
  return out;
}

}  // namespace toccata::io
