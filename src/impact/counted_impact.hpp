#pragma once
// The four impacts of linear_impact.hpp, and what exact arithmetic they took.
#include <cstdint>

#include "toccata/impact/linear_impact.hpp"
#include "toccata/report/feature_pair.hpp"

namespace toccata::impact {

// exact_steps grows by the steps taken, of some microseconds each; none where doubles decide.
Impact counted_impact(FeaturePairKind pair, const LinearMotion4& motion, const LinearImpactOptions& options,
                      std::int64_t& exact_steps);

}  // namespace toccata::impact
