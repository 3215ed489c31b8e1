#pragma once
// Impact with a minimum distance d > 0: conservative advancement on the exact linear gaps.
#include "toccata/impact/linear_impact.hpp"
#include "toccata/report/feature_pair.hpp"

namespace toccata::impact {

// Finite coordinates, usable options.
Impact distance_impact(FeaturePairKind pair, const LinearMotion4& motion, const LinearImpactOptions& options);

// The answer to features that come within the distance at this time.
Impact contact_at_distance(FeaturePairKind pair, const LinearMotion4& motion, double time);

}  // namespace toccata::impact
