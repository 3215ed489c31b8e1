#pragma once
// Where and in which direction two features touch, once the time is known. Plain double: these fields are
// descriptions, no decision rests on them.
#include "toccata/impact/linear_motion.hpp"
#include "toccata/report/feature_pair.hpp"
#include "toccata/report/impact.hpp"

namespace toccata::impact {

// Fills weights, point and normal of `impact` at impact.time. `apart`: the contact is one at a distance, and
// the normal is along the gap.
void describe_contact(FeaturePairKind pair, const LinearMotion4& motion, bool apart, Impact& impact);

}  // namespace toccata::impact
