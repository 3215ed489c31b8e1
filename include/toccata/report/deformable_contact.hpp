#pragma once
// One contact of a deforming scene: two features and the exact answer of their elementary query.
#include "toccata/report/feature_pair.hpp"
#include "toccata/report/impact.hpp"

namespace toccata {

// impact.status is Contact, or OverlapAtStart when the features already touch at t = 0.
struct DeformableContact {
  FeaturePair pair;
  Impact impact;
};

}  // namespace toccata
