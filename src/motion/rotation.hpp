#pragma once
// Rotations between matrices and axis times angle, with the error constants the motions rely on.
#include "toccata/base/rounding.hpp"
#include "toccata/base/vector.hpp"

namespace toccata {

// An upper bound on the spectral norm of exp([angle axis]) minus what rotation_about returns, in units of
// unit_roundoff, when axis and angle come from rotation_vector_parts: sine and cosine 2, nine entries of five
// roundings 24, the axis' own rounding 14, and 4 an angle of one radian for the rounding of the angle.
inline constexpr double rotation_about_error = 48.0;
inline constexpr double rotation_angle_error = 4.0;

Matrix3 rotation_about(const Vector3& axis, double angle);

// The nearest rotation to a matrix that is one up to rounding or to a few digits. A matrix that is already
// orthonormal to 8 roundings is returned unchanged.
Matrix3 nearest_rotation(const Matrix3& matrix);

// axis * angle of a rotation matrix, angle in [0, pi].
Vector3 rotation_vector(const Matrix3& rotation);

}  // namespace toccata
