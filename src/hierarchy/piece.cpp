#include "hierarchy/piece.hpp"

#include <algorithm>
#include <cmath>

#include "hierarchy/height_tree.hpp"

#include "toccata/base/rounding.hpp"

namespace toccata {

Piece::Piece(const ShapeData& shape, std::int32_t number, bool on_skin) {
  if (shape.only_set != nullptr) {
    take(shape.sets.front());
    return;
  }
  if (shape.is_half_space()) {
    plane_ = &*shape.tree.plane;
    return;
  }
  std::int32_t entry = number;
  if (shape.tree.heights != nullptr) {
    corners_ = shape.tree.heights->corners_of(number);
    set_corners(on_skin && shape.tree.heights->is_inner(number) ? 3 : 6);
    return;
  }
  if (!shape.has_only_triangles()) entry = shape.pieces[static_cast<std::size_t>(number)];
  if (entry < 0) {
    take(shape.sets[static_cast<std::size_t>(~entry)]);
    return;
  }
  triangle_ = entry;
  const std::array<Vector3, 3> corners = toccata::corners_of(shape, entry);
  std::copy(corners.begin(), corners.end(), corners_.begin());
  set_corners(3);
}

void Piece::take(const ConvexPiece& piece) {
  set_ = &piece.set;
  middle_ = piece.middle;
  reach_ = piece.reach;
}

void Piece::set_corners(std::size_t count) {
  own_set_ = set_of_points({corners_.data(), count});
  set_ = &*own_set_;
  Vector3 sum = Vector3::Zero();
  for (const Vector3& corner : own_set_->points) sum += corner;
  middle_ = sum / static_cast<double>(count);
  double squared = 0.0;
  for (const Vector3& corner : own_set_->points)
    squared = std::max(squared, (corner - middle_).squaredNorm());
  reach_ = std::sqrt(squared) * (1.0 + 8.0 * unit_roundoff) + 4.0 * unit_roundoff * middle_.norm();
}

bool ShapeData::is_hole(std::int32_t piece) const {
  if (tree.heights != nullptr) return tree.heights->is_hole(piece);
  return !pieces.empty() && pieces[static_cast<std::size_t>(piece)] == no_piece;
}

}  // namespace toccata
