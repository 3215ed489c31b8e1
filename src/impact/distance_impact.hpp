#pragma once
// Impact with a minimum distance d > 0: conservative advancement on the exact linear gaps.
#include "impact/exact_impact.hpp"
#include "toccata/impact/linear_impact.hpp"

namespace toccata {

Impact distance_impact(exact::FeaturePair pair, const LinearMotion4& motion,
                       const LinearImpactOptions& options);

}  // namespace toccata
