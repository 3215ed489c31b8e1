#pragma once
// Two boxes that move without turning: along every separating axis the gap is a straight line in time, so
// that all fifteen at once, one a lane, tell when the last one comes down, and whether the boxes are in each
// other a moment after. Boxes that pass each other may be apart along another axis again by then.
#include "ccd/search/moving_boxes.hpp"

namespace toccata::search {

struct StraightBoxes {
  double edge[3][3];              // of a, unit, in the coordinates of b
  double middle[3], velocity[3];  // of a at the start, seen from b's; per time
  double half_a[3], half_b[3];
  double error;  // comes off every gap
  double aim;    // the gap that is looked for
  double span;   // later is of no interest
};

struct StraightBoxesAnswer {
  int axis =
      -1;  // of box_axis(): along it the gap comes down to `aim` last; none if they are apart along none
  double until = 0.0;  // then
  // Of the boxes at the start and then, along the axis: at most their distance, above zero only if they are
  // apart on the same side.
  double gap_at_start = 0.0, gap = 0.0;
  double after = 0.0;    // a time soon after, at which the aim is used up
  bool overlap = false;  // proven, at that time
};

// The same bits on every instruction set.
StraightBoxesAnswer cast_straight(const StraightBoxes& boxes);

}  // namespace toccata::search
