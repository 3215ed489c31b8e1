#pragma once
// The first two filters on queries that name their points: an axis that separates, read from one vertex after
// the other without putting them together, in single precision; and for those that are left the same in
// double precision, and the signs of the cubic.
#include <array>
#include <cstddef>
#include <cstdint>

#include "impact/lane_verdicts.hpp"
#include "impact/moving_features.hpp"

#include "toccata/report/impact.hpp"

namespace toccata::impact {

// A vertex at both ends of the step, rounded: half a cache line. Rounding keeps the order of numbers, or
// makes them equal: what is strictly above something here is so in double precision.
struct alignas(32) RoundedVertex {
  float t0[4] = {0, 0, 0, 0};  // the last of them is 0
  float t1[4] = {0, 0, 0, 0};
};

// Every number of a point is that of a vertex, and all coordinates are finite.
struct IndexedQueries {
  const MovingVertex* vertices = nullptr;
  const RoundedVertex* rounded = nullptr;
  const std::array<std::int32_t, 4>* points = nullptr;
};

// Sets the stage of the queries [begin, end) that the filters decide and hands on the others; at most a part.
void filter_indexed(bool edge_edge, const IndexedQueries& queries, std::size_t begin, std::size_t end,
                    ImpactStage* stages, Survivors& out);

}  // namespace toccata::impact
