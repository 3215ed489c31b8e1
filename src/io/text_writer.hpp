#pragma once
// Text for files: numbers in the shortest form that reads back to the same double, whatever the locale.
#include <charconv>
#include <concepts>
#include <string>
#include <string_view>
#include <utility>

namespace toccata::io {

class TextWriter {
 public:
  TextWriter& operator<<(std::string_view text) {
    text_ += text;
    return *this;
  }
  TextWriter& operator<<(char c) {
    text_ += c;
    return *this;
  }
  template <typename Number>
  requires std::floating_point<Number> || std::integral<Number> TextWriter& operator<<(Number number) {
    char buffer[32];
    char* const end = std::to_chars(buffer, buffer + sizeof buffer, number).ptr;
    text_.append(buffer, static_cast<std::size_t>(end - buffer));
    return *this;
  }
  std::string text() && { return std::move(text_); }

 private:
  std::string text_;
};

}  // namespace toccata::io
