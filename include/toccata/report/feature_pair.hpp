#pragma once
// Two features that may meet: of which kinds, and which ones.
#include <cstdint>
#include <string_view>
#include <tuple>

namespace toccata {

// Which features meet. In a triangle mesh every contact is VertexFace or EdgeEdge. The other two exist only
// for codimensional parts: VertexEdge between a free point (a vertex in no edge) and a wire (an edge of no
// face), VertexVertex between two free points. All other combinations are covered by these four.
enum class FeaturePairKind : std::uint8_t { VertexFace, EdgeEdge, VertexEdge, VertexVertex };
inline constexpr int feature_pair_kind_count = 4;

constexpr std::string_view to_string(FeaturePairKind kind) {
  constexpr std::string_view names[feature_pair_kind_count] = {"vertex_face", "edge_edge", "vertex_edge",
                                                               "vertex_vertex"};
  return names[static_cast<int>(kind)];
}

// Ids count over the whole scene: vertices and faces in the order in which the objects were given, edges as
// in DeformableScene::edges(). EdgeEdge and VertexVertex have first < second; VertexFace and VertexEdge have
// the vertex first.
struct FeaturePair {
  FeaturePairKind kind = FeaturePairKind::VertexFace;
  std::int32_t first = 0;
  std::int32_t second = 0;

  friend bool operator==(const FeaturePair&, const FeaturePair&) = default;
  friend bool operator<(const FeaturePair& a, const FeaturePair& b) {
    return std::tie(a.kind, a.first, a.second) < std::tie(b.kind, b.first, b.second);
  }
};

}  // namespace toccata
