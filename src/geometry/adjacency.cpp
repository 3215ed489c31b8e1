#include "toccata/geometry/adjacency.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace toccata {
namespace {

// A side of a face: its vertices i < j, and where it came from (3 * face + corner).
struct Side {
  Edge edge;
  std::size_t origin;
};

// Stable, so that sorting by the minor key first and the major key after gives the lexicographic order.
std::vector<Side> sorted_by(const std::vector<Side>& sides, std::size_t key, std::size_t vertex_count) {
  std::vector<std::size_t> place(vertex_count + 1, 0);
  for (const Side& side : sides) ++place[static_cast<std::size_t>(side.edge[key]) + 1];
  std::partial_sum(place.begin(), place.end(), place.begin());
  std::vector<Side> sorted(sides.size());
  for (const Side& side : sides) sorted[place[static_cast<std::size_t>(side.edge[key])]++] = side;
  return sorted;
}

std::vector<Side> sides_of(const TriangleMesh& mesh) {
  std::vector<Side> sides;
  sides.reserve(3 * mesh.faces.size());
  for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
    for (std::size_t k = 0; k < 3; ++k) {
      const auto [i, j] = std::minmax(mesh.faces[f][k], mesh.faces[f][(k + 1) % 3]);
      if (i != j) sides.push_back({{i, j}, 3 * f + k});
    }
  }
  return sides;
}

// Lists of owners' members from (list, member) pairs that come with members in increasing order; a member
// that is named twice in a row for the same list is taken once.
template <typename Visit>
IndexLists collect(std::size_t lists, Visit&& visit) {
  std::vector<std::size_t> offsets(lists + 1, 0);
  std::vector<std::int32_t> last(lists, -1);
  visit([&](std::int32_t list, std::int32_t member) {
    if (std::exchange(last[static_cast<std::size_t>(list)], member) != member) {
      ++offsets[static_cast<std::size_t>(list) + 1];
    }
  });
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  std::vector<std::int32_t> members(offsets.back());
  std::vector<std::size_t> place(offsets.begin(), offsets.end() - 1);
  last.assign(lists, -1);
  visit([&](std::int32_t list, std::int32_t member) {
    if (std::exchange(last[static_cast<std::size_t>(list)], member) != member) {
      members[place[static_cast<std::size_t>(list)]++] = member;
    }
  });
  return {std::move(offsets), std::move(members)};
}

// Root of a vertex; halves the path on the way.
std::int32_t find_root(std::vector<std::int32_t>& parent, std::int32_t i) {
  while (parent[static_cast<std::size_t>(i)] != i) {
    std::int32_t& p = parent[static_cast<std::size_t>(i)];
    p = parent[static_cast<std::size_t>(p)];
    i = p;
  }
  return i;
}

}  // namespace

MeshEdges mesh_edges(const TriangleMesh& mesh, EdgeOrder order) {
  const std::size_t major = order == EdgeOrder::ByFirstVertex ? 0 : 1;
  const std::size_t vertices = mesh.vertices.size();
  const std::vector<Side> sides = sorted_by(sorted_by(sides_of(mesh), 1 - major, vertices), major, vertices);
  MeshEdges result;
  result.face_edges.assign(mesh.faces.size(), {-1, -1, -1});
  for (const Side& side : sides) {
    if (result.edges.empty() || result.edges.back() != side.edge) result.edges.push_back(side.edge);
    result.face_edges[side.origin / 3][side.origin % 3] = static_cast<std::int32_t>(result.edges.size() - 1);
  }
  return result;
}

IndexLists vertex_faces(const TriangleMesh& mesh) {
  return collect(mesh.vertices.size(), [&](auto&& add) {
    for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
      for (const std::int32_t vertex : mesh.faces[f]) add(vertex, static_cast<std::int32_t>(f));
    }
  });
}

IndexLists vertex_edges(const MeshEdges& edges, std::size_t vertex_count) {
  return collect(vertex_count, [&](auto&& add) {
    for (std::size_t e = 0; e < edges.edges.size(); ++e) {
      for (const std::int32_t vertex : edges.edges[e]) add(vertex, static_cast<std::int32_t>(e));
    }
  });
}

IndexLists edge_faces(const MeshEdges& edges) {
  return collect(edges.edges.size(), [&](auto&& add) {
    for (std::size_t f = 0; f < edges.face_edges.size(); ++f) {
      for (const std::int32_t edge : edges.face_edges[f]) {
        if (edge >= 0) add(edge, static_cast<std::int32_t>(f));
      }
    }
  });
}

EdgeCensus edge_census(const MeshEdges& edges) {
  const IndexLists faces = edge_faces(edges);
  EdgeCensus census;
  for (std::size_t e = 0; e < faces.size(); ++e) {
    const std::size_t count = faces[e].size();
    if (count == 1) census.boundary.push_back(static_cast<std::int32_t>(e));
    if (count > 2) census.non_manifold.push_back(static_cast<std::int32_t>(e));
  }
  return census;
}

MeshComponents connected_components(const TriangleMesh& mesh) {
  std::vector<std::int32_t> parent(mesh.vertices.size());
  std::iota(parent.begin(), parent.end(), 0);
  for (const Face& face : mesh.faces) {
    for (const std::int32_t vertex : {face[1], face[2]}) {
      // The smaller root wins: a root is then the first vertex of its component.
      const std::int32_t a = find_root(parent, face[0]), b = find_root(parent, vertex);
      parent[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
    }
  }
  MeshComponents result;
  result.of_vertex.resize(mesh.vertices.size());
  for (std::size_t v = 0; v < parent.size(); ++v) {
    const std::int32_t root = find_root(parent, static_cast<std::int32_t>(v));
    const bool is_first = static_cast<std::size_t>(root) == v;
    result.of_vertex[v] = is_first ? result.count++ : result.of_vertex[static_cast<std::size_t>(root)];
  }
  result.of_face.reserve(mesh.faces.size());
  for (const Face& face : mesh.faces)
    result.of_face.push_back(result.of_vertex[static_cast<std::size_t>(face[0])]);
  return result;
}

}  // namespace toccata
