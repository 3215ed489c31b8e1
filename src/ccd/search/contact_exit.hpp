#pragma once
// From a time at which two bodies touch: until when do they?
//
// A pair of triangles that touches is proven to stay in contact for a step; at its end, or when the steps get
// short, another pair takes over. Where no pair is proven to last longer than the resolution, the bodies are
// looked at again one resolution later.
#include "base/stop_watch.hpp"
#include "ccd/search/pair_state.hpp"
#include "toccata/report/query_stats.hpp"

namespace toccata::search {

struct ContactExit {
  double lower = 1.0;  // they touch (within the tolerance) up to here, gaps below the resolution aside
  double upper = 1.0;  // and no more at this time; 1 with still_touching if they never come apart
  bool still_touching = true;
  bool out_of_budget = false;  // followed up to `lower` only
};

struct ContactExitLimits {
  double tolerance = 0.0;   // a distance; closer than rounding can tell counts as touching, too
  double resolution = 0.0;  // in time
  std::int64_t budget = 0;  // most node and triangle pairs to test; 0 = no limit
  const StopWatch* stop = nullptr;
};

ContactExit contact_exit(const MovingShape& a, const MovingShape& b, double begin,
                         const ContactExitLimits& limits, QueryStats& stats);

}  // namespace toccata::search
