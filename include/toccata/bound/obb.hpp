#pragma once
// An oriented box: |axes.col(k) . (x - center)| <= half[k] for all of its contents.
#include "toccata/bound/volume.hpp"

namespace toccata {

struct Obb {
  Vector3 center = Vector3::Zero();
  Matrix3 axes = Matrix3::Identity();  // columns orthonormal to 1e-13
  Vector3 half = Vector3::Zero();
};

// In the principal axes of the hull's surface, or axis-aligned where that has the smaller surface.
template <>
Obb fit<Obb>(std::span<const Vector3> points);
// The box in the given axes (orthonormal to 1e-15).
Obb fit_obb(std::span<const Vector3> points, const Matrix3& axes);
Obb merge(const Obb& a, const Obb& b);     // the better of both frames
bool overlap(const Obb& a, const Obb& b);  // separating axes: 3 + 3 face normals, 9 edge pairs
// The largest of the gaps in both frames and along the edge pairs; at most the distance of the boxes.
double lower_distance(const Obb& a, const Obb& b);
Obb transformed(const Pose& pose, const Obb& box);
inline const Vector3& center_of(const Obb& box) {
  return box.center;
}
double radius_of(const Obb& box);

}  // namespace toccata
