#pragma once
// Exact signs of orientation determinants: a floating-point filter first, expansions of doubles after.
//
// The signs are those of real arithmetic on the doubles as given. Coordinates must be finite and their
// non-zero magnitudes must span less than a factor 2^600 (beyond it the smallest ones may be lost).
#include "toccata/base/vector.hpp"

namespace toccata {

// -1, 0 or +1: the side of c as seen along the line from a to b (+1 = left).
int orientation_2d(const Vector2& a, const Vector2& b, const Vector2& c);

// -1, 0 or +1: the side of d relative to the plane of a, b, c (+1 = the side of (b-a) x (c-a)).
int orientation_3d(const Vector3& a, const Vector3& b, const Vector3& c, const Vector3& d);

// The sign of direction . ((b - origin) x (c - origin)): the side on which the line from `origin` along
// `direction` passes the segment from b to c.
int line_side_3d(const Vector3& origin, const Vector3& direction, const Vector3& b, const Vector3& c);

// The sign of direction x (c - origin): the side of c as seen along `direction` from `origin` (+1 = left).
int line_side_2d(const Vector2& origin, const Vector2& direction, const Vector2& c);

}  // namespace toccata
