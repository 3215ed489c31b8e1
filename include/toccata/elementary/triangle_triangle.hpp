#pragma once
// How far apart are two triangles, and where?
#include <limits>

#include "toccata/elementary/triangle.hpp"
#include "toccata/report/feature.hpp"

namespace toccata {

struct TriangleTriangleDistance {
  double distance = 0.0;  // between the two points; 0 exactly when the triangles meet (exact predicate)
  double lower_distance =
      0.0;  // proven: the true distance is at least this (see triangle_triangle_separation)
  Vector3 point_a = Vector3::Zero();
  Vector3 point_b = Vector3::Zero();
  Feature feature_a;  // the smallest feature that holds the point
  Feature feature_b;
};

// The nearest points are an interior point of an edge on each side or a corner and a triangle: 9 + 6 cases.
// `distance` is right to a few roundings of the coordinates, `lower_distance` below it by about rounding
// times size over distance (much less where the features are two edges or a corner and a face). Where the
// triangles meet, both points are (up to rounding) one point of the intersection.
// Triangles proven to be farther apart than `limit` get that proven bound as both distances, and no points:
// cheaper.
TriangleTriangleDistance triangle_triangle_distance(const Triangle& a, const Triangle& b,
                                                    double limit = std::numeric_limits<double>::infinity());

// A proven lower bound of the distance from one direction: the width of the slab orthogonal to `direction`
// with all of a before it and all of b behind it, less the rounding errors of this computation. Negative or
// zero: this direction proves nothing. Any non-zero finite direction is allowed, of any length.
double triangle_triangle_separation(const Triangle& a, const Triangle& b, const Vector3& direction);

}  // namespace toccata
