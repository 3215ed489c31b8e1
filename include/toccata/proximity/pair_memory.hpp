#pragma once
// The distance of a pair that is asked about again and again while it moves a little: where the last answer
// was found, the next one is looked for first.
//
//   const Shape hull(convex_hull_of(positions_t0).value());
//   PairMemory memory;  // of this pair, from frame to frame
//   const DistanceResult now = distance({hull, pose}, {hull}, memory);
#include <array>
#include <cstdint>

#include "toccata/proximity/distance.hpp"

namespace toccata {

// Plain data: it can be copied, kept in arrays and written to files. It only makes answers faster; any
// content is right, that of another pair, too.
struct PairMemory {
  std::int32_t count = 0;  // of the corners of both that carried the nearest points; 0: nothing is remembered
  std::array<std::int32_t, 4> vertex_a = {-1, -1, -1, -1};
  std::array<std::int32_t, 4> vertex_b = {-1, -1, -1, -1};
  Vector3 direction = Vector3::Zero();  // from a to b, in b's coordinates
};

// As `distance` without it, to rounding: another way leads to the same points. Remembered is what convex
// pairs of hulls, boxes and curved kinds need; others, and pairs with a closed form, are answered as ever.
DistanceResult distance(const PlacedShape& a, const PlacedShape& b, PairMemory& memory,
                        const DistanceOptions& options = {});

}  // namespace toccata
