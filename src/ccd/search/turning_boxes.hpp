#pragma once
// Two boxes that move at constant velocities and turn: eight moments at once along all fifteen axes, first
// spread over the time in which they may meet, then about the root that the last axis forecasts.
#include "ccd/search/moving_boxes.hpp"
#include "ccd/search/steady_pair.hpp"

namespace toccata::search {

// From `from` on, in at most so many steps. Boxes nearer than the target at a question's start touch: that is
// Unfinished, as is what takes too long. Gaps between nothing and the target are looked for, half of it aimed
// at.
// precondition: the pair is steady, both pieces are boxes with no radius and no place of their own, both
// bodies together turn by less than 12 radians
BoxesAnswer follow_turning_boxes(const SteadyPair& pair, const Vector3& half_a, const Vector3& half_b,
                                 double from, bool is_start, double target, std::int64_t most);

}  // namespace toccata::search
