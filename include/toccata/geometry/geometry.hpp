#pragma once
// Everything that a Shape can be made of, as plain data.
#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "toccata/base/pose.hpp"
#include "toccata/geometry/convex_hull.hpp"
#include "toccata/geometry/height_field.hpp"
#include "toccata/geometry/medial_mesh.hpp"
#include "toccata/geometry/primitives.hpp"
#include "toccata/geometry/triangle_mesh.hpp"

namespace toccata {

struct CompoundPart;

// Parts that move as one body. They may overlap. A part may be a compound again, but not a half space.
struct Compound {
  std::vector<CompoundPart> parts;
};

using Geometry = std::variant<TriangleMesh, Ball, Capsule, Box, Cylinder, Cone, Ellipsoid, ConvexHull,
                              HalfSpace, HeightField, Compound, MedialMesh>;

struct CompoundPart {
  Geometry geometry;
  Pose pose = {};  // of the part in the compound
};

// A Geometry, or one of its kinds.
template <typename G>
concept GeometryKind = std::same_as<G, Geometry> || std::same_as<G, TriangleMesh> || std::same_as<G, Ball> ||
    std::same_as<G, Capsule> || std::same_as<G, Box> || std::same_as<G, Cylinder> || std::same_as<G, Cone> ||
    std::same_as<G, Ellipsoid> || std::same_as<G, ConvexHull> || std::same_as<G, HalfSpace> ||
    std::same_as<G, HeightField> || std::same_as<G, Compound> || std::same_as<G, MedialMesh>;

// "box", "half space", ...: for a person.
std::string_view kind_of(const Geometry& geometry);

// What is wrong with it, for a person, and where; none if it is all right.
std::optional<std::string> failure_of(const Geometry& geometry);

// The parts with their own parts taken apart: no compound is left. Poses are multiplied in double.
std::vector<CompoundPart> flattened(const Compound& compound);

}  // namespace toccata
