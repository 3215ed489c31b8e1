#pragma once
// From a time at which two bodies touch: until when do they?
#include "ccd/rigid/pair_state.hpp"
#include "toccata/report/contact.hpp"

namespace toccata {

struct ContactExit {
  double lower = 1.0;  // they touch (within the tolerance) up to here, gaps below the resolution aside
  double upper = 1.0;  // and no more at this time; 1 with still_touching if they never come apart
  bool still_touching = true;
};

ContactExit contact_exit(const MovingShape& a, const MovingShape& b, double begin, double tolerance,
                         double resolution, QueryStats& stats);

}  // namespace toccata
