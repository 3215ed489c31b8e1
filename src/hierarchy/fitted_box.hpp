#pragma once
// An oriented box as a BoxNode stores it: made from bounds along the axes of a basis in floats.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "hierarchy/box_tree.hpp"

namespace toccata::hierarchy {

// precondition: x >= 0. The next float's bits are one more.
inline float round_up(double x) {
  const float f = static_cast<float>(x);
  return static_cast<double>(f) < x ? std::bit_cast<float>(std::bit_cast<std::uint32_t>(f) + 1U) : f;
}

// An eighth of a box's surface area.
inline double measure_of(const Vector3& half) {
  return half[0] * half[1] + half[1] * half[2] + half[2] * half[0];
}

struct Bounds {
  Vector3 lower = Vector3::Constant(std::numeric_limits<double>::infinity());
  Vector3 upper = Vector3::Constant(-std::numeric_limits<double>::infinity());

  void take(const Vector3& p) {
    lower = lower.cwiseMin(p);
    upper = upper.cwiseMax(p);
  }
};

struct FittedBox {
  Matrix3 axes = Matrix3::Identity();  // columns, exactly representable in float
  Vector3 center = Vector3::Zero();    // relative to the node's origin, exactly representable in float
  Vector3 half = Vector3::Zero();
  double measure = std::numeric_limits<double>::infinity();
};

// The bounds along the axes become half extents about a centre in float, `padding` wider.
inline FittedBox fitted_box(const Matrix3& axes, const Matrix3& inverse, const Bounds& bounds,
                            double padding) {
  FittedBox box;
  box.axes = axes;
  box.center = (axes * (0.5 * (bounds.lower + bounds.upper))).cast<float>().cast<double>();
  const Vector3 middle = inverse * box.center;
  for (int i = 0; i < 3; ++i) {
    box.half[i] = static_cast<double>(
        round_up(std::max(bounds.upper[i] - middle[i], middle[i] - bounds.lower[i]) + padding));
  }
  box.measure = measure_of(box.half);
  return box;
}

// What this box adds to the node's reach is returned.
inline double put_box(const FittedBox& box, std::size_t slot, BoxNode& node) {
  for (int i = 0; i < 3; ++i) {
    node.center[i][slot] = static_cast<float>(box.center[i]);
    node.half[i][slot] = static_cast<float>(box.half[i]);
    for (int k = 0; k < 3; ++k) node.axis[i][k][slot] = static_cast<float>(box.axes(k, i));
  }
  return box.center.norm() + box.half.sum();
}

}  // namespace toccata::hierarchy
