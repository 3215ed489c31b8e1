#pragma once
#include "toccata/bound/rectangle_swept_sphere.hpp"

namespace toccata::bound {

// The volume around the points whose rectangle lies along the first two axes (orthonormal to 1e-15).
RectangleSweptSphere fit_rectangle(std::span<const Vector3> points, const Matrix3& axes);

}  // namespace toccata::bound
