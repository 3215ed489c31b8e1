#pragma once
// The answer to "when does a robot on its path touch anything, all in all".
#include <string>
#include <vector>

#include "toccata/report/contact_intervals_result.hpp"

namespace toccata {

struct PairIntervals {
  std::string link_a;                      // the link, or what it holds: the one that touches first
  std::string link_b;                      // another link, or the obstacle
  bool with_scene = false;                 // link_b is an obstacle
  std::vector<ContactInterval> intervals;  // disjoint, increasing
};

// Status: Separated (no pair touches), Contact, OverlapAtStart (an interval starts at 0), OutOfBudget (what
// was found by then; no pair is proven apart after `proven_until` but within its intervals), Failed
// (failure).
struct PathIntervalsResult {
  Status status = Status::Separated;
  std::vector<ContactInterval> intervals;  // when anything touches: those of all pairs, joined
  std::vector<PairIntervals> pairs;        // that touch, by their first time
  double proven_until = 1.0;
  std::string failure;        // what was wrong with the question, and what to do
  double microseconds = 0.0;  // that the answer took, by the clock
  QueryStats stats;
};

}  // namespace toccata
