#pragma once
// What every bounding volume of this stage offers, each in its own file:
//
//   fit<V>(points)           a V that encloses the points
//   merge(a, b)              a V that encloses both
//   overlap(a, b)            false only if the volumes are proven apart
//   lower_distance(a, b)     a proven lower bound of the distance of anything enclosed; 0 if they may touch
//   transformed(pose, v)     a V that encloses the moved contents
//   center_of(v), radius_of(v)   some point inside, and an upper bound of the distance to it of the contents
//
// "Encloses" is meant in real arithmetic: every rounding of the fit, the merge and the move is inside the
// volume, every rounding of a comparison on the side of "may touch". Poses must have rotations that are
// orthonormal to 1e-14; their entries are taken as exact.
#include <span>

#include "toccata/base/pose.hpp"
#include "toccata/base/vector.hpp"

namespace toccata {

// precondition: at least one point, all finite.
template <typename Volume>
Volume fit(std::span<const Vector3> points);

}  // namespace toccata
