#pragma once
// A number in a sentence that says what is wrong: six digits, whatever its size (std::to_string shows 1e-9 as
// 0.000000).
#include <cstdio>
#include <string>

namespace toccata {

inline std::string number_text(double number) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", number);
  return text;
}

}  // namespace toccata
