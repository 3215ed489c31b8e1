#include "json_text.hpp"

#include <fmt/core.h>

#include <cmath>

namespace toccata::app {
namespace {

// Length of the UTF-8 sequence at the front, 0 if there is none: overlong forms, surrogates and what lies
// beyond the last code point are none either.
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const auto continues = [&](std::size_t i) { return i < text.size() && (byte(i) & 0xc0) == 0x80; };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first < 0xe0) return continues(1) ? 2 : 0;
  if (first >= 0xe0 && first < 0xf0) {
    if (!continues(1) || !continues(2)) return 0;
    const bool overlong = first == 0xe0 && byte(1) < 0xa0, surrogate = first == 0xed && byte(1) >= 0xa0;
    return overlong || surrogate ? 0 : 3;
  }
  if (first >= 0xf0 && first < 0xf5) {
    if (!continues(1) || !continues(2) || !continues(3)) return 0;
    const bool overlong = first == 0xf0 && byte(1) < 0x90, beyond = first == 0xf4 && byte(1) >= 0x90;
    return overlong || beyond ? 0 : 4;
  }
  return 0;
}

}  // namespace

std::string json_of(double number) {
  return std::isfinite(number) ? fmt::format("{}", number + 0.0) : "null";  // + 0.0: no -0
}

std::string json_of(std::string_view text) {
  std::string result = "\"";
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    const char c = text.front();
    if (length == 0) {
      result += "\xef\xbf\xbd";
    } else if (c == '"' || c == '\\') {
      result.append("\\").append(1, c);
    } else if (static_cast<unsigned char>(c) < 0x20) {
      result += fmt::format("\\u{:04x}", static_cast<int>(c));
    } else {
      result += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return result + "\"";
}

std::string json_of(const Vector3& vector) {
  return JsonList().add(vector.x()).add(vector.y()).add(vector.z()).text();
}

void print_json(const JsonObject& object) {
  fmt::print("{}\n", object.text());
}

}  // namespace toccata::app
