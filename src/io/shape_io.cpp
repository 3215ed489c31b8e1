#include "toccata/io/shape_io.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <type_traits>
#include <vector>

#include "hierarchy/given_tree.hpp"
#include "hierarchy/shape_data.hpp"
#include "io/checksum.hpp"
#include "io/file_bytes.hpp"
#include "io/hull_failure.hpp"
#include "io/read_failure.hpp"

namespace toccata {

using namespace io;

namespace {

constexpr std::string_view kind_line = "toccata shape ";
constexpr std::string_view first_line = "toccata shape 1\n";
constexpr std::uint64_t order_mark = 0x0102030405060708ULL;
constexpr std::size_t alignment = 64;
constexpr int most_nested = 64;  // compounds within compounds
// What a node says; after it there is only what aligns the next one.
constexpr std::size_t told_of_node = offsetof(BoxNode, count) + sizeof(std::int32_t);

static_assert(sizeof(Vector3) == 24 && sizeof(Face) == 12 && std::numeric_limits<double>::is_iec559);
static_assert(std::is_trivially_copyable_v<BoxNode>);

struct Head {
  std::uint64_t order = order_mark;
  std::uint64_t size = 0;
  std::uint64_t sum = 0;  // of all that follows this number
  std::uint64_t geometry_bytes = 0;
  std::uint64_t nodes = 0;
  std::uint64_t node_bytes = sizeof(BoxNode);
  std::uint64_t node_children = box_width;
  std::uint64_t unused = 0;
};
constexpr std::size_t head_bytes = first_line.size() + sizeof(Head);
constexpr std::size_t summed_from = first_line.size() + offsetof(Head, geometry_bytes);

std::size_t padded(std::size_t bytes) {
  return (bytes + alignment - 1) / alignment * alignment;
}

class GeometryWriter {
 public:
  explicit GeometryWriter(std::string& out) : out_(out) {}

  void add(const Geometry& geometry) {
    number(geometry.index());
    std::visit([this](const auto& kind) { add(kind); }, geometry);
  }

 private:
  void bytes(const void* from, std::size_t count) { out_.append(static_cast<const char*>(from), count); }
  void number(std::uint64_t value) { bytes(&value, sizeof value); }
  void real(double value) { bytes(&value, sizeof value); }
  void vector(const Vector3& v) { bytes(v.data(), sizeof v); }
  template <typename Value>
  void list(const std::vector<Value>& values) {
    number(values.size());
    bytes(values.data(), values.size() * sizeof(Value));
  }
  void both(double a, double b) {
    real(a);
    real(b);
  }

  void add(const TriangleMesh& mesh) {
    list(mesh.vertices);
    list(mesh.faces);
  }
  void add(const Ball& ball) { real(ball.radius); }
  void add(const Capsule& capsule) { both(capsule.radius, capsule.height); }
  void add(const Box& box) {
    vector(box.size);
    real(box.radius);
  }
  void add(const Cylinder& cylinder) { both(cylinder.radius, cylinder.height); }
  void add(const Cone& cone) { both(cone.radius, cone.height); }
  void add(const Ellipsoid& ellipsoid) { vector(ellipsoid.radii); }
  void add(const ConvexHull& hull) {
    list(hull.vertices);
    list(hull.sources);
    list(hull.faces);
    list(hull.planes);
    list(hull.neighbours);
    list(hull.first_neighbour);
    real(hull.radius);
  }
  void add(const HalfSpace& half) {
    vector(half.normal);
    real(half.offset);
  }
  void add(const HeightField& field) {
    number(static_cast<std::uint64_t>(field.columns));
    number(static_cast<std::uint64_t>(field.rows));
    both(field.spacing.x(), field.spacing.y());
    list(field.heights);
    number(field.floor ? 1 : 0);
    real(field.floor.value_or(0.0));
  }
  void add(const Compound& compound) {
    number(compound.parts.size());
    for (const CompoundPart& part : compound.parts) {
      bytes(part.pose.rotation.data(), sizeof(Matrix3));
      vector(part.pose.translation);
      add(part.geometry);
    }
  }

  void add(const MedialMesh& medial) {
    list(medial.centers);
    list(medial.radii);
    list(medial.cones);
    list(medial.slabs);
  }

  std::string& out_;
};

// The number of a kind among those of Geometry.
template <typename Kind, typename... Kinds>
constexpr std::uint64_t number_of(const std::variant<Kinds...>*) {
  std::uint64_t number = 0;
  bool found = false;
  ((found = found || std::is_same_v<Kind, Kinds>, number += found ? 0 : 1), ...);
  return number;
}

// Throws ReadFailure where the bytes end too soon or say what cannot be.
class GeometryReader {
 public:
  explicit GeometryReader(std::string_view bytes) : rest_(bytes) {}

