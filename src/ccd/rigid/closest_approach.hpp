#pragma once
// What closest_approach keeps from one question on a pair of bodies to the next.
#include "ccd/rigid/solid_overlap.hpp"
#include "ccd/search/contact_search.hpp"
#include "hierarchy/shape_data.hpp"
#include "toccata/ccd/rigid/closest_approach.hpp"

namespace toccata::rigid {

using namespace search;

// Two pieces at a time.
struct PairAtMoment {
  std::int32_t piece_a = -1;
  std::int32_t piece_b = -1;
  double time = 0.0;

  bool known() const { return piece_a >= 0; }
};

struct ApproachMemory {
  SearchMemory search;
  PairAtMoment nearest;  // of the last question: where the next one starts to look
};

ClosestApproachResult closest_approach_of(const RigidPair& query, const ClosestApproachOptions& options,
                                          ApproachMemory& memory);

}  // namespace toccata::rigid
