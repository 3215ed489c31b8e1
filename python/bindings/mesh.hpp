#pragma once
// A mesh as Python holds it: the triangles, and the shape that the queries are asked of, made when first
// needed.
#include <mutex>
#include <optional>
#include <utility>

#include "toccata/geometry/triangle_mesh.hpp"
#include "toccata/hierarchy/shape.hpp"

namespace toccata::python {

class Mesh {
 public:
  explicit Mesh(TriangleMesh mesh) : mesh_(std::move(mesh)) {}

  const TriangleMesh& mesh() const { return mesh_; }

  // Safe from many threads; to be called without the GIL, since the first call may take long. It has its own
  // copy of the triangles: arrays handed to Python look into this object's.
  const Shape& shape() const {
    std::call_once(shape_made_, [this] { shape_.emplace(mesh_); });
    return *shape_;
  }

 private:
  TriangleMesh mesh_;
  mutable std::once_flag shape_made_;
  mutable std::optional<Shape> shape_;
};

}  // namespace toccata::python
