#pragma once
// The answers about many bodies: which of them touch, when, and in what order.
#include <cstdint>
#include <string>
#include <vector>

#include "toccata/base/pose.hpp"
#include "toccata/base/status.hpp"
#include "toccata/report/contact.hpp"
#include "toccata/report/inside.hpp"
#include "toccata/report/query_stats.hpp"

namespace toccata {

// The first contact of one pair of bodies.
struct WorldEvent {
  std::int32_t body_a = -1;  // the smaller id
  std::int32_t body_b = -1;
  Status status = Status::Contact;  // or OverlapAtStart
  Inside inside = Inside::None;
  double time = 1.0;   // = lower: never later than the true first contact
  double lower = 1.0;  // proven apart before it
  double upper = 1.0;  // they touch by then; 1 where this is not proven (they pass within the tolerance)
  // Events of one group cannot be told apart in time: neither is proven to come first. Groups count from 0 in
  // the order of the list.
  std::int32_t group = 0;
  Contact contact;  // at `time`, of body_a and body_b
  Pose pose_a;
  Pose pose_b;
};

// Status:
//   Separated    no two bodies touch; events is empty, complete_until 1
//   Contact      events, in order; complete_until 1
//   OutOfBudget  events up to complete_until, in order: every first contact before it is listed
//   Failed       failure: a body or an option that cannot be asked about; nothing else holds
struct WorldEventsResult {
  Status status = Status::Separated;
  std::vector<WorldEvent> events;  // by group, then body_a, body_b; groups by time
  double complete_until = 1.0;
  std::int64_t near_pairs = 0;    // pairs whose boxes over the whole time overlap
  std::int64_t solved_pairs = 0;  // those that were looked at
  std::int64_t known_pairs = 0;   // of these, answered by what the last step told: a statistic
  std::string failure;
  QueryStats stats;
};

// Two bodies that are near each other at one moment.
struct NearBodies {
  std::int32_t body_a = -1;  // the smaller id
  std::int32_t body_b = -1;
  double distance = 0.0;  // 0 where they touch, or a solid is inside another
  Inside inside = Inside::None;
  Contact contact;  // of body_a and body_b: where they are closest
};

}  // namespace toccata
