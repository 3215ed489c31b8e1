#pragma once
// A segment thickened by a radius (LSS).
#include "toccata/bound/volume.hpp"

namespace toccata {

struct LineSweptSphere {
  Vector3 start = Vector3::Zero();
  Vector3 end = Vector3::Zero();
  double radius = 0.0;
};

template <>
LineSweptSphere fit<LineSweptSphere>(std::span<const Vector3> points);
LineSweptSphere merge(const LineSweptSphere& a, const LineSweptSphere& b);
bool overlap(const LineSweptSphere& a, const LineSweptSphere& b);
double lower_distance(const LineSweptSphere& a, const LineSweptSphere& b);
LineSweptSphere transformed(const Pose& pose, const LineSweptSphere& volume);
inline Vector3 center_of(const LineSweptSphere& v) {
  return 0.5 * v.start + 0.5 * v.end;
}
double radius_of(const LineSweptSphere& volume);

}  // namespace toccata
