#pragma once
// Redon, Kheddar, Coquillart 2002: interval arithmetic over spans of time, on the continuous separating-axis
// test of oriented boxes and on the elementary contact equations.
#include "ccd/search/search_question.hpp"

namespace toccata::interval {

using namespace search;

SearchAnswer search_contact(const SearchQuestion& question);

}  // namespace toccata::interval
