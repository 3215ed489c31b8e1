#pragma once
// How close do two moving rigid bodies come, when and where?
#include <cstdint>
#include <optional>

#include "toccata/base/stop.hpp"
#include "toccata/base/tolerances.hpp"
#include "toccata/ccd/body.hpp"
#include "toccata/report/closest_approach_result.hpp"

namespace toccata {

// Where only speeds are known (a CustomMotion without bounds on accelerations), a body that keeps its
// distance has to be looked at 2 speed / tolerance times. If that is more than this, the proof goes from
// coarse to fine tolerances, and budget 0 means this many pairs: the status is then OutOfBudget, and
// `lower_distance` what is proven by then, usually within a few thousandths of the distance or less.
inline constexpr std::int64_t speed_bound_limit = 1'000'000;

struct ClosestApproachOptions {
  // Of the distance, beside 1e-12 of the bodies' distance from the origin; as in FirstContactOptions.
  std::optional<double> tolerance = {};
  double relative_tolerance = tolerances::relative_contact;
  std::int64_t budget =
      0;  // most pairs to test, as in FirstContactOptions; 0 = no limit, but see speed_bound_limit
  Stop stop = {};
};

// The smallest distance over the whole motion.
ClosestApproachResult closest_approach(const Body& a, const Body& b,
                                       const ClosestApproachOptions& options = {});

}  // namespace toccata
