#pragma once
// How close do two moving rigid bodies come, when and where?
#include <cstdint>
#include <optional>

#include "toccata/base/stop.hpp"
#include "toccata/base/tolerances.hpp"
#include "toccata/ccd/body.hpp"
#include "toccata/report/closest_approach_result.hpp"

namespace toccata {

// A second or two of work. Bodies that keep within a hair of their smallest distance all the way (a screw in
// its thread) need more to prove it to the tolerance: the status is then OutOfBudget, `distance` the closest
// found, and `lower_distance` what is proven by then. A larger budget, or 0, goes on.
inline constexpr std::int64_t approach_limit = 4'000'000;

// Where only speeds are known (a CustomMotion without bounds on accelerations), a body that keeps its
// distance has to be looked at 2 speed / tolerance times. If that is more than this, the proof goes from
// coarse to fine tolerances, and the default budget and 0 mean this many pairs: the status is then
// OutOfBudget, and `lower_distance` what is proven by then, usually within a few thousandths of the distance
// or less.
inline constexpr std::int64_t speed_bound_limit = 1'000'000;

struct ClosestApproachOptions {
  // Of the distance, beside 1e-12 of the bodies' distance from the origin; as in FirstContactOptions.
  std::optional<double> tolerance = {};
  double relative_tolerance = tolerances::relative_contact;
  // Most pairs to test, as in FirstContactOptions; 0 = no limit, but see speed_bound_limit. If a quarter of
  // it does not prove the tolerance, the rest goes from coarse to fine.
  std::int64_t budget = approach_limit;
  Stop stop = {};
};

// The smallest distance over the whole motion.
ClosestApproachResult closest_approach(const Body& a, const Body& b,
                                       const ClosestApproachOptions& options = {});

}  // namespace toccata
