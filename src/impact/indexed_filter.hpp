#pragma once
// The first two filters on queries that name their points, an axis that separates and the signs of the cubic,
// each by the least memory and the widest lanes that prove it: on a grid, in single precision, and for those
// that are left in double precision.
#include <cstddef>
#include <cstdint>

#include "impact/indexed_vertices.hpp"
#include "impact/lane_verdicts.hpp"
#include "toccata/report/impact.hpp"

namespace toccata::impact {

// Sets the stage of the queries [begin, end) that the cubic decides, at most a part; the stages must be Axis
// before. Hands on the others: in `out` their numbers, and what is to be asked in `verdicts`.
void filter_indexed(bool edge_edge, const IndexedQueries& queries, std::size_t begin, std::size_t end,
                    ImpactStage* stages, Survivors& out, LaneVerdicts& verdicts);

// The coordinates of the survivors.
void collect_columns(const IndexedQueries& queries, Survivors& survivors);

}  // namespace toccata::impact
