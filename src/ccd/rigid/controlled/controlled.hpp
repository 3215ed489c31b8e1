#pragma once
// C2A: conservative advancement of the whole pair with a controlled front (Tang, Kim, Manocha 2009).
#include "ccd/search/search_question.hpp"

namespace toccata::controlled {

using namespace search;

// Builds the tree of the method now; it is built at the first query otherwise.
void prepare(const ShapeData& shape);

SearchAnswer search_contact(const SearchQuestion& question);

}  // namespace toccata::controlled
