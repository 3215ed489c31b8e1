#pragma once
// Features of constant size whose points move on straight lines: what the elementary time queries are asked
// about, one by one or many at once.
#include <array>
#include <cstddef>

#include "toccata/base/vector.hpp"

namespace toccata {

// Four points at the two ends of the motion, x(t) = (1-t) x_t0 + t x_t1.
// vertex-face: v, f0, f1, f2.  edge-edge: a0, a1, b0, b1.  vertex-edge: v, e0, e1.  vertex-vertex: v, w.
struct LinearMotion4 {
  std::array<Vector3, 4> t0;
  std::array<Vector3, 4> t1;
};

// Many queries in structure-of-arrays form: coordinates[12 * end + 3 * point + axis][query], end 0 = t0,
// 1 = t1. The arrays may be anywhere; those of LinearMotionColumns (linear_motion_columns.hpp) are read
// fastest.
struct LinearMotionBatch {
  std::array<const double*, 24> coordinates{};
  std::size_t size = 0;
};

}  // namespace toccata
