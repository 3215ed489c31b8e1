#pragma once
// Random convex solids of every kind, with sizes and poses in the places where others fail.
#include <Eigen/Geometry>
#include <cmath>
#include <vector>

#include "toccata/base/random.hpp"
#include "toccata/bound/convex_hull_of.hpp"
#include "toccata/geometry/geometry.hpp"

namespace toccata::oracle {

inline Matrix3 any_rotation(Random& random) {
  switch (random.integer(0, 5)) {
    case 0:
      return Matrix3::Identity();
    case 1: {  // axes along axes
      Matrix3 turn = Matrix3::Zero();
      const int k = random.integer(0, 2);
      for (int i = 0; i < 3; ++i) turn((i + k) % 3, i) = 1.0;
      return turn;
    }
    default:
      return Eigen::AngleAxisd(random.uniform(-4.0, 4.0), random.on_sphere()).toRotationMatrix();
  }
}

// Mostly about one, sometimes zero or far from it.
inline double any_size(Random& random) {
  switch (random.integer(0, 19)) {
    case 0:
      return 0.0;
    case 1:
      return std::pow(10.0, random.uniform(-4.0, 3.0));
    case 2:
      return 1.0;
    default:
      return random.uniform(0.05, 2.0);
  }
}

inline Vector3 any_sizes(Random& random) {
  const double x = any_size(random), y = any_size(random), z = any_size(random);
  return {x, y, z};
}

inline ConvexHull any_hull(Random& random, double radius) {
  std::vector<Vector3> points;
  const int manner = random.integer(0, 5), count = manner == 0 ? random.integer(1, 3) : random.integer(4, 30);
  const Vector3 scale = any_sizes(random);
  for (int i = 0; i < count; ++i) {
    Vector3 p = manner <= 2 ? random.on_sphere() : random.in_box(1.0);
    if (manner == 3) p = Vector3(random.integer(-1, 1), random.integer(-1, 1), random.integer(-1, 1));
    if (manner == 4) p.z() = 0.0;
    points.push_back(p.cwiseProduct(scale));
  }
  return std::move(convex_hull_of(points, radius)).value();
}

inline Geometry any_solid(Random& random) {
  const double radius = any_size(random), height = any_size(random);
  switch (random.integer(0, 8)) {
    case 0:
      return Ball{radius};
    case 1:
      return Capsule{radius, height};
    case 2:
      return Box{any_sizes(random)};
    case 3:
      return Box{any_sizes(random), radius};
    case 4:
      return Cylinder{radius, height};
    case 5:
      return Cone{radius, height};
    case 6:
      return Ellipsoid{any_sizes(random)};
    case 7:
      return any_hull(random, radius);
    default:
      return any_hull(random, 0.0);
  }
}

// Of both signs, from 1e-15 up.
inline double any_gap(Random& random) {
  switch (random.integer(0, 9)) {
    case 0:
      return 0.0;
    case 1:
      return random.uniform(0.1, 3.0);
    case 2:
    case 3:
    case 4:
      return -std::pow(10.0, random.uniform(-15.0, 0.0));
    default:
      return std::pow(10.0, random.uniform(-15.0, 0.0));
  }
}

}  // namespace toccata::oracle
