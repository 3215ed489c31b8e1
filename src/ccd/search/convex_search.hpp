#pragma once
// First contact of two bodies of one piece each: no tree and no queue, one step after the other.
#include "ccd/search/steady_search.hpp"

namespace toccata::search {

// Whether this search is the one to ask: both shapes have one piece, not both a triangle.
inline bool is_convex_pair(const ShapeData& a, const ShapeData& b) {
  return !(a.has_only_triangles() && b.has_only_triangles()) && a.piece_count() == 1 && b.piece_count() == 1;
}

// `touch` says what was seen at the contact, if that is known.
// precondition: is_convex_pair
SearchAnswer search_convex_contact(const SearchQuestion& question, ConvexTouch& touch);

}  // namespace toccata::search
