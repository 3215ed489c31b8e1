#pragma once
// The simple solids, in body coordinates: centred at the origin, their axis along z. Sizes are not negative
// and finite; zero is all right (a ball of radius 0 is a point). No margins: a radius is part of the shape.
#include "toccata/base/vector.hpp"

namespace toccata {

struct Ball {
  double radius = 1.0;
};

// Every point within `radius` of the segment of length `height` on the z axis.
struct Capsule {
  double radius = 1.0;
  double height = 1.0;
};

// Every point within `radius` of the box whose sides have these lengths: rounded if radius > 0.
struct Box {
  Vector3 size = Vector3::Ones();
  double radius = 0.0;
};

struct Cylinder {
  double radius = 1.0;
  double height = 1.0;
};

// The base, a disc, is at z = -height / 2, the tip at z = height / 2.
struct Cone {
  double radius = 1.0;
  double height = 1.0;
};

struct Ellipsoid {
  Vector3 radii = Vector3::Ones();
};

// { x : normal . x <= offset }. The normal need not be of unit length, but not zero.
struct HalfSpace {
  Vector3 normal = Vector3::UnitZ();
  double offset = 0.0;
};

}  // namespace toccata
