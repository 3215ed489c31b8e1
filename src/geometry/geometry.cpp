#include "toccata/geometry/geometry.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/number_text.hpp"
#include "geometry/mesh_view.hpp"

namespace toccata {
namespace {

using Failure = std::optional<std::string>;

Failure failure_of_size(std::string_view owner, std::string_view name, double value) {
  if (value >= 0.0 && std::isfinite(value)) return {};
  return std::string(owner) + ": " + std::string(name) + " is " + std::to_string(value) +
         ", but must be a finite number that is not negative";
}

Failure failure_of_sizes(std::string_view owner, std::string_view name, const Vector3& values) {
  for (const double value : {values.x(), values.y(), values.z()}) {
    if (Failure failure = failure_of_size(owner, name, value)) return failure;
  }
  return {};
}

Failure failure_of_round(std::string_view owner, double radius, double height) {
  Failure failure = failure_of_size(owner, "radius", radius);
  return failure ? failure : failure_of_size(owner, "height", height);
}

struct Check {
  Failure operator()(const TriangleMesh& mesh) const {
    if (is_sound(mesh)) return {};
    const auto summary = validate(mesh);
    return summary ? Failure() : Failure(summary.error().message);
  }
  Failure operator()(const Ball& ball) const { return failure_of_size("ball", "radius", ball.radius); }
  Failure operator()(const Capsule& c) const { return failure_of_round("capsule", c.radius, c.height); }
  Failure operator()(const Cylinder& c) const { return failure_of_round("cylinder", c.radius, c.height); }
  Failure operator()(const Cone& c) const { return failure_of_round("cone", c.radius, c.height); }
  Failure operator()(const Box& box) const {
    Failure failure = failure_of_sizes("box", "size", box.size);
    return failure ? failure : failure_of_size("box", "radius", box.radius);
  }
  Failure operator()(const Ellipsoid& e) const { return failure_of_sizes("ellipsoid", "radii", e.radii); }
  Failure operator()(const ConvexHull& hull) const {
    if (hull.vertices.empty()) return "convex hull: it has no vertices";
    for (std::size_t v = 0; v < hull.vertices.size(); ++v) {
      if (!hull.vertices[v].allFinite())
        return "convex hull: vertex " + std::to_string(v) + " has a coordinate that is not a finite number";
    }
    return failure_of_size("convex hull", "radius", hull.radius);
  }
  Failure operator()(const HalfSpace& half) const {
    if (!half.normal.allFinite() || half.normal.isZero(0.0))
      return "half space: its normal must be finite and not zero";
    if (!std::isfinite(half.offset)) return "half space: its offset is not a finite number";
    return {};
  }
  Failure operator()(const HeightField& field) const;
  Failure operator()(const MedialMesh& mesh) const { return toccata::failure_of(mesh); }
  Failure operator()(const Compound& compound) const {
    if (compound.parts.empty()) return "compound: it has no parts";
    for (std::size_t i = 0; i < compound.parts.size(); ++i) {
      const CompoundPart& part = compound.parts[i];
      const std::string name = "compound: part " + std::to_string(i) + ": ";
      if (std::holds_alternative<HalfSpace>(part.geometry))
        return name + "a half space has no end and cannot be a part; ask about it as a body of its own";
      if (!part.pose.rotation.allFinite() || !part.pose.translation.allFinite())
        return name + "its pose has a coordinate that is not a finite number";
      if (!(part.pose.rotation.transpose() * part.pose.rotation).isIdentity(1e-9) ||
          part.pose.rotation.determinant() < 0.0)
        return name + "the rotation of its pose is not a rotation matrix (orthonormal, determinant 1)";
      if (Failure failure = failure_of(part.geometry)) return name + *failure;
    }
    return {};
  }
};

Failure Check::operator()(const HeightField& field) const {
  if (field.columns < 2 || field.rows < 2)
    return "height field: it has " + std::to_string(field.columns) + " columns and " +
           std::to_string(field.rows) + " rows, but needs at least 2 of each";
  const auto wanted = static_cast<std::size_t>(field.columns) * static_cast<std::size_t>(field.rows);
  if (field.heights.size() != wanted)
    return "height field: " + std::to_string(field.heights.size()) + " heights, but columns times rows are " +
           std::to_string(wanted);
  if (wanted > (std::size_t{1} << 29)) return "height field: more than 2^29 samples";
  if (!(field.spacing.minCoeff() > 0.0) || !field.spacing.allFinite())
    return "height field: both spacings must be finite and above zero";
  double lowest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < field.heights.size(); ++i) {
    if (std::isinf(field.heights[i]))
      return "height field: height " + std::to_string(i) + " is infinite (NaN makes a hole)";
    if (field.heights[i] < lowest) lowest = field.heights[i];
  }
  if (field.floor && !(std::isfinite(*field.floor) && *field.floor <= lowest))
    return "height field: the floor is " + number_text(*field.floor) +
           ", but must be finite and not above the lowest height, " + std::to_string(lowest);
  return {};
}

struct Name {
  std::string_view operator()(const TriangleMesh&) const { return "mesh"; }
  std::string_view operator()(const Ball&) const { return "ball"; }
  std::string_view operator()(const Capsule&) const { return "capsule"; }
  std::string_view operator()(const Box&) const { return "box"; }
  std::string_view operator()(const Cylinder&) const { return "cylinder"; }
  std::string_view operator()(const Cone&) const { return "cone"; }
  std::string_view operator()(const Ellipsoid&) const { return "ellipsoid"; }
  std::string_view operator()(const ConvexHull&) const { return "hull"; }
  std::string_view operator()(const HalfSpace&) const { return "half space"; }
  std::string_view operator()(const HeightField&) const { return "height field"; }
  std::string_view operator()(const Compound&) const { return "compound"; }
  std::string_view operator()(const MedialMesh&) const { return "medial mesh"; }
};

void append(const Compound& compound, const Pose& pose, std::vector<CompoundPart>& parts) {
  for (const CompoundPart& part : compound.parts) {
    const Pose placed = pose * part.pose;
    if (const auto* inner = std::get_if<Compound>(&part.geometry)) {
      append(*inner, placed, parts);
    } else {
      parts.push_back({part.geometry, placed});
    }
  }
}

}  // namespace

