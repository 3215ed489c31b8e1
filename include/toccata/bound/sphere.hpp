#pragma once
// A ball: the point swept sphere (PSS) of the swept-sphere volumes.
#include "toccata/bound/volume.hpp"

namespace toccata {

struct Sphere {
  Vector3 center = Vector3::Zero();
  double radius = 0.0;
};

// The smaller of the balls around the middle of the bounding box and of Ritter's growth from it.
template <>
Sphere fit<Sphere>(std::span<const Vector3> points);
Sphere merge(const Sphere& a, const Sphere& b);
bool overlap(const Sphere& a, const Sphere& b);
double lower_distance(const Sphere& a, const Sphere& b);
Sphere transformed(const Pose& pose, const Sphere& sphere);
inline const Vector3& center_of(const Sphere& sphere) {
  return sphere.center;
}
inline double radius_of(const Sphere& sphere) {
  return sphere.radius;
}

}  // namespace toccata
