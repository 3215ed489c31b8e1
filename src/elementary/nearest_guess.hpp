#pragma once
// The nearest features of two triangles by plain formulas: fast, right for well-shaped triangles, not proven.
// The caller proves the guess by a separating slab or falls back to the careful search.
#include "toccata/elementary/triangle.hpp"
#include "toccata/elementary/triangle_triangle.hpp"

namespace toccata::elementary {

struct NearestGuess {
  double squared_distance;
  // Edge i of a and edge j of b (ends included), or corner `edge_b` of b over face a (edge_a < 0), or corner
  // `edge_a` of a over face b (edge_b < 0).
  int edge_a;
  int edge_b;
  Vector3 difference;  // from a to b
};

NearestGuess guess_nearest(const Triangle& a, const Triangle& b);

// The guessed features with their nearest points as triangle_triangle_distance finds them: the distance is
// not below that of the triangles, and hardly ever above it. No lower distance is proven.
TriangleTriangleDistance guessed_distance(const Triangle& a, const Triangle& b);

}  // namespace toccata::elementary
