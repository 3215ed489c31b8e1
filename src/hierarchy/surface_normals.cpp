#include "hierarchy/surface_normals.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "geometry/vertex_welder.hpp"

namespace toccata {
namespace {

struct FaceEdge {
  std::int32_t low, high;  // its ends, by place
  std::int32_t number;     // 3 * face + edge

  friend auto operator<=>(const FaceEdge&, const FaceEdge&) = default;
};

// Zero if degenerate.
Vector3 face_normal(const MeshView& mesh, std::size_t face) {
  const Face& f = mesh.faces[face];
  const Vector3& a = mesh.vertices[static_cast<std::size_t>(f[0])];
  const Vector3 n = (mesh.vertices[static_cast<std::size_t>(f[1])] - a)
                        .cross(mesh.vertices[static_cast<std::size_t>(f[2])] - a);
  const double length = n.norm();
  return length > 0.0 ? Vector3(n / length) : Vector3(Vector3::Zero());
}

double angle_at(const Vector3& corner, const Vector3& a, const Vector3& b) {
  const Vector3 u = a - corner, v = b - corner;
  return std::atan2(u.cross(v).norm(), u.dot(v));
}

SurfaceNormals found_normals(const MeshView& mesh) {
  std::vector<Vector3> places;
  VertexWelder welder(places, true);
  std::vector<std::int32_t> place;
  place.reserve(mesh.vertices.size());
  for (const Vector3& v : mesh.vertices) place.push_back(welder.index(v));

  std::vector<Vector3> at_place(places.size(), Vector3::Zero());
  std::vector<FaceEdge> edges;
  edges.reserve(3 * mesh.faces.size());
  for (std::size_t i = 0; i < mesh.faces.size(); ++i) {
    const Vector3 n = face_normal(mesh, i);
    std::int32_t at[3];
    for (std::size_t k = 0; k < 3; ++k)
      at[k] = place[static_cast<std::size_t>(mesh.faces[i][static_cast<std::size_t>(k)])];
    for (std::size_t k = 0; k < 3; ++k) {
      const auto here = static_cast<std::size_t>(at[k]), next = static_cast<std::size_t>(at[(k + 1) % 3]),
                 last = static_cast<std::size_t>(at[(k + 2) % 3]);
      at_place[here] += angle_at(places[here], places[next], places[last]) * n;
      edges.push_back({std::min(at[k], at[(k + 1) % 3]), std::max(at[k], at[(k + 1) % 3]),
                       static_cast<std::int32_t>(3 * i + k)});
    }
  }
  std::sort(edges.begin(), edges.end());

  SurfaceNormals normals;
  normals.of_edge.resize(mesh.faces.size());
  for (std::size_t begin = 0, end = 0; begin < edges.size(); begin = end) {
    Vector3 sum = Vector3::Zero();
    for (; end < edges.size() && edges[end].low == edges[begin].low && edges[end].high == edges[begin].high;
         ++end)
      sum += face_normal(mesh, static_cast<std::size_t>(edges[end].number / 3));
    for (std::size_t i = begin; i < end; ++i) {
      const auto number = static_cast<std::size_t>(edges[i].number);
      normals.of_edge[number / 3][number % 3] = sum;
    }
  }
  normals.of_vertex.reserve(mesh.vertices.size());
  for (const std::int32_t p : place) normals.of_vertex.push_back(at_place[static_cast<std::size_t>(p)]);
  return normals;
}

Vector3 of_unit_length(const Vector3& v) {
  const double length = v.norm();
  return length > 1e-12 ? Vector3(v / length) : Vector3(Vector3::Zero());
}

}  // namespace

const SurfaceNormals& normals_of(const ShapeData& shape) {
  return shape.normals.get<SurfaceNormals>([&] { return found_normals(shape.mesh); });
}

Vector3 normal_at(const ShapeData& shape, const Feature& feature) {
  const auto face = static_cast<std::size_t>(feature.part);
  if (feature.kind == FeatureKind::Face) return face_normal(shape.mesh, face);
  const SurfaceNormals& normals = normals_of(shape);
  const auto index = static_cast<std::size_t>(feature.index);
  if (feature.kind == FeatureKind::Edge) return of_unit_length(normals.of_edge[face][index]);
  return of_unit_length(normals.of_vertex[static_cast<std::size_t>(shape.mesh.faces[face][index])]);
}

}  // namespace toccata
