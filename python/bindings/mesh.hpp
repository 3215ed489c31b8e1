#pragma once
// A mesh as Python holds it: the triangles, and what the rigid queries prepare, made when first needed.
#include <mutex>
#include <optional>
#include <utility>

#include "toccata/ccd/rigid/rigid_shape.hpp"
#include "toccata/geometry/triangle_mesh.hpp"

namespace toccata::python {

class Mesh {
 public:
  explicit Mesh(TriangleMesh mesh) : mesh_(std::move(mesh)) {}

  const TriangleMesh& mesh() const { return mesh_; }

  // Safe from many threads; to be called without the GIL, since the first call may take long. The shape has
  // its own copy of the triangles: arrays handed to Python look into this object's.
  const RigidShape& shape() const {
    std::call_once(prepared_, [this] { shape_.emplace(mesh_); });
    return *shape_;
  }

 private:
  TriangleMesh mesh_;
  mutable std::once_flag prepared_;
  mutable std::optional<RigidShape> shape_;
};

}  // namespace toccata::python
