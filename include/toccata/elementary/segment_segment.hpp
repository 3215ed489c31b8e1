#pragma once
// The nearest points of two segments.
#include <optional>

#include "toccata/base/vector.hpp"

namespace toccata {

struct Segment {
  Vector3 start = Vector3::Zero();
  Vector3 end = Vector3::Zero();
};

struct SegmentSegmentDistance {
  double squared_distance = 0.0;
  double parameter_a = 0.0;  // in [0, 1], from start to end
  double parameter_b = 0.0;
  Vector3 point_a = Vector3::Zero();
  Vector3 point_b = Vector3::Zero();
};

// Segments may have length zero. The distance is right to a few units of rounding of the coordinates, also
// for nearly parallel segments (the angle enters through the cross product, not as a difference of squares).
SegmentSegmentDistance segment_segment_distance(const Segment& a, const Segment& b);

// The nearest points of the two lines if both lie inside the segments; nothing otherwise, and nothing for
// parallel segments: the nearest points then include an end point.
std::optional<SegmentSegmentDistance> segment_segment_interior_distance(const Segment& a, const Segment& b);

}  // namespace toccata
