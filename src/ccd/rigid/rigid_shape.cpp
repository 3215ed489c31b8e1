#include "toccata/ccd/rigid/rigid_shape.hpp"

#include <algorithm>
#include <cmath>

#include "ccd/rigid/rigid_shape_data.hpp"

namespace toccata {
namespace {

// Only vertices that a face uses count.
void measure(RigidShapeData& data) {
  const TriangleMesh& mesh = data.mesh;
  bool first = true;
  Vector3 lower = Vector3::Zero();
  Vector3 upper = Vector3::Zero();
  for (const Face& face : mesh.faces) {
    for (const std::int32_t index : face) {
      const Vector3& p = mesh.vertices[index];
      lower = first ? p : lower.cwiseMin(p).eval();
      upper = first ? p : upper.cwiseMax(p).eval();
      first = false;
    }
  }
  data.center = lower + 0.5 * (upper - lower);
  double squared_radius = 0.0;
  for (const Face& face : mesh.faces) {
    for (const std::int32_t index : face) {
      squared_radius = std::max(squared_radius, (mesh.vertices[index] - data.center).squaredNorm());
    }
  }
  // 1e-15 is above the five roundings of the norm; the coordinates' own add the second term.
  data.radius = std::sqrt(squared_radius) * (1.0 + 1e-15) +
                4e-16 * (lower.cwiseAbs().maxCoeff() + upper.cwiseAbs().maxCoeff());
}

}  // namespace

RigidShape::RigidShape(TriangleMesh mesh) {
  auto data = std::make_shared<RigidShapeData>();
  data->mesh = std::move(mesh);
  measure(*data);
  data->tree = build_box_tree(data->mesh, data->center);
  data_ = std::move(data);
}

const TriangleMesh& RigidShape::mesh() const {
  return data_->mesh;
}
double RigidShape::size() const {
  return data_->radius;
}
std::size_t RigidShape::memory() const {
  return sizeof(RigidShapeData) + data_->mesh.vertices.capacity() * sizeof(Vector3) +
         data_->mesh.faces.capacity() * sizeof(Face) + data_->tree.memory();
}

}  // namespace toccata
