#pragma once
// Three plain numbers, for walks that spend their time in a few dozen products and sums per step: vectors of
// three that are stored by the number and loaded by the pair wait for each other.
#include "toccata/base/pose.hpp"
#include "toccata/base/vector.hpp"

namespace toccata::convex {

struct Xyz {
  double x, y, z;
};
inline Xyz operator+(const Xyz& a, const Xyz& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
inline Xyz operator-(const Xyz& a, const Xyz& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
inline Xyz operator-(const Xyz& a) {
  return {-a.x, -a.y, -a.z};
}
inline Xyz operator*(double s, const Xyz& a) {
  return {s * a.x, s * a.y, s * a.z};
}
inline double dot(const Xyz& a, const Xyz& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
inline Xyz cross(const Xyz& a, const Xyz& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline Xyz plain(const Vector3& v) {
  return {v.x(), v.y(), v.z()};
}
inline Vector3 vector(const Xyz& v) {
  return {v.x, v.y, v.z};
}
inline Xyz turned(const Matrix3& rotation, const Xyz& v) {
  return v.x * plain(rotation.col(0)) + v.y * plain(rotation.col(1)) + v.z * plain(rotation.col(2));
}
inline Xyz applied(const Pose& pose, const Xyz& p) {
  return turned(pose.rotation, p) + plain(pose.translation);
}

}  // namespace toccata::convex
