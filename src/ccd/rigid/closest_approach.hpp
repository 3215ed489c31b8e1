#pragma once
// What closest_approach keeps from one question on a pair of bodies to the next.
#include "ccd/search/contact_search.hpp"
#include "hierarchy/shape_data.hpp"
#include "toccata/ccd/rigid/closest_approach.hpp"

namespace toccata::rigid {

using namespace search;

// Two triangles at a time.
struct PairAtMoment {
  std::int32_t piece_a = -1;
  std::int32_t piece_b = -1;
  double time = 0.0;

  bool known() const { return piece_a >= 0; }
};

struct ApproachMemory {
  SearchMemory search;
  PairAtMoment nearest;  // of the last question: where the next one begins to look
};

struct ApproachQuery {
  const Shape& shape_a;
  const Motion& motion_a;
  bool solid_a;
  const Shape& shape_b;
  const Motion& motion_b;
  bool solid_b;
};

ClosestApproachResult closest_approach_of(const ApproachQuery& query, const ClosestApproachOptions& options,
                                          ApproachMemory& memory);

}  // namespace toccata::rigid