bool is_sound(const MeshView& mesh) {
  Vector3 zero = Vector3::Zero();  // until a coordinate is not finite: then NaN
  for (const Vector3& vertex : mesh.vertices) zero += 0.0 * vertex;
  if (mesh.vertices.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) return false;
  const auto last = static_cast<std::uint32_t>(mesh.vertices.size()) - 1;
  std::uint32_t any = 0;  // its highest bit is that of any index, or of what is left to the last one
  for (const Face& face : mesh.faces) {
    for (const std::int32_t index : face) {
      const auto bits = static_cast<std::uint32_t>(index);
      any |= bits | (last - bits);
    }
  }
  return (any >> 31) == 0 && zero.allFinite();
}

double floor_of(const HeightField& field) {
  if (field.floor) return *field.floor;
  double lowest = std::numeric_limits<double>::infinity();
  for (const double height : field.heights) lowest = std::min(lowest, std::isnan(height) ? lowest : height);
  const double longer =
      std::max((field.columns - 1) * field.spacing.x(), (field.rows - 1) * field.spacing.y());
  return std::isfinite(lowest) ? lowest - longer : -longer;
}

std::string_view kind_of(const Geometry& geometry) {
  return std::visit(Name{}, geometry);
}

std::optional<std::string> failure_of(const Geometry& geometry) {
  return std::visit(Check{}, geometry);
}

std::vector<CompoundPart> flattened(const Compound& compound) {
  std::vector<CompoundPart> parts;
  append(compound, Pose(), parts);
  return parts;
}

}  // namespace toccata
