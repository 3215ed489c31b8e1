#pragma once
// The rounding allowances of the bounding volumes, in units of u = 2^-53.
#include <cmath>

#include "toccata/base/pose.hpp"
#include "toccata/base/rounding.hpp"

namespace toccata::bound {

inline constexpr double u = unit_roundoff;
// Rotations may differ from orthonormal by this much (volume.hpp).
inline constexpr double rotation_slack = 1e-14;
// Added to every length so that squares that underflow do not matter.
inline constexpr double smallest_length = 0x1p-500;

// A norm of a vector of rounded differences: one rounding per difference, at most 2.5 for the sum of squares,
// one for the root. Multiplied up or down by 8 u with room.
inline double upper_length(const Vector3& v) {
  return v.norm() * (1.0 + 8.0 * u) + smallest_length;
}
inline double lower_length(const Vector3& v) {
  return std::max(0.0, v.norm() * (1.0 - 8.0 * u) - smallest_length);
}

// Upper bound of the distance between pose.apply(p) as computed and in real arithmetic: four roundings per
// component of magnitudes that sum to at most |p|_1 + |T|_1 over all components (entries of R are <= 1).
inline double move_error(const Pose& pose, const Vector3& p) {
  return 8.0 * u * (3.0 * p.cwiseAbs().sum() + pose.translation.cwiseAbs().sum());
}

}  // namespace toccata::bound
