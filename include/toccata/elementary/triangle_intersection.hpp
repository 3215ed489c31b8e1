#pragma once
// Do two triangles share a point? Exact: the answer is that of real arithmetic on the doubles as given.
// Touching counts. Degenerate triangles are segments or points.
//
// Two triangles meet exactly when an edge of one meets the other: an extreme point of their intersection
// lies on a face of dimension at most one of one of them. Each edge test needs only orientation signs.
#include "toccata/elementary/segment_segment.hpp"
#include "toccata/elementary/triangle.hpp"

namespace toccata {

bool segment_segment_intersect(const Segment& a, const Segment& b);
bool segment_triangle_intersect(const Segment& segment, const Triangle& triangle);
bool triangle_triangle_intersect(const Triangle& a, const Triangle& b);

}  // namespace toccata
