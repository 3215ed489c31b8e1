#pragma once
// How close do two moving rigid bodies come, when and where?
#include <cstdint>
#include <optional>

#include "toccata/base/stop.hpp"
#include "toccata/base/tolerances.hpp"
#include "toccata/ccd/body.hpp"
#include "toccata/report/closest_approach_result.hpp"

namespace toccata {

struct ClosestApproachOptions {
  // Of the distance, beside 1e-12 of the bodies' distance from the origin; as in FirstContactOptions.
  std::optional<double> tolerance = {};
  double relative_tolerance = tolerances::relative_contact;
  std::int64_t budget = 0;  // most pairs to test, as in FirstContactOptions; 0 = no limit
  Stop stop = {};
};

// The smallest distance over the whole motion.
ClosestApproachResult closest_approach(const Body& a, const Body& b,
                                       const ClosestApproachOptions& options = {});

}  // namespace toccata
