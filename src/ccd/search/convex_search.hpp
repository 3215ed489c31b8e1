#pragma once
// First contact of two bodies of one piece each: no tree and no queue, one step after the other.
#include "ccd/search/search_question.hpp"

namespace toccata::search {

// precondition: both shapes have one piece, not both a triangle
SearchAnswer search_convex_contact(const SearchQuestion& question);

}  // namespace toccata::search
