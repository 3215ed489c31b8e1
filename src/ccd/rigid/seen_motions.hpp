#pragma once
// Two bodies that turn (nearly) alike, as one of them sees it: parts of a machine on one turntable, say. In
// the world both swing their parts about, and every bound would count that; seen from one of them the other
// hardly moves.
#include <optional>

#include "ccd/search/pair_state.hpp"
#include "toccata/motion/relative_motion.hpp"

namespace toccata::rigid {

using namespace search;

// The pair as given, or in the coordinates of b where that is simpler; a half space always stands still.
// Distances and times are the same.
class SeenMotions {
 public:
  // Both motions must outlive this object.
  SeenMotions(const MovingShape& first, const MovingShape& second);
  SeenMotions(const SeenMotions&) = delete;
  SeenMotions& operator=(const SeenMotions&) = delete;

  // Seen from one of the two: the motions are not those of the world.
  bool are_relative() const { return relative_.has_value(); }

  MovingShape a;
  MovingShape b;

 private:
  std::optional<RelativeMotion> relative_;
};

}  // namespace toccata::rigid
