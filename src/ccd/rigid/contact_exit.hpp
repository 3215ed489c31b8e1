#pragma once
// From a time at which two bodies touch: until when do they?
#include "ccd/rigid/pair_state.hpp"
#include "toccata/report/contact.hpp"

namespace toccata {

struct ContactExit {
  double lower = 1.0;  // they touch (within the tolerance) up to here, gaps below the resolution aside
  double upper = 1.0;  // and no more at this time; 1 with still_touching if they never come apart
  bool still_touching = true;
  bool out_of_budget = false;  // followed up to `lower` only
};

// budget: most node and triangle pairs to test; 0 = no limit.
ContactExit contact_exit(const MovingShape& a, const MovingShape& b, double begin, double tolerance,
                         double resolution, QueryStats& stats, std::int64_t budget = 0);

}  // namespace toccata
