#pragma once
// Vertex-face and edge-edge motions like those a cloth or soft-body simulation asks about: features of one
// size with irregular shapes, a common motion and a smaller relative one, swept boxes that overlap, and few
// contacts.
#include <cstdint>
#include <vector>

#include "toccata/impact/linear_motion.hpp"
#include "toccata/report/feature_pair.hpp"

namespace toccata {

std::vector<LinearMotion4> simulation_queries(FeaturePairKind pair, std::size_t count, std::uint64_t seed);

}  // namespace toccata
