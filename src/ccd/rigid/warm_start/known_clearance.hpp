#pragma once
// A warm start for many queries on one pair of bodies: how far apart they once were, and where. As long as
// neither gets near enough to that place to use it up, nothing has to be searched.
//
// Seen from one body the other is a ball about its shape's centre that was last looked at in the relative
// pose Q. From there it gets to the start of the next motion, by at most |dT| + |dR| radius, and on to any
// time of it, by at most what both motions can travel. What remains of the clearance is a proven distance.
#include "ccd/search/pair_state.hpp"
#include "toccata/report/query_stats.hpp"

namespace toccata::warm_start {

using namespace search;

class KnownClearance {
 public:
  // Do the bodies stay farther apart than `distance` over all of [0, 1]? Only a yes is a proof.
  bool proves_apart(const MovingShape& a, const MovingShape& b, double distance);

  // After a motion that a search has found free: looks, where it promises to pay, how far apart the bodies
  // are at the end of it.
  void learn(const MovingShape& a, const MovingShape& b, double distance, QueryStats& stats);

 private:
  bool known_ = false;
  FrameView view_[2];         // where they were
  double clearance_ = 0.0;    // proven, then
  double credit_ = 64.0;      // what the next look may cost, in pairs of boxes
  double price_ = 64.0;       // what it should be able to spend
  double last_search_ = 0.0;  // what the last search cost
};

}  // namespace toccata::warm_start
