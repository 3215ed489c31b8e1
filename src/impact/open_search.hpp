#pragma once
// A second look in SIMD lanes at what the first search leaves open, where only yes or no is asked for:
// brackets are no part of that answer, so that the search of the scenes (lane_search-inl.hpp), which proves
// more, may be taken. Most of what it decides has two roots, or one near another's place. A lane's answer
// does not depend on the others: batch and single call agree.
#include "impact/indexed_vertices.hpp"
#include "impact/lane_verdicts.hpp"
#include "toccata/impact/linear_motion.hpp"

namespace toccata::impact {

// Decides what it can of the survivors whose verdict is Ask or AskCrossing. Magnitudes that are out of range
// and coordinates that are not finite decide nothing.
void decide_open(bool edge_edge, const Survivors& survivors, LaneVerdicts& verdicts);

// The same for queries that name their points; survivors need no columns.
void decide_open(bool edge_edge, const IndexedQueries& queries, const Survivors& survivors,
                 LaneVerdicts& verdicts);

// The same for one query that the filters and the first search leave: Separated, Contact or Ask.
LaneVerdict decide_open(bool edge_edge, const LinearMotion4& motion);

}  // namespace toccata::impact
