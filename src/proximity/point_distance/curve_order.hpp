#pragma once
// Points in an order in which those that follow each other are near each other.
#include <cstdint>
#include <span>
#include <vector>

#include "toccata/base/vector.hpp"

namespace toccata::point_distance {

// Numbers of the points along a Morton curve through their bounding box; points of one cell in their order.
// precondition: all are finite
std::vector<std::uint32_t> order_along_curve(std::span<const Vector3> points);

}  // namespace toccata::point_distance
