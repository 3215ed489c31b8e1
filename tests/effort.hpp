#pragma once
// How much work a random test does: a quick number by default, times TOCCATA_TEST_EFFORT for a long run.
// TOCCATA_TEST_SEED asks the long tests for other cases than the usual ones.
#include <cstdint>
#include <cstdlib>

namespace toccata {

inline int with_effort(int quick) {
  const char* effort = std::getenv("TOCCATA_TEST_EFFORT");
  const double factor = effort != nullptr ? std::atof(effort) : 1.0;
  return static_cast<int>(quick * (factor > 0 ? factor : 1.0));
}

inline std::uint64_t seed_or(std::uint64_t usual) {
  const char* seed = std::getenv("TOCCATA_TEST_SEED");
  return seed != nullptr ? std::strtoull(seed, nullptr, 10) : usual;
}

}  // namespace toccata
