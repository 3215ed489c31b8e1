#pragma once
// A body as the balls of its medial axis and what lies between them: vertices are balls, edges cones,
// triangles slabs. Few of them stand for many triangles (proximity/medial.hpp makes them so that they
// provably enclose a mesh).
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "toccata/geometry/triangle_mesh.hpp"

namespace toccata {

// The union of its primitives. A cone is the hull of its two balls, a slab that of its three: every ball
// whose centre and radius are the same mean of theirs. Radii may be zero, and one ball may hold another.
struct MedialMesh {
  std::vector<Vector3> centers;
  std::vector<double> radii;  // as many
  std::vector<Edge> cones;    // two different balls each
  std::vector<Face> slabs;    // three different balls each; their cones need not be listed
};

// The balls that a primitive is the hull of: one, two or three of them, -1 for the rest.
using MedialPrimitive = std::array<std::int32_t, 3>;

// Those that no other holds by its name: all slabs, then the cones that are no side of a slab, then the balls
// that are in neither, each in the order given and once. Features count them in Feature::part.
std::vector<MedialPrimitive> medial_primitives(const MedialMesh& mesh);

// What is wrong with it, for a person, and where; none if it is all right.
std::optional<std::string> failure_of(const MedialMesh& mesh);

}  // namespace toccata
