#pragma once
// Positions of the set bits of a byte.
#include <cstddef>
#include <cstdint>

namespace toccata::deformable::clusters {

// For each byte the places of its bits, lowest first, as bytes.
struct CompressTable {
  std::uint64_t bytes[256];

  constexpr CompressTable() : bytes{} {
    for (std::size_t mask = 0; mask < 256; ++mask) {
      std::size_t n = 0;
      for (std::size_t i = 0; i < 8; ++i) {
        if (!((mask >> i) & 1)) continue;
        bytes[mask] |= std::uint64_t{i} << (8 * n);
        ++n;
      }
    }
  }
};
inline constexpr CompressTable compress_table{};

}  // namespace toccata::deformable::clusters
