#include "toccata/bound/normal_cone.hpp"

#include <algorithm>
#include <cmath>

namespace toccata {
namespace {

// Pays for rounding the cosine to float, for the errors of the vectors (1e-8), for the length of an axis,
// which is 1 up to 1.3e-7 but is not divided out, and for all roundings in double.
constexpr double cosine_pad = 4e-7;
// The axes' lengths and the double roundings in the product of two of them.
constexpr double axes_pad = 2.7e-7;

float rounded_down(double cosine) {
  return static_cast<float>(std::min(cosine, 1.0) - cosine_pad);
}

double sine_of(double cosine) {
  return std::sqrt(std::max(0.0, 1.0 - cosine * cosine));
}

// cos(theta + alpha) from below, theta the angle between the axes.
double cosine_of_sum(const Vector3& axis, const Vector3& child_axis, double cosine_alpha, double sine_alpha) {
  const double cosine_theta = axis.dot(child_axis) - axes_pad;
  if (cosine_theta <= 0.0) return -1.0;
  return cosine_theta * cosine_alpha - sine_of(cosine_theta) * sine_alpha;
}

}  // namespace

NormalCone cone_of(std::span<const BoundedVector> vectors) {
  Vector3 sum = Vector3::Zero();
  for (const BoundedVector& v : vectors) {
    const double squared_norm = v.value.squaredNorm();
    // Outside these limits a square may have lost bits to underflow or overflowed.
    if (!(squared_norm > 1e-250 && squared_norm < 1e250)) return {};
    if (!(v.error * v.error <= 1e-16 * squared_norm)) return {};
    sum += v.value;
  }
  const double norm = sum.norm();
  if (!(norm > 1e-125)) return {};
  NormalCone cone;
  cone.axis = (sum / norm).cast<float>();
  const Vector3 axis = cone.axis.cast<double>();
  double squared_cosine = 1.0;
  for (const BoundedVector& v : vectors) {
    const double along = v.value.dot(axis);
    if (!(along > 0.0)) return {};
    squared_cosine = std::min(squared_cosine, along * along / v.value.squaredNorm());
  }
  cone.cosine = rounded_down(std::sqrt(squared_cosine));
  return cone;
}

NormalCone merge(const NormalCone& a, const NormalCone& b) {
  if (!a.is_valid() || !b.is_valid()) return {};
  const Vector3 axis_a = a.axis.cast<double>(), axis_b = b.axis.cast<double>();
  const double cosine_a = a.cosine, cosine_b = b.cosine;
  const double sine_a = sine_of(cosine_a), sine_b = sine_of(cosine_b);
  // The outermost rays of the two cones in the plane of their axes; the new axis halves their angle. Any
  // axis is right, this one is near the best.
  const double cosine_ab = axis_a.dot(axis_b);
  Vector3 axis = axis_a + axis_b;
  const double sine_squared = 1.0 - cosine_ab * cosine_ab;
  if (sine_squared > 1e-12) {
    const double inverse_sine = 1.0 / std::sqrt(sine_squared);
    const Vector3 ray_a = cosine_a * axis_a - sine_a * inverse_sine * (axis_b - cosine_ab * axis_a);
    const Vector3 ray_b = cosine_b * axis_b - sine_b * inverse_sine * (axis_a - cosine_ab * axis_b);
    // One cone inside the other: the outer ray of the inner one is no longer outermost.
    if (ray_a.dot(axis_b) >= cosine_b) {
      axis = axis_b;
    } else if (ray_b.dot(axis_a) >= cosine_a) {
      axis = axis_a;
    } else {
      axis = ray_a + ray_b;
    }
  }
  const double norm = axis.norm();
  if (!(norm > 1e-3)) return {};
  NormalCone cone;
  cone.axis = (axis / norm).cast<float>();
  axis = cone.axis.cast<double>();
  cone.cosine = rounded_down(
      std::min(cosine_of_sum(axis, axis_a, cosine_a, sine_a), cosine_of_sum(axis, axis_b, cosine_b, sine_b)));
  return cone;
}

}  // namespace toccata
