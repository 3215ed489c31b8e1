#pragma once
// When do two moving rigid bodies touch: every interval of [0, 1].
#include <cstdint>
#include <optional>

#include "toccata/base/stop.hpp"
#include "toccata/base/tolerances.hpp"
#include "toccata/ccd/body.hpp"
#include "toccata/report/contact_intervals_result.hpp"

namespace toccata {

struct ContactIntervalsOptions {
  // A distance that counts as touching; as in FirstContactOptions.
  std::optional<double> tolerance = {};
  double relative_tolerance = tolerances::relative_contact;
  // Gaps and contacts shorter than this may be merged with their neighbours.
  double time_resolution = tolerances::time_resolution;
  std::int64_t budget = 0;  // most pairs to test, as in FirstContactOptions; 0 = no limit
  Stop stop = {};
};

// Of solids, an interval lasts as long as they overlap, one inside the other included.
ContactIntervalsResult contact_intervals(const Body& a, const Body& b,
                                         const ContactIntervalsOptions& options = {});

}  // namespace toccata
