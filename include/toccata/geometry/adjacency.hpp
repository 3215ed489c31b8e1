#pragma once
// Who touches whom in a mesh: edges, faces around vertices and edges, boundary, components. Each table is
// built when asked for, in time linear in the mesh (counting sorts), and is the same on every machine.
// Precondition of all: the indices are in range (see validate).
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "toccata/geometry/triangle_mesh.hpp"

namespace toccata {

// How unique edges (i, j), i < j, are numbered.
enum class EdgeOrder {
  ByFirstVertex,   // sorted by (i, j)
  BySecondVertex,  // sorted by (j, i), as in the public collision data sets
};

struct MeshEdges {
  std::vector<Edge> edges;
  // Edge k of a face joins its corners k and (k + 1) % 3; -1 where these are the same vertex.
  std::vector<std::array<std::int32_t, 3>> face_edges;
};

MeshEdges mesh_edges(const TriangleMesh& mesh, EdgeOrder order = EdgeOrder::ByFirstVertex);

// A list of indices for each of size() things, each sorted and without repetition.
class IndexLists {
 public:
  IndexLists() = default;
  // offsets has one entry more than there are lists; list i is members[offsets[i], offsets[i + 1]).
  IndexLists(std::vector<std::size_t> offsets, std::vector<std::int32_t> members)
      : offsets_(std::move(offsets)), members_(std::move(members)) {}

  std::size_t size() const { return offsets_.empty() ? 0 : offsets_.size() - 1; }
  std::span<const std::int32_t> operator[](std::size_t i) const {
    return std::span(members_).subspan(offsets_[i], offsets_[i + 1] - offsets_[i]);
  }

 private:
  std::vector<std::size_t> offsets_;
  std::vector<std::int32_t> members_;
};

IndexLists vertex_faces(const TriangleMesh& mesh);
IndexLists vertex_edges(const MeshEdges& edges, std::size_t vertex_count);
IndexLists edge_faces(const MeshEdges& edges);

// Edges by the number of faces around them.
struct EdgeCensus {
  std::vector<std::int32_t> boundary;      // one face
  std::vector<std::int32_t> non_manifold;  // three or more
  bool is_closed() const { return boundary.empty(); }
  bool is_manifold() const { return non_manifold.empty(); }
};

EdgeCensus edge_census(const MeshEdges& edges);

// Parts that no face joins, numbered in the order of their first vertex. A vertex without faces is one.
struct MeshComponents {
  std::int32_t count = 0;
  std::vector<std::int32_t> of_vertex;
  std::vector<std::int32_t> of_face;
};

MeshComponents connected_components(const TriangleMesh& mesh);

}  // namespace toccata
