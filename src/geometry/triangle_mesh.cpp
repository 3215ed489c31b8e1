#include "toccata/geometry/triangle_mesh.hpp"

#include <Eigen/Geometry>
#include <cmath>

#include "geometry/matrix_rows.hpp"

namespace toccata {
namespace {

bool is_degenerate(const TriangleMesh& mesh, const Face& face) {
  const Vector3& a = mesh.vertices[face[0]];
  const Vector3 u = mesh.vertices[face[1]] - a;
  const Vector3 v = mesh.vertices[face[2]] - a;
  return face[0] == face[1] || face[1] == face[2] || face[2] == face[0] || u.cross(v).isZero(0.0);
}

}  // namespace

Expected<TriangleMesh> make_triangle_mesh(const Eigen::Ref<const Eigen::MatrixXd>& vertices,
                                          const Eigen::Ref<const Eigen::MatrixXi>& faces) {
  auto points = points_of_rows(vertices, "vertices");
  if (!points) return points.error();
  auto triangles = faces_of_rows(faces, "faces");
  if (!triangles) return triangles.error();
  return TriangleMesh{std::move(*points), std::move(*triangles)};
}

Expected<MeshSummary> validate(const TriangleMesh& mesh) {
  MeshSummary summary;
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    const Vector3& p = mesh.vertices[i];
    if (!p.allFinite()) {
      return Error{"vertex " + std::to_string(i) + " has a coordinate that is not a finite number"};
    }
    summary.lower = i == 0 ? p : summary.lower.cwiseMin(p).eval();
    summary.upper = i == 0 ? p : summary.upper.cwiseMax(p).eval();
  }
  const auto count = static_cast<std::int64_t>(mesh.vertices.size());
  for (std::size_t i = 0; i < mesh.faces.size(); ++i) {
    for (const std::int32_t index : mesh.faces[i]) {
      if (index < 0 || index >= count) {
        return Error{"face " + std::to_string(i) + " uses vertex " + std::to_string(index) +
                     ", but the mesh has " + std::to_string(count) + " vertices"};
      }
    }
    if (is_degenerate(mesh, mesh.faces[i])) ++summary.degenerate_faces;
  }
  return summary;
}

}  // namespace toccata
