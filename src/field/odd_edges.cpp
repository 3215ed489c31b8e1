#include "field/odd_edges.hpp"

#include <algorithm>
#include <array>

#include "geometry/vertex_welder.hpp"

namespace toccata::field {

std::vector<std::uint8_t> odd_edges(const TriangleMesh& mesh) {
  std::vector<Vector3> places;
  VertexWelder welder(places, true);
  std::vector<std::int32_t> welded;
  welded.reserve(mesh.vertices.size());
  for (const Vector3& v : mesh.vertices) welded.push_back(welder.index(v));
  std::vector<std::array<std::int32_t, 3>> edges;  // two corners, the triangle
  edges.reserve(3 * mesh.faces.size());
  for (std::size_t i = 0; i < mesh.faces.size(); ++i) {
    const Face& f = mesh.faces[i];
    for (int k = 0; k < 3; ++k) {
      const std::int32_t a = welded[static_cast<std::size_t>(f[k])];
      const std::int32_t b = welded[static_cast<std::size_t>(f[(k + 1) % 3])];
      edges.push_back({std::min(a, b), std::max(a, b), static_cast<std::int32_t>(i)});
    }
  }
  std::sort(edges.begin(), edges.end());
  std::vector<std::uint8_t> odd(mesh.faces.size(), 0);
  for (std::size_t begin = 0, end = 0; begin < edges.size(); begin = end) {
    while (end < edges.size() && edges[end][0] == edges[begin][0] && edges[end][1] == edges[begin][1]) ++end;
    if ((end - begin) % 2 == 0) continue;
    for (std::size_t i = begin; i < end; ++i) odd[static_cast<std::size_t>(edges[i][2])] = 1;
  }
  return odd;
}

}  // namespace toccata::field
