#pragma once
// The answer to "when do they touch, all in all".
#include <string>
#include <vector>

#include "toccata/base/status.hpp"
#include "toccata/report/query_stats.hpp"

namespace toccata {

// The bodies touch somewhere in [begin_upper, end_lower] throughout, as far as the resolution goes, and are
// proven apart between one interval's end_upper and the next one's begin_lower.
struct ContactInterval {
  double begin_lower = 0.0;
  double begin_upper = 0.0;
  double end_lower = 1.0;
  double end_upper = 1.0;
};

// Status: Separated (no interval), Contact, OverlapAtStart (the first interval starts at 0), OutOfBudget
// (intervals up to `proven_until`; one that is still going on then has end_lower there and end_upper 1),
// Failed (failure; no interval, proven_until 0).
struct ContactIntervalsResult {
  Status status = Status::Separated;
  std::vector<ContactInterval> intervals;  // disjoint, increasing
  double proven_until = 1.0;
  std::string failure;  // what was wrong with the question, and what to do
  QueryStats stats;
};

}  // namespace toccata
