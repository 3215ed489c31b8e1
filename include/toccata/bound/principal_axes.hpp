#pragma once
// A frame that follows the shape of a point set: the principal axes of the surface of its convex hull.
//
// The hull's surface rather than the points, so that neither points inside nor a dense patch of points turn
// the frame (OBBTree, Gottschalk, Lin, Manocha 1996). Beyond 32 points the hull is that of the extreme points
// along 13 fixed directions: the frame is a choice of quality only, every frame gives enclosing volumes.
#include <span>

#include "toccata/base/vector.hpp"

namespace toccata {

// Columns orthonormal to 1e-15, right-handed, by decreasing spread. Any point set is all right: flat,
// straight or a single point.
Matrix3 principal_axes(std::span<const Vector3> points);

}  // namespace toccata
