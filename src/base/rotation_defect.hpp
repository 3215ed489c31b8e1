#pragma once
// How far a rotation matrix is from orthonormal.
#include <cmath>

#include "toccata/base/rounding.hpp"
#include "toccata/base/vector.hpp"

namespace toccata {

// A bound on the spectral norm of R^T R - I.
inline double rotation_defect(const Matrix3& r) {
  const double* const column = r.data();
  double sum = 0.0;
  for (int i = 0; i < 3; ++i) {
    const double *const p = column + 3 * i, *const q = column + 3 * ((i + 1) % 3);
    sum += std::abs((p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) - 1.0);
    sum += 2.0 * std::abs(p[0] * q[0] + p[1] * q[1] + p[2] * q[2]);  // twice: the matrix is symmetric
  }
  return sum + 16.0 * unit_roundoff;
}

}  // namespace toccata
