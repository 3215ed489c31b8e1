#include "toccata/bound/normal_cone.hpp"

#include <algorithm>
#include <cmath>

namespace toccata {
namespace {

// Rounding the cosine to float and all errors of the vectors together stay below this.
constexpr double cosine_pad = 2e-7;

float rounded_down(double cosine) {
  return static_cast<float>(std::min(cosine, 1.0) - cosine_pad);
}

// cos(theta + alpha) from below; the squares of the lengths of both axes are normal numbers near one.
double cosine_of_sum(const Vector3& axis, double axis_norm, const Vector3& child_axis, double cosine_alpha) {
  const double cosine_theta = axis.dot(child_axis) / (axis_norm * child_axis.norm()) - 4e-15;
  if (cosine_theta <= 0.0) return -1.0;
  const double sine_theta = std::sqrt(std::max(0.0, 1.0 - cosine_theta * cosine_theta)) + 4e-15;
  const double sine_alpha = std::sqrt(std::max(0.0, 1.0 - cosine_alpha * cosine_alpha)) + 4e-15;
  return cosine_theta * cosine_alpha - sine_theta * sine_alpha;
}

}  // namespace

NormalCone cone_of(std::span<const BoundedVector> vectors) {
  Vector3 sum = Vector3::Zero();
  for (const BoundedVector& v : vectors) {
    const double squared_norm = v.value.squaredNorm();
    // Outside these limits a square may have lost bits to underflow or overflowed.
    if (!(squared_norm > 1e-250 && squared_norm < 1e250)) return {};
    const double norm = std::sqrt(squared_norm);
    if (!(v.error <= 1e-8 * norm)) return {};
    sum += v.value / norm;
  }
  const double norm = sum.norm();
  if (!(norm > 1e-3)) return {};
  NormalCone cone;
  cone.axis = (sum / norm).cast<float>();
  const Vector3 axis = cone.axis.cast<double>();
  const double axis_norm = axis.norm();
  double cosine = 1.0;
  for (const BoundedVector& v : vectors) {
    cosine = std::min(cosine, v.value.dot(axis) / (v.value.norm() * axis_norm));
  }
  cone.cosine = rounded_down(cosine);
  return cone;
}

NormalCone merge(const NormalCone& a, const NormalCone& b) {
  if (!a.is_valid() || !b.is_valid()) return {};
  const Vector3 axis_a = a.axis.cast<double>(), axis_b = b.axis.cast<double>();
  const double cosine_a = a.cosine, cosine_b = b.cosine;
  // The outermost rays of the two cones in the plane of their axes; the new axis halves their angle. Any
  // axis is right, this one is near the best.
  const double cosine_ab = axis_a.dot(axis_b);
  Vector3 axis = axis_a + axis_b;
  const double sine_squared = 1.0 - cosine_ab * cosine_ab;
  if (sine_squared > 1e-12) {
    const double inverse_sine = 1.0 / std::sqrt(sine_squared);
    const double sine_a = std::sqrt(std::max(0.0, 1.0 - cosine_a * cosine_a));
    const double sine_b = std::sqrt(std::max(0.0, 1.0 - cosine_b * cosine_b));
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
  const double axis_norm = axis.norm();
  cone.cosine = rounded_down(std::min(cosine_of_sum(axis, axis_norm, axis_a, cosine_a),
                                      cosine_of_sum(axis, axis_norm, axis_b, cosine_b)));
  return cone;
}

}  // namespace toccata
