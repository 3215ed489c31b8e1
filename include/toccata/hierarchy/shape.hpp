#pragma once
// A shape prepared once for every question, at rest and in motion: convex pieces under a tree of boxes.
#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "toccata/base/expected.hpp"
#include "toccata/geometry/triangle_mesh.hpp"

namespace toccata {

struct ShapeData;  // private: src/hierarchy/shape_data.hpp

// Cheap to copy: copies share the prepared data, which never changes; safe to use from many threads.
class Shape {
 public:
  // Throws std::invalid_argument, saying which, if a vertex is not finite or an index is out of range:
  // Shape::build returns that as an error. Degenerate and duplicate triangles are all right. A mesh without
  // triangles is all right too and touches nothing. About a microsecond per triangle.
  Shape(TriangleMesh mesh);  // implicit, so that questions take a mesh where they are asked once

  static Expected<Shape> build(TriangleMesh mesh);

  const TriangleMesh& mesh() const;
  // Radius of a ball around the centre of the bounding box that holds the shape: "the size of the body".
  double size() const;
  // It encloses a volume: every edge is shared by exactly two triangles that run along it in opposite
  // directions. Vertices at the same place count as one.
  bool is_closed() const;
  // Why it is not closed, for a person: which edges are open. None if it is.
  std::optional<std::string> open_edges() const;
  // Bytes of the mesh and of its tree.
  std::size_t memory_bytes() const;

  const ShapeData& data() const { return *data_; }

 private:
  explicit Shape(std::shared_ptr<const ShapeData> data) : data_(std::move(data)) {}

  std::shared_ptr<const ShapeData> data_;
};

}  // namespace toccata