  Geometry geometry(int nested = 0) {
    const std::uint64_t kind = number();
    switch (kind) {
      case index_of<TriangleMesh>:
        return mesh();
      case index_of<Ball>:
        return Ball{real()};
      case index_of<Capsule>:
        return round<Capsule>();
      case index_of<Box>: {
        Box box;
        box.size = vector();
        box.radius = real();
        return box;
      }
      case index_of<Cylinder>:
        return round<Cylinder>();
      case index_of<Cone>:
        return round<Cone>();
      case index_of<Ellipsoid>:
        return Ellipsoid{vector()};
      case index_of<ConvexHull>:
        return hull();
      case index_of<HalfSpace>: {
        HalfSpace half;
        half.normal = vector();
        half.offset = real();
        return half;
      }
      case index_of<HeightField>:
        return height_field();
      case index_of<Compound>:
        return compound(nested);
      case index_of<MedialMesh>:
        return medial_mesh();
      default:
        throw ReadFailure{"has a geometry of an unknown kind (" + std::to_string(kind) + ")"};
    }
  }
  bool is_at_end() const { return rest_.empty(); }

 private:
  template <typename Kind>
  static constexpr std::uint64_t index_of = number_of<Kind>(static_cast<const Geometry*>(nullptr));

  void bytes(void* to, std::size_t count) {
    if (count > rest_.size()) throw ReadFailure{"ends within its geometry"};
    if (count > 0) std::memcpy(to, rest_.data(), count);
    rest_.remove_prefix(count);
  }
  std::uint64_t number() {
    std::uint64_t value;
    bytes(&value, sizeof value);
    return value;
  }
  double real() {
    double value;
    bytes(&value, sizeof value);
    return value;
  }
  Vector3 vector() {
    Vector3 v;
    bytes(v.data(), sizeof v);
    return v;
  }
  std::int32_t small_number() {
    const std::uint64_t value = number();
    if (value > static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max()))
      throw ReadFailure{"has a number that is too large"};
    return static_cast<std::int32_t>(value);
  }
  template <typename Value>
  std::vector<Value> list() {
    const std::uint64_t count = number();
    if (count > rest_.size() / sizeof(Value)) throw ReadFailure{"promises more than there is in it"};
    // Assigned from the bytes at once where they are aligned, since making room first would fill it with
    // zeros.
    std::vector<Value> values;
    if (reinterpret_cast<std::uintptr_t>(rest_.data()) % alignof(Value) == 0) {
      const auto* const from = reinterpret_cast<const Value*>(rest_.data());
      values.assign(from, from + count);
      rest_.remove_prefix(count * sizeof(Value));
    } else {
      values.resize(count);
      bytes(values.data(), count * sizeof(Value));
    }
    return values;
  }

  template <typename Kind>
  Kind round() {
    Kind kind;
    kind.radius = real();
    kind.height = real();
    return kind;
  }
  TriangleMesh mesh() {
    TriangleMesh mesh;
    mesh.vertices = list<Vector3>();
    mesh.faces = list<Face>();
    return mesh;
  }
  ConvexHull hull() {
    ConvexHull hull;
    hull.vertices = list<Vector3>();
    hull.sources = list<std::int32_t>();
    hull.faces = list<Face>();
    hull.planes = list<std::int32_t>();
    hull.neighbours = list<std::int32_t>();
    hull.first_neighbour = list<std::int32_t>();
    hull.radius = real();
    if (const std::optional<std::string> failure = hull_failure(hull)) throw ReadFailure{*failure};
    return hull;
  }
  MedialMesh medial_mesh() {
    MedialMesh medial;
    medial.centers = list<Vector3>();
    medial.radii = list<double>();
    medial.cones = list<Edge>();
    medial.slabs = list<Face>();
    return medial;
  }
  HeightField height_field() {
    HeightField field;
    field.columns = small_number();
    field.rows = small_number();
    field.spacing.x() = real();
    field.spacing.y() = real();
    field.heights = list<double>();
    const bool has_floor = number() != 0;
    const double floor = real();
    if (has_floor) field.floor = floor;
    return field;
  }
  Compound compound(int nested) {
    if (nested >= most_nested) throw ReadFailure{"has compounds within compounds without end"};
    Compound compound;
    const std::uint64_t count = number();
    for (std::uint64_t i = 0; i < count; ++i) {  // ends with the bytes, whatever the count
      CompoundPart part;
      bytes(part.pose.rotation.data(), sizeof(Matrix3));
      part.pose.translation = vector();
      part.geometry = geometry(nested + 1);
      compound.parts.push_back(std::move(part));
    }
    return compound;
  }

