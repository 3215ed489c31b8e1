#include "io/geometry_bytes.hpp"

#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "io/hull_failure.hpp"
#include "io/read_failure.hpp"

namespace toccata::io {
namespace {

constexpr int most_nested = 64;  // compounds within compounds

static_assert(sizeof(Vector3) == 24 && sizeof(Face) == 12 && std::numeric_limits<double>::is_iec559);

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
  // Of bytes that are those of a mesh.
  std::optional<MeshView> mesh_within() {
    if (number() != index_of<TriangleMesh>) return std::nullopt;
    MeshView mesh;
    mesh.vertices = list_within<Vector3>();
    mesh.faces = list_within<Face>();
    return is_at_end() ? std::optional(mesh) : std::nullopt;
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
  bool is_aligned() const {
    return reinterpret_cast<std::uintptr_t>(rest_.data()) % alignof(Value) == 0;
  }
  template <typename Value>
  std::uint64_t count_of_list() {
    const std::uint64_t count = number();
    if (count > rest_.size() / sizeof(Value)) throw ReadFailure{"promises more than there is in it"};
    return count;
  }
  template <typename Value>
  std::span<const Value> list_within() {
    const std::uint64_t count = count_of_list<Value>();
    if (!is_aligned<Value>()) throw ReadFailure{"is not aligned"};
    const std::span<const Value> list(reinterpret_cast<const Value*>(rest_.data()), count);
    rest_.remove_prefix(list.size_bytes());
    return list;
  }
  template <typename Value>
  std::vector<Value> list() {
    const std::uint64_t count = count_of_list<Value>();
    // Assigned from the bytes at once where they are aligned, since making room first would fill it with
    // zeros.
    std::vector<Value> values;
    if (is_aligned<Value>()) {
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

}  // namespace

void append_geometry(std::string& out, const Geometry& geometry) {
  GeometryWriter(out).add(geometry);
}

Geometry geometry_in(std::string_view bytes) {
  GeometryReader reader(bytes);
  Geometry geometry = reader.geometry();
  if (!reader.is_at_end()) throw ReadFailure{"has more geometry than it should"};
  return geometry;
}

std::optional<MeshView> mesh_within(std::string_view bytes) {
  try {
    return GeometryReader(bytes).mesh_within();
  } catch (const ReadFailure&) {
    return std::nullopt;  // whoever reads it as a geometry is told why
  }
}

}  // namespace toccata::io
