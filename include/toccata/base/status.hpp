#pragma once
// How a time query ended. Every result says which of its fields hold in each case.
#include <string_view>

namespace toccata {

enum class Status {
  Separated,       // no contact in the whole motion, proven
  Contact,         // first contact at the reported time
  OverlapAtStart,  // the shapes already touch or overlap at t = 0
  OutOfBudget,     // the budget or the time ran out; the motion is proven free before the reported time
  Failed,          // the question could not be asked: what was wrong is in `failure`, where there is one
};
inline constexpr int status_count = 5;

constexpr std::string_view to_string(Status status) {
  switch (status) {
    case Status::Separated:
      return "separated";
    case Status::Contact:
      return "contact";
    case Status::OverlapAtStart:
      return "overlap_at_start";
    case Status::OutOfBudget:
      return "out_of_budget";
    case Status::Failed:
      return "failed";
  }
  return "unknown";
}

}  // namespace toccata
