#pragma once
// Two boxes that move without turning, along their separating axes: along which are they apart until they
// touch? A hint: whoever follows it proves what it says.
#include "toccata/base/pose.hpp"
#include "toccata/base/vector.hpp"

namespace toccata::search {

struct MovingBoxes {
  Vector3 half_a, half_b;
  Pose a_to_b;       // of their coordinates, about their middles
  Vector3 velocity;  // of a, in the coordinates of b
};

struct SeparatingAxes {
  Vector3 last = Vector3::Zero();  // unit, from a to b: apart along it for longest; zero if along none
  Vector3 first =
      Vector3::Zero();  // where they miss each other: apart along it from before then on; else zero
};

SeparatingAxes separating_axes(const MovingBoxes& boxes);

}  // namespace toccata::search
