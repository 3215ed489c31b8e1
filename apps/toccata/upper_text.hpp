#pragma once
// A bound for people: so many digits, and never less than what is proven.
#include <fmt/core.h>

#include <cmath>
#include <cstdlib>
#include <string>

namespace toccata::app {

inline std::string upper_text(double bound, int digits = 6) {
  std::string text = fmt::format("{:.{}g}", bound, digits);
  if (std::strtod(text.c_str(), nullptr) >= bound) return text;
  // One more in the last digit: rounding takes off no more than half of that.
  return fmt::format("{:.{}g}", bound * (1.0 + std::pow(10.0, 1 - digits)), digits);
}

}  // namespace toccata::app
