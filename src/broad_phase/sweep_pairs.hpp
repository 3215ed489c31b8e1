#pragma once
// Overlapping pairs by one sweep along the axis on which the boxes are spread the most.
#include <cstdint>
#include <span>
#include <vector>

#include "toccata/broad_phase/overlapping_pairs.hpp"

namespace toccata::broad_phase {

// Appends each pair once, in no particular order. boxes: none is empty; ids: which to look at.
void sweep_pairs(std::span<const Aabb> boxes, std::span<const std::int32_t> ids,
                 std::vector<IndexPair>& pairs);

}  // namespace toccata::broad_phase
