#include "hierarchy/shape_parts.hpp"

#include "toccata/geometry/adjacency.hpp"

namespace toccata {
namespace {

ShapeParts found_parts(const TriangleMesh& mesh) {
  const MeshComponents components = connected_components(mesh);
  const auto count = static_cast<std::size_t>(components.count);
  std::vector<std::array<Vector3, 6>> extremes(count);
  std::vector<bool> seen(count, false);
  for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
    const auto part = static_cast<std::size_t>(components.of_face[f]);
    for (const std::int32_t index : mesh.faces[f]) {
      const Vector3& vertex = mesh.vertices[static_cast<std::size_t>(index)];
      if (!seen[part]) extremes[part].fill(vertex);
      seen[part] = true;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto k = static_cast<Eigen::Index>(axis);
        if (vertex[k] < extremes[part][2 * axis][k]) extremes[part][2 * axis] = vertex;
        if (vertex[k] > extremes[part][2 * axis + 1][k]) extremes[part][2 * axis + 1] = vertex;
      }
    }
  }
  ShapeParts parts;
  for (std::size_t part = 0; part < count; ++part) {
    if (!seen[part]) continue;  // vertices without faces
    for (const Vector3& vertex : extremes[part]) {
      const bool first = parts.extremes.empty() && &vertex == extremes[part].data();
      parts.lower = first ? vertex : parts.lower.cwiseMin(vertex).eval();
      parts.upper = first ? vertex : parts.upper.cwiseMax(vertex).eval();
    }
    parts.extremes.push_back(extremes[part]);
  }
  return parts;
}

}  // namespace

const ShapeParts& parts_of(const ShapeData& shape) {
  return shape.parts.get<ShapeParts>([&] { return found_parts(shape.mesh); });
}

}  // namespace toccata
