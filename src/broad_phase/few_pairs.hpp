#pragma once
// Overlapping pairs of a few boxes, with each other and with all the others.
#include <cstdint>
#include <span>
#include <vector>

#include "broad_phase/float_box.hpp"
#include "toccata/broad_phase/overlapping_pairs.hpp"

namespace toccata::broad_phase {

// Appends each pair of which at least one is of the few, once, in no particular order. few: ids, each once;
// boxes: by id, empty ones meet nothing. False, and nothing is appended: the few are too large, or too many
// are in one place.
bool few_pairs(std::span<const FloatBox> boxes, std::span<const std::int32_t> few,
               std::vector<IndexPair>& pairs);

}  // namespace toccata::broad_phase
