#pragma once
// Impact with a minimum distance d > 0: probes of the time that are proven to be free up to them.
#include "toccata/impact/linear_impact.hpp"
#include "toccata/report/feature_pair.hpp"

namespace toccata::impact {

// Finite coordinates, usable options.
Impact distance_impact(FeaturePairKind pair, const LinearMotion4& motion, const LinearImpactOptions& options);

}  // namespace toccata::impact
