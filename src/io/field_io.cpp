#include "toccata/io/field_io.hpp"

#include <cstdint>
#include <vector>

#include "io/byte_order.hpp"
#include "io/file_bytes.hpp"

namespace toccata {

using namespace io;

namespace {

constexpr std::string_view first_line = "toccata field 1\n";
constexpr std::string_view kind = "toccata field ";
constexpr std::size_t numbers_of_cube = 5;
constexpr std::size_t bytes_of_leaf = 10 * 4 + 2 * 4 + 2;

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

Error refused(std::string_view name, std::string_view why) {
  return Error{std::string(name) + ": " + std::string(why)};
}

}  // namespace

std::string distance_field_bytes(const DistanceField& field) {
  const TriangleMesh& mesh = field.shape().mesh();
  const DistanceFieldData& data = field.data();
  std::string out(first_line);
  for (const std::size_t count : {mesh.vertices.size(), mesh.faces.size(), data.cells.size(),
                                  data.leaves.size(), data.triangles.size()})
    append_number(out, static_cast<std::uint64_t>(count));
  for (int i = 0; i < 3; ++i) append_number(out, data.center[i]);
  append_number(out, data.half_side);
  append_number(out, data.error);
  for (const Vector3& v : mesh.vertices) {
    for (int i = 0; i < 3; ++i) append_number(out, v[i]);
  }
  for (const Face& f : mesh.faces) {
    for (const std::int32_t v : f) append_number(out, v);
  }
  for (const std::int32_t cell : data.cells) append_number(out, cell);
  for (const DistanceFieldData::Leaf& leaf : data.leaves) {
    for (const float v : leaf.corners) append_number(out, v);
    append_number(out, leaf.below);
    append_number(out, leaf.above);
    append_number(out, leaf.first);
    append_number(out, leaf.count);
    append_number(out, leaf.side);
    append_number(out, static_cast<std::uint8_t>(leaf.is_interpolated));
  }
  for (const std::int32_t t : data.triangles) append_number(out, t);
  return out;
}

Expected<DistanceField> parse_distance_field(std::string_view content, std::string_view name) {
  if (!content.starts_with(kind)) return refused(name, "is not a distance field of toccata");
  if (!content.starts_with(first_line))
    return refused(name, "is a distance field of another version than 1: build it again");
  const std::size_t head = first_line.size() + 5 * 8;
  if (content.size() < head) return refused(name, "ends within its head");
  Bytes bytes(content.substr(first_line.size()));
  std::uint64_t counts[5];
  std::uint64_t needed = head + numbers_of_cube * 8;
  constexpr std::uint64_t sizes[5] = {24, 12, 4, bytes_of_leaf, 4};
  for (int i = 0; i < 5; ++i) {
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
  data.leaves.resize(counts[3]);
  for (DistanceFieldData::Leaf& leaf : data.leaves) {
    for (float& v : leaf.corners) v = bytes.next<float>();
    leaf.below = bytes.next<float>();
    leaf.above = bytes.next<float>();
    leaf.first = bytes.next<std::int32_t>();
    leaf.count = bytes.next<std::int32_t>();
    leaf.side = bytes.next<std::int8_t>();
    leaf.is_interpolated = bytes.next<std::uint8_t>() != 0;
  }
  data.triangles.resize(counts[4]);
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
