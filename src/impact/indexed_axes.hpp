#pragma once
// The first look at queries that name their points: an axis on which the features are apart at both ends of
// the step, several queries side by side in 16-bit integers, with all of their axes.
#include <cstddef>
#include <cstdint>

#include "impact/indexed_vertices.hpp"

namespace toccata::impact {

// Lists the queries of [begin, end) that no axis of the grid separates and returns their number. `left` has
// room for all of them and a vector more.
std::size_t list_meeting(bool edge_edge, const IndexedQueries& queries, std::size_t begin, std::size_t end,
                         std::uint32_t* left);

}  // namespace toccata::impact
