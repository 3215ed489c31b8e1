#pragma once
// A feature of a shape: which vertex, edge or face of which of its parts.
#include <cstdint>
#include <string_view>

namespace toccata {

// GCC's -Wshadow takes a scoped enumerator for a clash with a type of its name (toccata::Edge).
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
enum class FeatureKind : std::uint8_t { Vertex, Edge, Face };  // Face: the inside of one
#pragma GCC diagnostic pop

constexpr std::string_view to_string(FeatureKind kind) {
  switch (kind) {
    case FeatureKind::Vertex:
      return "vertex";
    case FeatureKind::Edge:
      return "edge";
    case FeatureKind::Face:
      return "face";
  }
  return "unknown";
}

// What `part` and `index` count depends on what was asked:
//   a rigid mesh     part: the triangle; index: its corner 0..2, its edge from corner index to the next one,
//                    or 0 for its face
//   a convex kind    part: 0. Kinds with corners (a hull: its vertices; a box: bit i is the positive side of
//                    axis i; a capsule: its ends; a ball: its centre), rounded ones by the corners of their
//                    core: Vertex, index: the corner; Edge and Face, index: the lowest of the corners that
//                    span the nearest point. Cylinders, cones and ellipsoids: Face, index 0
//   a half space     part: 0, Face, index 0
//   a height field   part: the triangle, as HeightField counts them; the column below it is a piece with six
//                    corners: the triangle's, then the same three at the floor
//   a compound       part: the pieces of its parts, one part after the other (Shape::part_of tells which);
//   kind
//                    and index as for the part's own kind
//   a medial mesh    part: the primitive (medial_primitives); kind Face, index 0, unless the primitive is a
//                    ball or has equal radii: then as for a capsule
//   a deforming one  part: the object of the scene; index: the vertex, edge or face, counted over the scene
//   one triangle     part: -1; index as for a rigid mesh (the elementary questions)
struct Feature {
  FeatureKind kind = FeatureKind::Face;
  std::int32_t index = 0;
  std::int32_t part = -1;

  friend bool operator==(const Feature&, const Feature&) = default;
};

}  // namespace toccata
