#pragma once
// The answer to "does a robot on its path touch anything".
#include <string>

#include "toccata/base/status.hpp"
#include "toccata/report/contact.hpp"
#include "toccata/report/inside.hpp"
#include "toccata/report/query_stats.hpp"

namespace toccata {

// Fields that hold, by status:
//   Separated       stats; time = lower = upper = 1
//   Contact         everything. Where any contact was asked for and a moment showed one, time = upper is that
//                   moment and lower 0
//   OverlapAtStart  everything, with time = lower = upper = 0
//   OutOfBudget     lower = time: the path is proven free on [0, lower); stats
//   Failed          failure; time = lower = 0: nothing is proven
struct PathContactResult {
  Status status = Status::Separated;
  Inside inside = Inside::None;  // no surfaces meet, but one of the two is inside the other at the start
  double time = 1.0;             // never later than the true first contact, where that was asked for
  double lower = 1.0;            // proven free on [0, lower)
  double upper = 1.0;            // a contact by then; 1 where this was not looked for
  std::string link_a;            // the link, or what it holds
  std::string link_b;            // another link, or the obstacle
  bool with_scene = false;       // link_b is an obstacle
  double distance = 0.0;         // at `time`: at most minimum distance + paddings + tolerance
  Contact contact;               // in the frame of the root; features count pieces of what moves as one
  std::string failure;           // what was wrong with the question, and what to do
  double microseconds = 0.0;     // that the answer took, by the clock
  QueryStats stats;
};

}  // namespace toccata
