#pragma once
// Two boxes of two trees in the world, in double precision: for boxes so near to each other, for their size,
// that single precision cannot tell them apart (flat parts side by side).
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "hierarchy/shape_data.hpp"
#include "toccata/base/pose.hpp"

namespace toccata::hierarchy {

struct WorldBox {
  std::array<Vector3, 8> corners;
  Matrix3 axes;
  double scale = 0.0;  // lengths that were rounded on the way
};

// The pose is taken as exact.
WorldBox world_box(const ShapeData& shape, const Pose& pose, BoxId id);

// The slabs between the boxes orthogonal to the three axes of either: a lower bound of their distance each
// (negative if they overlap along it), and the unit direction from a to b.
struct Slab {
  double gap;
  Vector3 direction;
};
std::array<Slab, 6> slabs_between(const WorldBox& a, const WorldBox& b);

// A lower bound of the distance; negative if none is known.
double widest_slab(const WorldBox& a, const WorldBox& b);

}  // namespace toccata::hierarchy
