#pragma once
// Jump flooding (Rong and Tan 2006), as it is usually written: every pixel asks itself and its eight
// neighbours at distances n/2, n/4 ... 1 for the site that they have found so far.
#include <cstdint>
#include <vector>

#include "toccata/base/vector.hpp"

namespace toccata::bench {

// Of a square grid over [0, 1) x [0, 1): the site of each pixel.
std::vector<std::int32_t> jump_flooding(const std::vector<Vector3>& points, int side);

}  // namespace toccata::bench
