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
//   a deforming one  part: the object of the scene; index: the vertex, edge or face, counted over the scene
//   one triangle     part: -1; index as for a rigid mesh (the elementary questions)
struct Feature {
  FeatureKind kind = FeatureKind::Face;
  std::int32_t index = 0;
  std::int32_t part = -1;

  friend bool operator==(const Feature&, const Feature&) = default;
};

}  // namespace toccata
