#pragma once
// Seeded families of elementary motions for the tests: where degeneracy is the rule, where it is near, and
// where it is rare.
#include <array>
#include <cmath>
#include <string>

#include "oracle/impact_oracle.hpp"
#include "toccata/base/random.hpp"

namespace toccata::oracle {

inline constexpr std::array all_pairs = {FeaturePairKind::VertexFace, FeaturePairKind::EdgeEdge,
                                         FeaturePairKind::VertexEdge, FeaturePairKind::VertexVertex};
inline constexpr std::array main_pairs = {FeaturePairKind::VertexFace, FeaturePairKind::EdgeEdge};

template <typename Change>
void for_each_coordinate(LinearMotion4& motion, Change&& change) {
  for (auto* end : {&motion.t0, &motion.t1}) {
    for (Vector3& point : *end) {
      for (int axis = 0; axis < 3; ++axis) change(point[axis]);
    }
  }
}

// The motion as hexadecimal floats, to be pasted into a regression case.
std::string to_text(FeaturePairKind pair, const LinearMotion4& motion);

// Coordinates in {-n, ..., n}.
LinearMotion4 grid_motion(Random& random, int n);
// Coordinates in [-1, 1].
LinearMotion4 box_motion(Random& random);
// A motion whose features meet at (about) a random time at random weights, extreme ones included.
LinearMotion4 meeting_motion(Random& random, FeaturePairKind pair);
// One of many near-degenerate constructions: a grid motion or a meeting one, with coincident, collinear,
// parallel or coplanar features up to rounding, still or moving in a plane, moved away from the origin,
// perturbed by a few units in the last place.
LinearMotion4 near_degenerate_motion(Random& random, FeaturePairKind pair);
// Any of the above, each as often.
LinearMotion4 mixed_motion(Random& random, FeaturePairKind pair);
// One that is nearly degenerate or meets, times a power of two, possibly another one for every axis or point,
// from 1e-300 to 1e300.
LinearMotion4 scaled_motion(Random& random, FeaturePairKind pair);

}  // namespace toccata::oracle
