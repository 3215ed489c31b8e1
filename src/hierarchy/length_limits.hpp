#pragma once
// How large and how small a body may be for questions that multiply its lengths.
#include <string>

#include "hierarchy/shape_data.hpp"

namespace toccata {

// Beyond these, products of lengths overflow, those of the boxes in single precision first, or vanish.
constexpr double largest_length = 1e30;
constexpr double smallest_size = 1e-60;

// What is wrong with the size of the body or its distance from its origin, and what to do; empty if nothing
// is. A body of one point is all right. `which`: "the first body".
std::string failure_of_lengths(const ShapeData& shape, const std::string& which);

}  // namespace toccata
