#pragma once
// Of two solids, whether one is inside the other.
#include <cstdint>
#include <string_view>

namespace toccata {

enum class Inside : std::uint8_t { None, FirstInSecond, SecondInFirst };

constexpr std::string_view to_string(Inside inside) {
  switch (inside) {
    case Inside::None:
      return "none";
    case Inside::FirstInSecond:
      return "first_in_second";
    case Inside::SecondInFirst:
      return "second_in_first";
  }
  return "unknown";
}

}  // namespace toccata
