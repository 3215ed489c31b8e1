#pragma once
// The point of a segment or of a triangle nearest to a point.
#include <array>

#include "toccata/elementary/triangle.hpp"
#include "toccata/report/feature.hpp"

namespace toccata {

struct PointSegmentDistance {
  double squared_distance = 0.0;
  double parameter = 0.0;  // in [0, 1]: the nearest point is (1 - parameter) * start + parameter * end
  Vector3 point = Vector3::Zero();
};

// A segment of length zero is its start.
PointSegmentDistance point_segment_distance(const Vector3& point, const Vector3& start, const Vector3& end);

struct PointTriangleDistance {
  double squared_distance = 0.0;
  std::array<double, 3> weights = {1.0, 0.0, 0.0};  // of the corners, in [0, 1], summing to one
  Vector3 point = Vector3::Zero();                  // the nearest point of the triangle
  Feature feature;                                  // the smallest feature that holds it
};

// A degenerate triangle is the union of its edges; its feature is then an edge or a vertex.
PointTriangleDistance point_triangle_distance(const Vector3& point, const Triangle& triangle);

}  // namespace toccata
