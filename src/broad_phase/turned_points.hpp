#pragma once
// How far turned points reach along the axes.
#include <span>

#include "elementary/hull_index.hpp"
#include "toccata/bound/aabb.hpp"

namespace toccata::broad_phase {

// The box of all rotation * x, each coordinate to three roundings of products and two of sums. There is a
// point.
Aabb turned_points_box(const Matrix3& rotation, std::span<const Vector3> points);
// The same to the last bit.
Aabb turned_points_box(const Matrix3& rotation, const ScannedCorners& corners);

}  // namespace toccata::broad_phase
