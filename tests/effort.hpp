#pragma once
// How many queries a family gets: a quick number by default, times TOCCATA_TEST_EFFORT for a soak run.
#include <cstdlib>

namespace toccata {

inline int query_count(int quick) {
  const char* effort = std::getenv("TOCCATA_TEST_EFFORT");
  const double factor = effort != nullptr ? std::atof(effort) : 1.0;
  return static_cast<int>(quick * (factor > 0 ? factor : 1.0));
}

}  // namespace toccata
