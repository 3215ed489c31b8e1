#pragma once
// A mesh as Python holds it: the triangles, and what the queries prepare, made when first needed.
#include <mutex>
#include <optional>
#include <utility>

#include "toccata/ccd/rigid/rigid_shape.hpp"
#include "toccata/geometry/triangle_mesh.hpp"
#include "toccata/proximity/prepared_mesh.hpp"

namespace toccata::python {

class Mesh {
 public:
  explicit Mesh(TriangleMesh mesh) : mesh_(std::move(mesh)) {}

  const TriangleMesh& mesh() const { return mesh_; }

  // Safe from many threads; to be called without the GIL, since the first call may take long. Each has its
  // own copy of the triangles: arrays handed to Python look into this object's.
  const RigidShape& shape() const {  // for bodies that move
    std::call_once(shape_made_, [this] { shape_.emplace(mesh_); });
    return *shape_;
  }
  const PreparedMesh& prepared() const {  // for bodies at rest
    std::call_once(prepared_made_, [this] { prepared_.emplace(mesh_); });
    return *prepared_;
  }

 private:
  TriangleMesh mesh_;
  mutable std::once_flag shape_made_;
  mutable std::once_flag prepared_made_;
  mutable std::optional<RigidShape> shape_;
  mutable std::optional<PreparedMesh> prepared_;
};

}  // namespace toccata::python
