#pragma once
// Two boxes that move without turning, along their separating axes: along which are they apart for longest?
// A hint: whoever follows it proves what it says.
#include "ccd/search/touching_corners.hpp"

namespace toccata::search {

struct MovingBoxes {
  Vector3 half_a, half_b;
  Pose a_to_b;       // of their coordinates, about their middles
  Vector3 velocity;  // of a, in the coordinates of b
};

// Unit, from a to b; zero if they are apart along none.
Vector3 last_separating_axis(const MovingBoxes& boxes);

// The corners that touch first along such an axis, at the pose at which they (nearly) do; not known where
// edges or faces are parallel.
TouchingCorners corners_along(const Vector3& half_a, const Vector3& half_b, const Pose& a_to_b,
                              const Vector3& axis);

}  // namespace toccata::search
