#pragma once
// What the search in SIMD lanes hands back to the batch.
#include <array>
#include <cstddef>
#include <cstdint>

#include "toccata/impact/linear_impact.hpp"

namespace toccata::impact_filter {

struct LaneVerdicts {
  static constexpr std::size_t capacity = 128;
  std::array<std::uint8_t, capacity> verdict;  // 0: ask the single call, 1: separated, 2: contact
  std::array<double, capacity> lower, upper;   // of a contact
};

// The answer of the single call for a contact that the search has found.
Impact search_contact(bool edge_edge, const LinearMotion4& motion, const LinearImpactOptions& options,
                      double lower, double upper);

}  // namespace toccata::impact_filter
