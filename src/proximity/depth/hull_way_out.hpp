#pragma once
// The shortest way found along which the hull of one shape leaves that of another.
#include "toccata/proximity/placed_shape.hpp"

namespace toccata::depth {

struct WayOut {
  double length = 0.0;                // b moved by this along `normal` is apart from a, up to rounding
  Vector3 normal = Vector3::UnitZ();  // unit; like the points in the coordinates of b's tree
  Vector3 point_a = Vector3::Zero();  // the farthest of a along it,
  Vector3 point_b = Vector3::Zero();  // and `length` before it the height of b's last
};

// Tries `first`, the axes of both and directions around the best one. precondition: neither is a half space
WayOut hull_way_out(const PlacedShape& a, const PlacedShape& b, const Vector3& first);

// How far b has to go along one direction (unit, coordinates of b's tree).
double hull_way_along(const PlacedShape& a, const PlacedShape& b, const Vector3& normal);

}  // namespace toccata::depth
