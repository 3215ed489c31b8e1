#pragma once
// Narrows the bracket of a contact with twice the digits of a double, where double precision proves the
// contact but cannot tell the signs of F near enough to its root.
#include "impact/certified_search.hpp"
#include "toccata/impact/linear_impact.hpp"

namespace toccata::impact_filter {

// `wide` is only_wide, `guess` near the root, `magnitude` those of the axes, in range. Returns a contact with
// a bracket of the promised width, or Undecided.
SearchResult narrow_bracket(const LinearMotion4& motion, const double* magnitude, const SearchResult& wide,
                            double guess);

}  // namespace toccata::impact_filter
