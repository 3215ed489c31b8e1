#pragma once
// The nearest points of two rectangles in space.
#include "toccata/base/vector.hpp"

namespace toccata::bound {

// The first rectangle is |x| <= half_a.x, |y| <= half_a.y, z = 0. The second has its centre at `offset` and
// its sides along the first two columns of `rotation`.
struct RectanglePair {
  Vector2 half_a;
  Vector2 half_b;
  Matrix3 rotation;
  Vector3 offset;
};

// From the nearest point of the first to that of the second, in the first's frame; zero where they meet.
// Right to rounding; the candidates are 8 corners and 16 pairs of edges, and the crossing of an edge.
Vector3 rectangle_difference(const RectanglePair& pair);

}  // namespace toccata::bound
