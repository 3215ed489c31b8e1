#pragma once
// Many turns about one axis: a body that turns in place keeps, of every point, the distance from the axis and
// the height along it. Where two bodies are apart in these two coordinates, they never meet, however long one
// turns.
#include <cstdint>
#include <functional>
#include <limits>

#include "ccd/search/search_question.hpp"

namespace toccata::search {

// True: proven further apart than question.distance at all times asked about. False says nothing: that is the
// answer unless one body stands still and the other turns about an axis that hardly moves, or after so many
// pairs.
// precondition: neither shape is empty, and no motion has a breakpoint between the times
bool apart_by_profile(const SearchQuestion& question, std::int64_t most_pairs, QueryStats& stats);

// Two pieces and a time at which they are so far apart.
struct NearestMoment {
  double distance = std::numeric_limits<double>::infinity();
  std::int32_t piece_a = -1;
  std::int32_t piece_b = -1;
  double time = 0.0;
};
// Where two pieces are nearest, about a time; their profiles are as far apart as the moment says.
using MomentLook = std::function<NearestMoment(const NearestMoment& about)>;

// Whole turns pass every angle, so that the smallest distance of the profiles is that of the bodies. Looks
// for a moment nearer than the one given. True: none is nearer than the one found by more than
// question.tolerance; question.distance is not used. False says nothing, as above; what was found holds.
// precondition: as above
bool closest_by_profile(const SearchQuestion& question, std::int64_t most_pairs, const MomentLook& look,
                        NearestMoment& nearest, QueryStats& stats);

}  // namespace toccata::search
