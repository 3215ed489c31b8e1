#pragma once
// How long two features are proven to stay apart: by directions along which all of one lie before all of the
// other, in double with error bounds, a fraction of a microsecond. Features that run into each other within
// rounding are left to exact arithmetic when it comes to whether; until shortly before, this proves them
// free.
#include "toccata/impact/linear_motion.hpp"
#include "toccata/report/feature_pair.hpp"

namespace toccata::impact {

// A time t in [0, wanted], 0 < wanted <= 1: the features do not touch in [0, t]. 0: nothing is proven, not
// even that they are apart at the start. Depends on the pair and on `wanted` alone; at most `wanted`, else a
// multiple of 2^-42. Coordinates must be finite.
double free_until(FeaturePairKind pair, const LinearMotion4& motion, double wanted);

}  // namespace toccata::impact
