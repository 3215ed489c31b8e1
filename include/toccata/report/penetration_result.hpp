#pragma once
// The answer to "how deep are they in each other".
#include <string>

#include "toccata/base/status.hpp"
#include "toccata/report/contact.hpp"
#include "toccata/report/query_stats.hpp"

namespace toccata {

// Fields that hold, by status:
//   Separated       stats; the depths are 0. `distance` says how far apart
//   OverlapAtStart  everything: they overlap or touch
//   Failed          failure
struct PenetrationResult {
  Status status = Status::Separated;
  // Proven: the shortest translation after which the shapes have no inner point in common is no shorter and
  // no longer. Infinite for two half spaces that no translation parts.
  double lower_depth = 0.0;
  double upper_depth = 0.0;
  // normal: from a to b; b moved along it by upper_depth is apart from a, or touches it. point_a and point_b:
  // the deepest points of a in b and of b in a along it, upper_depth apart.
  Contact contact;
  std::string failure;
  QueryStats stats;
};

}  // namespace toccata
