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

struct BoxAxis {
  Vector3 normal = Vector3::Zero();  // unit, from a to b; zero if they are apart along none
  int edge_a = -1;                   // across these two; the normal of a face where the other is -1
  int edge_b = -1;
};
BoxAxis last_separating_axis(const MovingBoxes& boxes);

// The axes by number: faces of b, faces of a, then the product of edge i of a and edge j of b as 6 + 3 i + j.
// The normal is zero where edges are parallel.
BoxAxis box_axis(int number, const Pose& a_to_b);

// The corners that touch first along such an axis, at the pose at which they (nearly) do; not known where
// edges or faces are parallel.
TouchingCorners corners_along(const Vector3& half_a, const Vector3& half_b, const Pose& a_to_b,
                              const BoxAxis& axis);

}  // namespace toccata::search
