#pragma once
// Many turns about one axis: a body that turns in place keeps, of every point, the distance from the axis and
// the height along it. Where two bodies are apart in these two coordinates, they never meet, however long one
// turns.
#include <cstdint>

#include "ccd/search/search_question.hpp"

namespace toccata::search {

// True: proven further apart than question.distance at all times asked about. False says nothing: that is the
// answer unless one body stands still and the other turns about an axis that hardly moves, or after so many
// pairs.
// precondition: neither shape is empty, and no motion has a breakpoint between the times
bool apart_by_profile(const SearchQuestion& question, std::int64_t most_pairs, QueryStats& stats);

}  // namespace toccata::search
