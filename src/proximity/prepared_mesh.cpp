#include "toccata/proximity/prepared_mesh.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "proximity/prepared_mesh_data.hpp"

namespace toccata {
namespace {

void measure(PreparedMeshData& data) {
  if (data.mesh.faces.empty()) return;
  Vector3 lower = Vector3::Constant(INFINITY), upper = -lower;
  for (const Face& f : data.mesh.faces) {
    for (const std::int32_t v : f) {
      lower = lower.cwiseMin(data.mesh.vertices[v]);
      upper = upper.cwiseMax(data.mesh.vertices[v]);
    }
  }
  data.center = 0.5 * lower + 0.5 * upper;
  data.radius = (upper - data.center).cwiseMax(data.center - lower).norm() * (1.0 + 1e-15);
}

// Each directed edge once, and its opposite too.
bool has_no_boundary(const TriangleMesh& mesh) {
  std::vector<std::array<std::int32_t, 2>> edges;
  edges.reserve(3 * mesh.faces.size());
  for (const Face& f : mesh.faces) {
    for (int k = 0; k < 3; ++k) edges.push_back({f[k], f[(k + 1) % 3]});
  }
  std::vector<std::array<std::int32_t, 2>> opposite = edges;
  for (auto& e : opposite) std::swap(e[0], e[1]);
  std::sort(edges.begin(), edges.end());
  std::sort(opposite.begin(), opposite.end());
  return !edges.empty() && edges == opposite && std::adjacent_find(edges.begin(), edges.end()) == edges.end();
}

double size_in_world(const PlacedMesh& m) {
  const PreparedMeshData& d = m.mesh.data();
  return d.radius + d.center.norm() + m.pose.translation.norm();
}

}  // namespace

PreparedMesh::PreparedMesh(TriangleMesh mesh) {
  auto data = std::make_shared<PreparedMeshData>();
  data->mesh = std::move(mesh);
  measure(*data);
  data->tree = build_box_tree(data->mesh, data->center);
  data_ = std::move(data);
}

const TriangleMesh& PreparedMesh::mesh() const {
  return data_->mesh;
}

bool PreparedMesh::is_closed() const {
  std::call_once(data_->closed_once, [&] { data_->is_closed = has_no_boundary(data_->mesh); });
  return data_->is_closed;
}

std::size_t PreparedMesh::memory() const {
  return sizeof(PreparedMeshData) + data_->mesh.vertices.capacity() * sizeof(Vector3) +
         data_->mesh.faces.capacity() * sizeof(Face) + data_->tree.memory();
}

double placement_error(const PlacedMesh& a, const PlacedMesh& b) {
  // Rotations are orthonormal to 1e-14, which bends lengths by as much.
  return (32.0 * 0x1p-53 + 4e-14) * (size_in_world(a) + size_in_world(b));
}

Pose between_trees(const PlacedMesh& from, const PlacedMesh& to) {
  const Vector3 center = from.pose.apply(from.mesh.data().center) - to.pose.apply(to.mesh.data().center);
  return {to.pose.rotation.transpose() * from.pose.rotation, to.pose.rotation.transpose() * center};
}

}  // namespace toccata
