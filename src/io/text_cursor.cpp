#include "io/text_cursor.hpp"

#include <charconv>
#include <cmath>

#include "io/read_failure.hpp"

namespace toccata::io {
namespace {

// std::from_chars leaves the value alone when it is out of range, be it too large or too small. What is too
// small becomes zero, as every other reader of numbers has it.
bool vanishes(const char* begin, const char* end) {
  long double wide = 0;
  if (std::from_chars(begin, end, wide).ec == std::errc()) return std::abs(wide) < 1;
  const std::string_view text(begin, static_cast<std::size_t>(end - begin));
  return text.find("e-") != std::string_view::npos || text.find("E-") != std::string_view::npos;
}

}  // namespace

std::string quoted(const char* begin, const char* end) {
  constexpr std::ptrdiff_t limit = 40;
  std::string text = "'";
  for (const char* p = begin; p != end && p - begin < limit; ++p) {
    text += *p >= 0x20 && *p < 0x7f ? *p : '?';
  }
  return text + (end - begin > limit ? "...'" : "'");
}

bool TextCursor::skip_continuation() {
  if (!continuations_) return false;
  const char* p = place_ + 1;
  if (p == end_ || !is_line_end(*p)) return false;
  p += (*p == '\r' && p + 1 != end_ && p[1] == '\n') ? 2 : 1;
  place_ = p;
  return true;
}

void TextCursor::next_line() {
  while (place_ != end_) {
    if (*place_ == '\\' && skip_continuation()) continue;
    const char c = *place_++;
    if (is_line_end(c)) {
      if (c == '\r' && place_ != end_ && *place_ == '\n') ++place_;
      return;
    }
  }
}

std::string_view TextCursor::line() {
  const char* start = place_;
  const char* last = start;
  while (last != end_ && !is_line_end(*last)) ++last;
  next_line();
  return {start, static_cast<std::size_t>(last - start)};
}

void TextCursor::skip_empty_lines(char comment) {
  while (place_ != end_) {
    if (is_blank(*place_) || is_line_end(*place_)) {
      ++place_;
    } else if (comment != '\0' && *place_ == comment) {
      next_line();
    } else {
      return;
    }
  }
}

std::string_view TextCursor::peek() {
  skip_blanks();
  const char* p = place_;
  while (!ends_token(p)) ++p;
  return {place_, static_cast<std::size_t>(p - place_)};
}

std::string_view TextCursor::token() {
  const std::string_view found = peek();
  place_ += found.size();
  return found;
}

double TextCursor::number(const char* what) {
  skip_blanks();
  const char* first = place_;
  if (first != end_ && *first == '+' && first + 1 != end_ && first[1] != '-') ++first;
  double value = 0;
  const auto [last, code] = std::from_chars(first, end_, value);
  if (code == std::errc::invalid_argument || !ends_token(last)) fail_expected(what);
  if (code == std::errc::result_out_of_range) {
    if (!vanishes(first, last)) fail_expected(what);
    value = *first == '-' ? -0.0 : 0.0;
  }
  if (!std::isfinite(value)) fail_expected(what);
  place_ = last;
  return value;
}

std::int64_t TextCursor::integer(const char* what) {
  skip_blanks();
  std::int64_t value = 0;
  const auto [last, code] = std::from_chars(place_, end_, value);
  if (code != std::errc() || !ends_token(last)) fail_expected(what);
  place_ = last;
  return value;
}

std::int64_t TextCursor::corner(const char* what) {
  skip_blanks();
  std::int64_t value = 0;
  const auto [last, code] = std::from_chars(place_, end_, value);
  if (code != std::errc()) fail_expected(what);
  const char* p = last;
  if (p != end_ && *p == '/') {
    while (p != end_ && (*p == '/' || *p == '-' || (*p >= '0' && *p <= '9'))) ++p;
  }
  if (!ends_token(p)) fail_expected(what);
  place_ = p;
  return value;
}

void TextCursor::expect_line_end(const char* what) {
  if (!at_line_end()) fail_expected(what);
  next_line();
}

void TextCursor::fail_expected(const char* what, const char* place) const {
  const char* last = place;
  while (!ends_token(last)) ++last;
  std::string found = quoted(place, last);
  if (last == place) found = place == end_ ? "the end of the file" : "the end of the line";
  if (last == place && place != end_ && *place == '\\') found = "a backslash";
  fail(std::string("expected ") + what + ", found " + found, place);
}

void TextCursor::fail(const std::string& message, const char* place) const {
  std::size_t line = 1;
  for (const char* p = begin_; p < place; ++p) {
    if (*p == '\n' || (*p == '\r' && (p + 1 == end_ || p[1] != '\n'))) ++line;
  }
  throw ReadFailure{std::string(name_) + ":" + std::to_string(line) + ": " + message};
}

}  // namespace toccata::io
