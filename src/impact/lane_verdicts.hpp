#pragma once
// What the filters, the search in SIMD lanes and the batch hand to one another.
#include <array>
#include <cstddef>
#include <cstdint>

namespace toccata::impact {

// A part of a batch: large enough that each of its 24 columns is read a page at a time, small enough that two
// of them stay in the second-level cache.
inline constexpr std::size_t part_size = 512;

inline constexpr std::size_t lane_capacity = part_size + 16;  // whole vectors are read and written

// The bits of a mask of four lanes, each as a byte.
inline constexpr std::array<std::array<std::uint8_t, 4>, 16> bits_as_bytes = [] {
  std::array<std::array<std::uint8_t, 4>, 16> bytes{};
  for (unsigned mask = 0; mask < 16; ++mask) {
    for (unsigned i = 0; i < 4; ++i) bytes[mask][i] = static_cast<std::uint8_t>((mask >> i) & 1u);
  }
  return bytes;
}();

// The queries of a part that the filters leave.
struct Survivors {
  alignas(64) double columns[24][lane_capacity];
  std::uint32_t queries[lane_capacity];
  std::size_t count;
};

// Ask: the single call decides; AskCrossing: the same, and the cubic has opposite signs at the ends of the
// step, as computed. Axis, Bernstein: separated by that filter; Separated: by the search.
enum class LaneVerdict : std::uint8_t { Axis, Bernstein, Separated, Contact, Ask, AskCrossing };

struct LaneVerdicts {
  alignas(64) double lower[lane_capacity];
  alignas(64) double upper[lane_capacity];
  alignas(64) double description[10][lane_capacity];  // of a contact: weights, point, normal
  std::int32_t verdict[lane_capacity];                // a LaneVerdict
};

}  // namespace toccata::impact
