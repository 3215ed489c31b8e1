#pragma once
// The answer to "how close does a robot on its path come to anything".
#include <string>
#include <vector>

#include "toccata/base/status.hpp"
#include "toccata/report/contact.hpp"
#include "toccata/report/query_stats.hpp"

namespace toccata {

// Over a part of the path: the smallest distance is between the two.
struct ClearanceBand {
  double begin = 0.0;
  double end = 1.0;
  double lower = 0.0;  // proven
  double upper = 0.0;  // reached
};

// One pair over the whole path: two that move as one with others are named by who comes closest.
struct PairClearance {
  std::string link_a;                     // the link, or what it holds
  std::string link_b;                     // another link, or the obstacle
  bool with_scene = false;                // link_b is an obstacle
  double time = 0.0;                      // where `distance` is reached
  double distance = 0.0;                  // 0 where the two touch
  double lower_distance = 0.0;            // proven
  std::vector<ClearanceBand> bands = {};  // in each part of the path; one where no parts are asked for
};

// Fields that hold, by status:
//   Separated       everything; an infinite distance where there is no pair to look at
//   Contact         everything, with distance and lower_distance 0: time is that of the first contact
//   OverlapAtStart  the same with time 0
//   OutOfBudget     time, distance and contact are the best found so far, if any; lower_distance 0
//   Failed          failure
struct PathClearanceResult {
  Status status = Status::Separated;
  double time = 0.0;                 // where `distance` is reached
  double distance = 0.0;             // an upper bound on the smallest distance
  double lower_distance = 0.0;       // a proven lower bound, below `distance` by at most the tolerance
  std::string link_a;                // the link, or what it holds
  std::string link_b;                // another link, or the obstacle
  bool with_scene = false;           // link_b is an obstacle
  Contact contact;                   // in the frame of the root
  std::vector<ClearanceBand> bands;  // in each part of the path
  std::vector<PairClearance> pairs;  // where they are asked for, the nearest first
  std::string failure;               // what was wrong with the question, and what to do
  double microseconds = 0.0;         // that the answer took, by the clock
  QueryStats stats;
};

}  // namespace toccata
