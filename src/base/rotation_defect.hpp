#pragma once
// How far a rotation matrix is from orthonormal.
#include <cmath>

#include "toccata/base/rounding.hpp"
#include "toccata/base/vector.hpp"

namespace toccata {

// A bound on the spectral norm of R^T R - I.
inline double rotation_defect(const Matrix3& r) {
  double sum = 0.0;
  for (int i = 0; i < 3; ++i) {
    sum += std::abs(r.col(i).squaredNorm() - 1.0);
    sum += 2.0 * std::abs(r.col(i).dot(r.col((i + 1) % 3)));  // twice: the matrix is symmetric
  }
  return sum + 16.0 * unit_roundoff;
}

}  // namespace toccata
