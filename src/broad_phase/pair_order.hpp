#pragma once
// The order of pairs that every question gives them in.
#include <cstddef>
#include <vector>

#include "toccata/broad_phase/overlapping_pairs.hpp"

namespace toccata::broad_phase {

// By first, then by second. count: above every index.
void sort_pairs(std::vector<IndexPair>& pairs, std::size_t count);

}  // namespace toccata::broad_phase
