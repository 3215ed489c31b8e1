#pragma once
// The first two filters on queries that name their points: an axis that separates, read from one vertex after
// the other without putting them together, and the signs of the cubic for those that are left.
#include <array>
#include <cstddef>
#include <cstdint>

#include "impact/lane_verdicts.hpp"
#include "impact/moving_features.hpp"

#include "toccata/report/impact.hpp"

namespace toccata::impact {

// Every number of a point is that of a vertex, and all coordinates are finite.
struct IndexedQueries {
  const MovingVertex* vertices = nullptr;
  const std::array<std::int32_t, 4>* points = nullptr;
};

// Sets the stage of the queries [begin, end) that the filters decide and hands on the others; at most a part.
void filter_indexed(bool edge_edge, const IndexedQueries& queries, std::size_t begin, std::size_t end,
                    ImpactStage* stages, Survivors& out);

}  // namespace toccata::impact
