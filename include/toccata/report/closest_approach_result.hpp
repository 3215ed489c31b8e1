#pragma once
// The answer to "how close do they come, and when".
#include <string>

#include "toccata/base/pose.hpp"
#include "toccata/base/status.hpp"
#include "toccata/report/contact.hpp"
#include "toccata/report/inside.hpp"
#include "toccata/report/query_stats.hpp"

namespace toccata {

// Fields that hold, by status:
//   Separated       (the bodies stay apart) everything
//   Contact         (they come within the tolerance on the way) everything. Where they touch, distance is
//                   exactly 0, both points are one, and time is that of the first contact, never late; where
//                   they only pass within the tolerance, distance is what they pass at; lower_distance 0
//   OverlapAtStart  the same with time 0. `inside` if no surfaces meet, but one solid is inside the other:
//                   `contact` is then where their surfaces come closest, `distance` 0
//   OutOfBudget     time, distance and contact are the best found so far, if any (else the distance is
//   infinite);
//                   lower_distance is proven, and 0 where nothing is
//   Failed          failure
struct ClosestApproachResult {
  Status status = Status::Separated;
  Inside inside = Inside::None;
  double time = 0.0;            // where `distance` is reached
  double distance = 0.0;        // of the bodies at `time`: an upper bound on the smallest distance
  double lower_distance = 0.0;  // a proven lower bound, below `distance` by at most the tolerance
  Contact contact;
  Pose pose_a;
  Pose pose_b;
  std::string failure;  // what was wrong with the question, and what to do
  QueryStats stats;
};

}  // namespace toccata
