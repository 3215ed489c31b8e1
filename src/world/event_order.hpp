#pragma once
// Events in the order that is proven, as far as it can be.
#include <functional>
#include <vector>

#include "toccata/report/first_contact_result.hpp"
#include "toccata/report/world_events.hpp"

namespace toccata::world {

// The pair of an event asked again with a tolerance smaller by this factor. Called by several threads at
// once.
using AskAgain = std::function<FirstContactResult(const WorldEvent&, double tolerance_factor)>;

// Sorts by time. Where brackets overlap, their pairs are asked again, finer and finer, until the brackets
// part or nothing is gained any more; what overlaps then makes one group.
void order_events(std::vector<WorldEvent>& events, const AskAgain& ask_again, int threads, QueryStats& stats);

// Until when the events of the first group may come; infinity if there are none. Sorts them by time.
double end_of_first_group(std::vector<WorldEvent>& events);

}  // namespace toccata::world
