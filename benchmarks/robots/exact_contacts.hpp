#pragma once
// Exact answers about two sets of triangles at rest: what a reported contact, or a sample that touches, is
// judged by.
#include <array>
#include <vector>

#include "toccata/base/vector.hpp"

namespace toccata::bench {

using Triangles = std::vector<std::array<Vector3, 3>>;

// Is a point of one no farther than this from a point of the other? Exact but for the rounding of corners;
// only triangles whose boxes are that near are looked at.
bool are_within(const Triangles& a, const Triangles& b, double distance);

// Is a point of `inner` inside the closed surface `outer`? By how often a ray goes through it.
bool is_inside(const Triangles& inner, const Triangles& outer);

}  // namespace toccata::bench
