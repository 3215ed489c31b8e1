#pragma once
// The answer to "when do they first touch, and where": of rigid bodies and of deforming scenes alike.
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "toccata/base/pose.hpp"
#include "toccata/base/status.hpp"
#include "toccata/report/contact.hpp"
#include "toccata/report/inside.hpp"
#include "toccata/report/query_stats.hpp"

namespace toccata {

// Fields that hold, by status:
//   Separated       stats; time = lower = upper = 1; poses at 1
//   Contact         everything; contacts: the one, or all at that time when asked for
//   OverlapAtStart  everything, with time = lower = upper = 0; `inside` if no surfaces meet, but one body is
//                   inside the other, a mesh that is solid: `contact` is then where their surfaces come
//                   closest, `distance` 0. Overlaps of convex kinds are overlaps, inside or not
//   OutOfBudget     lower = time: the motion is proven free on [0, lower); poses at that time; stats. With
//                   AtStart::Skip: free from the end of the initial contact on, or still in it
//   Failed          failure; time = lower = 0: nothing is proven
struct FirstContactResult {
  Status status = Status::Separated;
  Inside inside = Inside::None;
  double time = 1.0;      // = lower: never later than the true first contact
  double lower = 1.0;     // proven apart on [0, lower)
  double upper = 1.0;     // if they ever touch, they first do so by then; 1 where this could not be narrowed
  double distance = 0.0;  // at `time`: at most minimum distance + tolerance
  double minimum_distance = 0.0;  // as asked for: "touching" means coming this close
  // Of rigid bodies in contact at the start, with AtStart::Skip: from when on they are apart; 1 if that did
  // not come, or not within the budget. 0 otherwise.
  double apart_from = 0.0;
  Contact contact;                // the closest pair found at `time`; of equals the one with the lowest parts
  std::vector<Contact> contacts;  // sorted by feature_a.part, feature_b.part
  Pose pose_a;                    // of rigid bodies, at `time`
  Pose pose_b;
  // Of a deforming scene: where the features meet, as the weights of their four points (see Impact).
  std::array<double, 4> weights = {0, 0, 0, 0};
  // Of a list of frames: the contact is between frames `step` and `step` + 1, and times count within that
  // step; where nothing touches, the number of steps.
  std::int32_t step = 0;
  std::string failure;  // what was wrong with the question, and what to do
  QueryStats stats;
};

}  // namespace toccata
