#pragma once
// What a Shape holds: pieces, counted from zero, under one tree of boxes. Solvers ask for them by number:
// corners_of where all are triangles, else Piece (piece.hpp).
#include <array>
#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "elementary/convex_set.hpp"
#include "geometry/mesh_view.hpp"
#include "hierarchy/box_tree.hpp"
#include "hierarchy/lazy_slot.hpp"
#include "toccata/elementary/triangle.hpp"
#include "toccata/hierarchy/shape.hpp"

namespace toccata {

// A convex set about the shape's centre, and a ball that holds it.
struct ConvexPiece {
  ConvexSet set;
  Vector3 middle = Vector3::Zero();
  double reach = 0.0;
};

// A shape that has closed forms with its like, all that they need in one place: one box about its own middle,
// or one ball or capsule along z, with its radius.
enum class ClosedForm : std::uint8_t { None, Boxes, Segments };
struct ClosedCore {
  ClosedForm form = ClosedForm::None;
  double radius = 0.0;
  double size[3] = {0.0, 0.0, 0.0};  // half the sides; of a segment its ends along z
};

inline constexpr std::int32_t no_piece = std::numeric_limits<std::int32_t>::max();

// What questions at rest need of small shapes comes first, in one or two lines of the cache.
struct alignas(64) ShapeData {
  ClosedCore closed;
  const ConvexSet* only_set = nullptr;  // of a shape that is one convex set: sets.front()
  // Of the ball around the centre that holds every vertex, rounded up; 0 for a half space, which no ball
  // holds.
  double radius = 0.0;
  Vector3 center = Vector3::Zero();         // of the bounding box: the tree's origin
  Geometry geometry;                        // as it was given; of a mesh that lies elsewhere only its kind
  bool is_mesh = false;                     // and nothing else
  MeshView mesh;                            // the triangles among the pieces: of a mesh its own
  TriangleMesh placed_mesh;                 // those of a compound's meshes, where the compound has them
  std::shared_ptr<const void> mesh_keeper;  // of a mesh that lies elsewhere: who keeps it there
  BoxTree tree;                             // for everything but what follows
  BoxTree skin;  // of a height field: the same boxes and pieces, less in them; see height_tree.hpp
  // Of each piece, in the order of a compound's parts: a triangle of `mesh` if not negative, else ~i for
  // sets[i]; no_piece in the holes of a height field. Empty where piece i is triangle i, and of a height
  // field alone, whose pieces are made when asked for.
  std::vector<std::int32_t> pieces;
  std::vector<ConvexPiece> sets;
  std::int32_t other_pieces = 0;                          // how many, unless it is a mesh
  std::vector<Vector3> points;                            // of the sets
  std::vector<std::shared_ptr<const HullIndex>> indices;  // of those of many points
  std::vector<std::int32_t> first_pieces;  // of each part of a compound, flattened; then the number of pieces
  // What the other methods prepare, each its own type, on first use:
  LazySlot whole_geometry;  // with a copy of the mesh that lies elsewhere
  LazySlot controlled;
  LazySlot boxes;         // of the interval and the screw method
  LazySlot open_edges;    // only solids and containment ask for it
  LazySlot parts;         // only solids: see shape_parts.hpp
  LazySlot display_mesh;  // for reports
  LazySlot normals;       // of a mesh: see surface_normals.hpp
  LazySlot features;      // of convex sets: to walk over
  LazySlot levels;        // of hulls: coarser ones
  LazySlot boundary;      // of a height field, as a Shape: only containment asks for it
  LazySlot rays;          // of a mesh: see ray_tree.hpp
  mutable std::atomic<std::int32_t> ray_casts = 0;  // until that is made

  ShapeData() = default;
  ShapeData(const ShapeData&) = delete;
  ShapeData& operator=(const ShapeData&) = delete;

  // Piece i is triangle i.
  bool has_only_triangles() const { return is_mesh; }
  bool is_hole(std::int32_t piece) const;
  bool is_half_space() const { return tree.plane.has_value(); }
  std::int32_t piece_count() const {
    return is_mesh ? static_cast<std::int32_t>(mesh.faces.size()) : other_pieces;
  }
  // As it was given, and the triangles among the pieces as a mesh of their own: of a mesh that lies in a file
  // a copy, made when first asked for.
  const Geometry& given_geometry() const;
  const TriangleMesh& own_mesh() const;
};

inline Triangle triangle_of(const MeshView& mesh, std::size_t face) {
  const Face& f = mesh.faces[face];
  return {mesh.vertices[static_cast<std::size_t>(f[0])], mesh.vertices[static_cast<std::size_t>(f[1])],
          mesh.vertices[static_cast<std::size_t>(f[2])]};
}

// Corners of a triangle of the mesh relative to the shape's centre.
inline std::array<Vector3, 3> corners_of(const ShapeData& shape, std::int32_t triangle) {
  const Face& f = shape.mesh.faces[static_cast<std::size_t>(triangle)];
  return {shape.mesh.vertices[static_cast<std::size_t>(f[0])] - shape.center,
          shape.mesh.vertices[static_cast<std::size_t>(f[1])] - shape.center,
          shape.mesh.vertices[static_cast<std::size_t>(f[2])] - shape.center};
}

}  // namespace toccata
