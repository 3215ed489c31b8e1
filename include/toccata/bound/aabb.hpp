#pragma once
// An axis-aligned box.
#include "toccata/bound/volume.hpp"

namespace toccata {

struct Aabb {
  Vector3 lower = Vector3::Zero();
  Vector3 upper = Vector3::Zero();
};

template <>
Aabb fit<Aabb>(std::span<const Vector3> points);
Aabb merge(const Aabb& a, const Aabb& b);    // exact
Aabb grown(const Aabb& box, double margin);  // by that much to every side, rounded outwards
bool overlap(const Aabb& a, const Aabb& b);  // exact: closed boxes share a point
double lower_distance(const Aabb& a, const Aabb& b);
Aabb transformed(const Pose& pose, const Aabb& box);  // the box around the turned box
Vector3 center_of(const Aabb& box);
double radius_of(const Aabb& box);

}  // namespace toccata
