#pragma once
// Quickhull (Barber, Dobkin, Huhdanpaa 1996) with exact signs: the hull of points that span space.
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "toccata/base/vector.hpp"

namespace toccata::bound {

struct HullTriangle {
  std::array<std::int32_t, 3> vertices;  // counter-clockwise seen from outside
  std::array<std::int32_t, 3> across;    // the triangle beyond the edge from corner k to corner k + 1
};

// A closed surface of triangles that no point sees from outside. Triangles have area, but corners may lie
// on edges and in faces of the hull: neighbours may share a plane. `simplex`: four points that span space.
// The coordinates must be in the range of elementary/orientation.hpp.
std::vector<HullTriangle> quick_hull(std::span<const Vector3> points,
                                     const std::array<std::int32_t, 4>& simplex);

}  // namespace toccata::bound
