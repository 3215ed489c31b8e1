#pragma once
// The separating axis of two boxes at one time.
#include <limits>

#include "toccata/bound/obb.hpp"

namespace toccata {

// Of a gap along a unit axis, relative to all lengths that enter (docs/notes/rigid_bounds.md).
inline constexpr double gap_slack = 1e-11;

// The largest gap of two boxes along their 15 axes at one time, and that axis, from a to b, a unit vector;
// right to gap_slack of the lengths that enter.
struct BoxGap {
  double gap = -std::numeric_limits<double>::infinity();
  Vector3 axis = Vector3::Zero();
  int of_a = 3, of_b = 3;  // which axis of a, of b; 3: none; both: their cross product
};

BoxGap largest_gap(const Pose& pose_a, const Obb& a, const Pose& pose_b, const Obb& b);

}  // namespace toccata
