#pragma once
// A shape prepared once for every question, at rest and in motion: convex pieces under a tree of boxes.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "toccata/base/expected.hpp"
#include "toccata/geometry/geometry.hpp"

namespace toccata {

struct ShapeData;  // private: src/hierarchy/shape_data.hpp

// A piece of a shape, told as a part of the compound that it is.
struct PartPiece {
  std::int32_t part = 0;  // of the compound's parts, parts of parts counted in their place; 0 of other shapes
  std::int32_t piece = 0;  // within that part: the triangle of a mesh or height field; 0 of a convex kind
};

// Cheap to copy: copies share the prepared data, which never changes; safe to use from many threads.
class Shape {
 public:
  // Throws std::invalid_argument, saying why, if the geometry is not all right (a vertex that is not finite,
  // an index out of range, a negative radius): Shape::build returns that as an error. Degenerate and
  // duplicate triangles are all right. A mesh without triangles is all right too and touches nothing. About
  // a microsecond per triangle.
  // The vertices of a compound's meshes are placed by the poses of their parts and rounded to double once,
  // here; its convex parts are not rounded.
  Shape(TriangleMesh mesh);  // implicit, so that questions take a mesh where they are asked once
  template <GeometryKind G>
  requires(!std::same_as<G, TriangleMesh>) Shape(G geometry)
      : Shape(Geometry(std::move(geometry)), Checked()) {}

  static Expected<Shape> build(Geometry geometry);

  const Geometry& geometry() const;
  bool is_mesh() const;
  // precondition: is_mesh(); throws std::logic_error, naming the kind, otherwise
  const TriangleMesh& mesh() const;
  // The shape as triangles, for the eye: a mesh as it is; of other kinds, corners and flat sides as they are,
  // round ones within a hundredth of the shape's size. A half space is a square of its plane. Made when first
  // asked for.
  const TriangleMesh& display_mesh() const;
  // Radius of a ball around the centre of the bounding box that holds the shape: "the size of the body".
  // Infinite for a half space.
  double size() const;
  // Every kind but a mesh is full inside; of a compound, every part but its meshes.
  bool is_solid() const;
  // It encloses a volume. A mesh does if every edge is shared by exactly two triangles that run along it in
  // opposite directions; vertices at the same place count as one. Of a compound each mesh must. Every other
  // kind does.
  bool is_closed() const;
  // Why it is not closed, for a person: which edges are open. None if it is.
  std::optional<std::string> open_edges() const;
  // Features count pieces in Feature::part; this many there are, and that is where one of them belongs.
  std::int32_t piece_count() const;
  PartPiece part_of(std::int32_t piece) const;
  // Bytes of the geometry and of its tree.
  std::size_t memory_bytes() const;

  const ShapeData& data() const { return *data_; }

 private:
  struct Checked {};

  explicit Shape(std::shared_ptr<const ShapeData> data) : data_(std::move(data)) {}
  Shape(Geometry geometry, Checked);

  std::shared_ptr<const ShapeData> data_;
};

}  // namespace toccata