  std::string_view rest_;
};

// A half space and a height field have no nodes that take long to make.
bool has_tree(const ShapeData& data) {
  return !data.is_half_space() && data.tree.heights == nullptr;
}

// Of all that is in the file but its content.
std::optional<std::string> wrong_sizes(const Head& head, std::size_t size) {
  if (head.node_bytes != sizeof(BoxNode) || head.node_children != static_cast<std::uint64_t>(box_width))
    return "has a tree of another layout: prepare the shape again from its mesh";
  if (head.geometry_bytes > size || head.nodes > size / sizeof(BoxNode) ||
      head_bytes + padded(head.geometry_bytes) + head.nodes * sizeof(BoxNode) != size)
    return "does not have the sizes that its head promises";
  return std::nullopt;
}

[[noreturn]] void throw_damaged() {
  throw ReadFailure{"is damaged: its checksum does not match its content"};
}

// The sum is left to who reads the content.
Head checked_head(std::string_view content) {
  if (!content.starts_with(kind_line)) throw ReadFailure{"is not a prepared shape of toccata"};
  if (!content.starts_with(first_line))
    throw ReadFailure{"is a prepared shape of another version than 1: prepare it again from its mesh"};
  if (content.size() < head_bytes) throw ReadFailure{"ends within its head"};
  Head head;
  std::memcpy(&head, content.data() + first_line.size(), sizeof head);
  if (head.order != order_mark)
    throw ReadFailure{
        "was written by a machine of another byte order: prepare the shape again from its mesh"};
  if (head.size != content.size())
    throw ReadFailure{"has " + std::to_string(content.size()) + " bytes, where its head promises " +
                      std::to_string(head.size)};
  if (std::optional<std::string> wrong = wrong_sizes(head, content.size())) {
    if (head.sum != checksum(content.substr(summed_from))) throw_damaged();
    throw ReadFailure{std::move(*wrong)};
  }
  return head;
}

// Copied, summed and looked at block by block: the bytes come from memory once. The sum of all is checked.
std::vector<BoxNode> checked_nodes(std::string_view content, const Head& head) {
  constexpr std::size_t block = 32;  // nodes: they stay in the first cache
  Checksum sum(content.substr(summed_from));
  const std::size_t first = head_bytes + padded(head.geometry_bytes);
  std::vector<BoxNode> nodes;
  nodes.reserve(head.nodes);
  bool is_finite = true;
  for (std::size_t from = 0; from < head.nodes; from += block) {
    const std::size_t count = std::min(block, head.nodes - from);
    const std::size_t at = first + from * sizeof(BoxNode);
    sum.advance(at + count * sizeof(BoxNode) - summed_from);
    nodes.resize(from + count);
    std::memcpy(&nodes[from], content.data() + at, count * sizeof(BoxNode));
    is_finite = are_finite({&nodes[from], count}) && is_finite;
  }
  if (head.sum != sum.of_all()) throw_damaged();
  if (!is_finite) throw ReadFailure{"its tree is not right: a number of it is not finite"};
  return nodes;
}

Shape shape_in(std::string_view content) {
  const Head head = checked_head(content);
  std::vector<BoxNode> nodes = checked_nodes(content, head);
  GeometryReader reader(content.substr(head_bytes, head.geometry_bytes));
  Geometry geometry = reader.geometry();
  if (!reader.is_at_end()) throw ReadFailure{"has more geometry than it should"};
  const auto built = [&] {
    Expected<Shape> shape = Shape::build(std::move(geometry));
    if (!shape) throw ReadFailure{shape.error().message};
    return std::move(*shape);
  };
  if (std::holds_alternative<HalfSpace>(geometry) || std::holds_alternative<HeightField>(geometry)) {
    if (head.nodes != 0) throw ReadFailure{"has a tree where none belongs"};
    return built();
  }
  const GivenTree given(std::move(nodes));
  Shape shape = built();
  if (const std::optional<std::string> failure = failure_of_tree(shape.data())) throw ReadFailure{*failure};
  return shape;
}

}  // namespace

std::string shape_bytes(const Shape& shape) {
  const ShapeData& data = shape.data();
  std::string out(head_bytes, '\0');
  GeometryWriter(out).add(data.geometry);
  Head head;
  head.geometry_bytes = out.size() - head_bytes;
  out.resize(head_bytes + padded(head.geometry_bytes));
  if (has_tree(data)) {
    head.nodes = data.tree.nodes.size();
    out.reserve(out.size() + head.nodes * sizeof(BoxNode));
    for (const BoxNode& node : data.tree.nodes) {
      out.append(reinterpret_cast<const char*>(&node), told_of_node);
      out.append(sizeof(BoxNode) - told_of_node, '\0');
    }
  }
  head.size = out.size();
  const auto write_head = [&] {
    std::memcpy(out.data(), first_line.data(), first_line.size());
    std::memcpy(out.data() + first_line.size(), &head, sizeof head);
  };
  write_head();
  head.sum = checksum(std::string_view(out).substr(summed_from));
  write_head();
  return out;
}

Expected<Shape> parse_shape(std::string_view content, std::string_view name) {
  try {
    return shape_in(content);
  } catch (const ReadFailure& failure) {
    return Error{std::string(name) + ": " + failure.message};
  }
}

Expected<std::size_t> save_shape(const std::string& path, const Shape& shape, bool force) {
  return write_file(path, shape_bytes(shape), force);
}

Expected<Shape> load_shape(const std::string& path) {
  const Expected<FileBytes> bytes = FileBytes::map(path);
  if (!bytes) return bytes.error();
  return parse_shape(bytes->view(), path);
}

}  // namespace toccata
