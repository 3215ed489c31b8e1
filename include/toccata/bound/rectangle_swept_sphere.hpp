#pragma once
// A rectangle thickened by a radius (RSS): the volume of PQP and C2A.
#include "toccata/bound/volume.hpp"

namespace toccata {

struct RectangleSweptSphere {
  Vector3 center = Vector3::Zero();    // of the rectangle
  Matrix3 axes = Matrix3::Identity();  // columns: along the two sides, and the normal; orthonormal to 1e-13
  Vector2 half = Vector2::Zero();      // half lengths of the sides
  double radius = 0.0;
};

template <>
RectangleSweptSphere fit<RectangleSweptSphere>(std::span<const Vector3> points);
RectangleSweptSphere merge(const RectangleSweptSphere& a, const RectangleSweptSphere& b);
bool overlap(const RectangleSweptSphere& a, const RectangleSweptSphere& b);
double lower_distance(const RectangleSweptSphere& a, const RectangleSweptSphere& b);

// The same with the direction from a to b along which it is reached (unit up to rounding; zero where the
// rectangles meet).
struct DirectedDistance {
  double lower_distance = 0.0;
  Vector3 direction = Vector3::Zero();
};
DirectedDistance directed_lower_distance(const RectangleSweptSphere& a, const RectangleSweptSphere& b);

RectangleSweptSphere transformed(const Pose& pose, const RectangleSweptSphere& volume);
inline const Vector3& center_of(const RectangleSweptSphere& volume) {
  return volume.center;
}
double radius_of(const RectangleSweptSphere& volume);

}  // namespace toccata
