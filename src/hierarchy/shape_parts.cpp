#include "hierarchy/shape_parts.hpp"

#include "hierarchy/piece.hpp"

#include "toccata/geometry/adjacency.hpp"

namespace toccata {
namespace {

// Of the convex sets, too: their farthest points along the axes.
void add_sets(const ShapeData& shape, ShapeParts& parts) {
  for_each_set(shape, [&](const ConvexSet& set) {
    std::array<Vector3, 6> extremes;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const Vector3 direction = Vector3::Unit(static_cast<Eigen::Index>(axis));
      for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
        const Vector3 outward = side == 0 ? Vector3(-direction) : direction;
        extremes[2 * axis + side] = shape.center + support(set, outward).point + set.radius * outward;
      }
    }
    for (const Vector3& point : extremes) {
      const bool first = parts.extremes.empty() && &point == extremes.data();
      parts.lower = first ? point : parts.lower.cwiseMin(point).eval();
      parts.upper = first ? point : parts.upper.cwiseMax(point).eval();
    }
    parts.extremes.push_back(extremes);
  });
}

ShapeParts found_parts(const ShapeData& shape) {
  const TriangleMesh& mesh = shape.own_mesh();
  const MeshComponents components = connected_components(mesh);
  const auto count = static_cast<std::size_t>(components.count);
  std::vector<std::array<Vector3, 6>> extremes(count);
  std::vector<bool> has_faces(count, false), seen(count, false);
  for (const std::int32_t part : components.of_face) has_faces[static_cast<std::size_t>(part)] = true;
  for (std::size_t v = 0; v < mesh.vertices.size(); ++v) {
    const auto part = static_cast<std::size_t>(components.of_vertex[v]);
    if (!has_faces[part]) continue;  // a vertex of no face
    const Vector3& vertex = mesh.vertices[v];
    if (!seen[part]) extremes[part].fill(vertex);
    seen[part] = true;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto k = static_cast<Eigen::Index>(axis);
      if (vertex[k] < extremes[part][2 * axis][k]) extremes[part][2 * axis] = vertex;
      if (vertex[k] > extremes[part][2 * axis + 1][k]) extremes[part][2 * axis + 1] = vertex;
    }
  }
  ShapeParts parts;
  for (std::size_t part = 0; part < count; ++part) {
    if (!has_faces[part]) continue;
    for (const Vector3& vertex : extremes[part]) {
      const bool first = parts.extremes.empty() && &vertex == extremes[part].data();
      parts.lower = first ? vertex : parts.lower.cwiseMin(vertex).eval();
      parts.upper = first ? vertex : parts.upper.cwiseMax(vertex).eval();
    }
    parts.extremes.push_back(extremes[part]);
  }
  add_sets(shape, parts);
  return parts;
}

}  // namespace

const ShapeParts& parts_of(const ShapeData& shape) {
  return shape.parts.get<ShapeParts>([&] { return found_parts(shape); });
}

}  // namespace toccata
