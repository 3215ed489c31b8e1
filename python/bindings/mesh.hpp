#pragma once
// A mesh as Python holds it: one shape for every query, made when the first one needs it.
#include <mutex>
#include <optional>
#include <span>
#include <utility>

#include "shape.hpp"
#include "toccata/geometry/triangle_mesh.hpp"
#include "toccata/hierarchy/shape.hpp"

namespace toccata::python {

class Mesh : public AnyShape {
 public:
  explicit Mesh(TriangleMesh mesh) : mesh_(std::move(mesh)), vertices_(mesh_.vertices), faces_(mesh_.faces) {}
  // One that is prepared already. precondition: shape.is_mesh()
  explicit Mesh(Shape shape) : vertices_(shape.mesh().vertices), faces_(shape.mesh().faces) {
    std::call_once(shape_made_, [&] { shape_.emplace(std::move(shape)); });
  }
  // The arrays that Python looks at.
  std::span<const Vector3> vertices() const { return vertices_; }
  std::span<const Face> faces() const { return faces_; }

  // The triangles move into the shape: a vector that is moved keeps its memory, so the arrays above stay
  // where they are.
  const Shape& shape() const override {
    std::call_once(shape_made_, [this] { shape_.emplace(std::move(mesh_)); });
    return *shape_;
  }
  const TriangleMesh& mesh() const { return shape().mesh(); }

 private:
  mutable TriangleMesh mesh_;  // empty once the shape is made
  std::span<const Vector3> vertices_;
  std::span<const Face> faces_;
  mutable std::once_flag shape_made_;
  mutable std::optional<Shape> shape_;
};

}  // namespace toccata::python
