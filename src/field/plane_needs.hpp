#pragma once
// How far the distance from the boxes of a tree may be below a plane's height over a cell, eight at once.
#include "hierarchy/box_tree.hpp"
#include "toccata/base/vector.hpp"

namespace toccata::field {

// Positions relative to the shape's centre.
struct FieldCell {
  Vector3 middle = Vector3::Zero();
  double half = 0.0;  // of a side

  double reach() const { return half * 1.7320508075688774; }
  Vector3 corner(int k) const {
    return middle +
           half * Vector3((k & 1) != 0 ? 1.0 : -1.0, (k & 2) != 0 ? 1.0 : -1.0, (k & 4) != 0 ? 1.0 : -1.0);
  }
  FieldCell part(int k) const { return {middle + 0.5 * (corner(k) - middle), 0.5 * half}; }
};

// The height of x is value + normal . (x - middle of the cell); the normal has unit length.
struct FieldPlane {
  Vector3 normal = Vector3::UnitZ();
  double value = 0.0;
};

inline constexpr int most_planes = 4;

// Lengths are multiplied by `scale`, a power of two that brings the shape to about one: squares of floats
// stay in range.
struct PlaneQuery {
  FieldCell cell;
  FieldPlane planes[most_planes];
  int count = 0;
  double scale = 1.0;
};

// needs[k]: for every point x of the cell, the distance of x from child k is at least the lowest of the
// planes' heights at x less this. Scaled. Unused children get minus infinity.
//
// For a unit vector u and the set B, d_B(x) >= u . (x - middle) + min over y in B of u . (middle - y). With u
// the plane's normal n this is the height less the largest height in B. With u from the nearest point of B to
// the middle it is gap + u . (x - middle), and the height less that is at most
// value - gap + half |n - u|_1. The lesser counts. What rounding can do is 2^-17 of the lengths (64 roundings
// of floats, the axes' own error of 8 among them), and is added.
void plane_needs(const PlaneQuery& query, const BoxNode& node, float* needs);

// drops[k]: child k has no point below height -drops[k] of the first plane, or (minus infinity) none within
// `radius` of the foot of the middle, middle - value normal. Scaled, the radius too.
void plane_drops(const PlaneQuery& query, double radius, const BoxNode& node, float* drops);

}  // namespace toccata::field
