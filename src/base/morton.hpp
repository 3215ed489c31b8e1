#pragma once
// Places on the Morton curve: the bits of three coordinates, interleaved.
#include <cstdint>

namespace toccata {

// Ten bits of x, two zeros after each.
constexpr std::uint32_t spread_bits(std::uint32_t x) {
  x = (x | (x << 16U)) & 0x030000FFU;
  x = (x | (x << 8U)) & 0x0300F00FU;
  x = (x | (x << 4U)) & 0x030C30C3U;
  return (x | (x << 2U)) & 0x09249249U;
}

// Of three coordinates below 1024.
constexpr std::uint32_t morton_code(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  return spread_bits(x) | spread_bits(y) << 1U | spread_bits(z) << 2U;
}

}  // namespace toccata
