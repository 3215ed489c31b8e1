#include "toccata/io/field_io.hpp"

#include <cstdint>
#include <vector>

#include "io/byte_order.hpp"
#include "io/file_bytes.hpp"

namespace toccata {

using namespace io;

namespace {

constexpr std::string_view first_line = "toccata field 3\n";
constexpr std::string_view kind = "toccata field ";
constexpr std::size_t numbers_of_cube = 6;
constexpr int arrays = 6;
constexpr std::size_t bytes_of_plane = 6 * 4;
constexpr std::size_t bytes_of_curve = 12 * 4;

// Reads numbers one after the other from bytes that are known to be long enough.
class Bytes {
 public:
  explicit Bytes(std::string_view content) : at_(content.data()) {}

  template <typename Number>
  Number next() {
    const auto number = read_number<Number>(at_);
    at_ += sizeof(Number);
    return number;
  }

 private:
  const char* at_;
};

void append_plane(std::string& out, const DistanceFieldData::Plane& plane) {
  append_number(out, plane.value);
  for (const float slope : plane.slope) append_number(out, slope);
  append_number(out, plane.width);
  append_number(out, plane.triangle);
}

DistanceFieldData::Plane next_plane(Bytes& bytes) {
  DistanceFieldData::Plane plane;
  plane.value = bytes.next<float>();
  for (float& slope : plane.slope) slope = bytes.next<float>();
  plane.width = bytes.next<float>();
  plane.triangle = bytes.next<std::int32_t>();
  return plane;
}

Error refused(std::string_view name, std::string_view why) {
  return Error{std::string(name) + ": " + std::string(why)};
}

}  // namespace

std::string distance_field_bytes(const DistanceField& field) {
  const TriangleMesh& mesh = field.shape().mesh();
  const DistanceFieldData& data = field.data();
  std::string out(first_line);
  for (const std::size_t count : {mesh.vertices.size(), mesh.faces.size(), data.cells.size(),
                                  data.planes.size(), data.curves.size(), data.triangles.size()})
    append_number(out, static_cast<std::uint64_t>(count));
  for (int i = 0; i < 3; ++i) append_number(out, data.center[i]);
  append_number(out, data.half_side);
  append_number(out, data.error);
  append_number(out, data.band);
  for (const Vector3& v : mesh.vertices) {
    for (int i = 0; i < 3; ++i) append_number(out, v[i]);
  }
  for (const Face& f : mesh.faces) {
    for (const std::int32_t v : f) append_number(out, v);
  }
  for (const std::int32_t cell : data.cells) append_number(out, cell);
  for (const DistanceFieldData::Plane& plane : data.planes) append_plane(out, plane);
  for (const DistanceFieldData::Curve& curve : data.curves) {
    append_plane(out, curve.plane);
    for (const float bend : curve.bend) append_number(out, bend);
  }
  for (const std::int32_t t : data.triangles) append_number(out, t);
  return out;
}

Expected<DistanceField> parse_distance_field(std::string_view content, std::string_view name) {
  if (!content.starts_with(kind)) return refused(name, "is not a distance field of toccata");
  if (!content.starts_with(first_line))
    return refused(name, "is a distance field of another version than 3: build it again");
  const std::size_t head = first_line.size() + arrays * 8;
  if (content.size() < head) return refused(name, "ends within its head");
  Bytes bytes(content.substr(first_line.size()));
  std::uint64_t counts[arrays];
  std::uint64_t needed = head + numbers_of_cube * 8;
  constexpr std::uint64_t sizes[arrays] = {24, 12, 4, bytes_of_plane, bytes_of_curve, 4};
  for (int i = 0; i < arrays; ++i) {
    counts[i] = bytes.next<std::uint64_t>();
    if (counts[i] > content.size()) return refused(name, "promises more than there is in the file");
    needed += counts[i] * sizes[i];
  }
  if (needed != content.size())
    return refused(name, "has " + std::to_string(content.size()) + " bytes, where its head promises " +
                             std::to_string(needed));
  DistanceFieldData data;
  for (int i = 0; i < 3; ++i) data.center[i] = bytes.next<double>();
  data.half_side = bytes.next<double>();
  data.error = bytes.next<double>();
  data.band = bytes.next<double>();
  TriangleMesh mesh;
  mesh.vertices.resize(counts[0]);
  for (Vector3& v : mesh.vertices) {
    for (int i = 0; i < 3; ++i) v[i] = bytes.next<double>();
  }
  mesh.faces.resize(counts[1]);
  for (Face& f : mesh.faces) {
    for (std::int32_t& v : f) v = bytes.next<std::int32_t>();
  }
  data.cells.resize(counts[2]);
  for (std::int32_t& cell : data.cells) cell = bytes.next<std::int32_t>();
  data.planes.resize(counts[3]);
  for (DistanceFieldData::Plane& plane : data.planes) plane = next_plane(bytes);
  data.curves.resize(counts[4]);
  for (DistanceFieldData::Curve& curve : data.curves) {
    curve.plane = next_plane(bytes);
    for (float& bend : curve.bend) bend = bytes.next<float>();
  }
  data.triangles.resize(counts[5]);
  for (std::int32_t& t : data.triangles) t = bytes.next<std::int32_t>();
  Expected<Shape> shape = Shape::build(std::move(mesh));
  if (!shape) return refused(name, shape.error().message);
  Expected<DistanceField> field = DistanceField::from_data(std::move(*shape), std::move(data));
  if (!field) return refused(name, field.error().message);
  return field;
}

Expected<std::size_t> save_distance_field(const std::string& path, const DistanceField& field, bool force) {
  return write_file(path, distance_field_bytes(field), force);
}

Expected<DistanceField> load_distance_field(const std::string& path) {
  const Expected<FileBytes> bytes = FileBytes::map(path);
  if (!bytes) return bytes.error();
  return parse_distance_field(bytes->view(), path);
}

}  // namespace toccata
