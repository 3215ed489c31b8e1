#pragma once
// First contact of two convex pieces whose bodies move at constant velocities: nearest points give
// directions, and along a direction the gap is followed exactly.
#include "ccd/search/steady_pair.hpp"

namespace toccata::search {

// What was seen when the answer was found, so that whoever reports it need not look again.
struct ConvexTouch {
  bool is_known = false;
  convex::ConvexDistance nearest;  // as exactly as doubles can, in the coordinates of b's shape
  Pose a_to_b;
  double upper = 1.0;  // they are proven to overlap at that time; 1: not known
};

struct SteadyAnswer {
  enum class Ending { Free, Contact, Unfinished, OutOfBudget };
  Ending ending = Ending::Unfinished;
  double time = 0.0;  // of the question: proven further apart than its distance before it
  int steps = 0;
};

// From `start`, where whoever is within the tolerance counts as touching if that is the question's start, to
// `end`. Unfinished: so far it is proven, the rest is for others; that is rare. OutOfBudget: after
// `most` steps.
SteadyAnswer search_steadily(const SearchQuestion& question, const ConvexPair& pair, double start, double end,
                             std::int64_t most, ConvexTouch& touch);

}  // namespace toccata::search
