#pragma once
// Where a ray enters a convex piece.
#include "hierarchy/piece.hpp"

namespace toccata::proximity {

struct RayEntry {
  bool hit = false;
  double parameter = 0.0;            // in lengths of the direction; 0 where the origin is inside
  Vector3 normal = Vector3::Zero();  // unit, of the surface there; zero where the origin is inside
};

// In the coordinates of the piece (about its shape's centre). The direction is of unit length. A miss is
// proven; a hit is right to rounding (curved pieces: to 1e-9 of their size), and not later than the true one
// by more. Parameters beyond `limit` are misses. precondition: the piece is not a triangle
RayEntry ray_piece(const Vector3& origin, const Vector3& direction, double limit, const Piece& piece);

}  // namespace toccata::proximity
