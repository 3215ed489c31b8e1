#pragma once
// A piece of any shape as the convex set that solvers see.
#include <array>
#include <optional>

#include "hierarchy/shape_data.hpp"

namespace toccata {

// About the shape's centre. The shape must outlive it, and the piece must not be a hole.
class Piece {
 public:
  // on_skin: of a height field only what belongs to its skin.
  Piece(const ShapeData& shape, std::int32_t number, bool on_skin = false);
  Piece(const Piece&) = delete;
  Piece& operator=(const Piece&) = delete;

  // Of the mesh of the shape, or -1.
  std::int32_t triangle() const { return triangle_; }
  // Of a half space; none otherwise.
  const Plane* plane() const { return plane_; }
  // precondition: !plane()
  const ConvexSet& set() const { return *set_; }
  // A ball that holds it. precondition: !plane()
  const Vector3& middle() const { return middle_; }
  double reach() const { return reach_; }

 private:
  void take(const ConvexPiece& piece);
  void set_corners(std::size_t count);

  std::int32_t triangle_ = -1;
  const Plane* plane_ = nullptr;
  const ConvexSet* set_ = nullptr;
  Vector3 middle_ = Vector3::Zero();
  double reach_ = 0.0;
  std::array<Vector3, 6> corners_;    // of a triangle, of the column below one
  std::optional<ConvexSet> own_set_;  // of those
};

// visit(const ConvexSet&) for every convex set among the pieces; triangles of meshes and half spaces are
// none.
template <typename Visit>
void for_each_set(const ShapeData& shape, Visit&& visit) {
  for (const ConvexPiece& piece : shape.sets) visit(piece.set);
  if (shape.tree.heights == nullptr) return;
  for (std::int32_t i = 0; i < shape.piece_count(); ++i) {
    if (!shape.is_hole(i)) visit(Piece(shape, i).set());
  }
}

}  // namespace toccata
