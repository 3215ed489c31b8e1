#pragma once
// What is asked of every byte of a prepared shape, in SIMD lanes: its share of the checksum, and whether
// numbers are finite.
#include <cstddef>
#include <cstdint>
#include <span>

#include "hierarchy/box_tree.hpp"

namespace toccata::io {

inline constexpr std::size_t sum_lanes = 32;
inline constexpr std::size_t sum_group = 8 * sum_lanes;  // bytes
inline constexpr std::uint32_t sum_factor = 0x9e3779b1U;

// Adds `groups` times sum_group bytes to the lanes of a checksum; see checksum.hpp.
void add_to_sum(std::uint64_t* lanes, const char* from, std::size_t groups);

// Whether all boxes of these nodes are of finite numbers.
bool are_finite(std::span<const BoxNode> nodes);

}  // namespace toccata::io
