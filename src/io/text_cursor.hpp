#pragma once
// A place in a text file: reads blank-separated tokens of a line and tells line numbers in errors.
// Lines end with LF, CR LF or CR. Line numbers are counted only when an error needs one.
#include <cstdint>
#include <string>
#include <string_view>

namespace toccata::io {

class TextCursor {
 public:
  TextCursor(std::string_view text, std::string_view name, bool continuations = false)
      : begin_(text.data()),
        place_(text.data()),
        end_(text.data() + text.size()),
        name_(name),
        continuations_(continuations) {}

  bool at_end() const { return place_ == end_; }
  std::size_t remaining() const { return static_cast<std::size_t>(end_ - place_); }
  const char* place() const { return place_; }

  // True when only blanks are left on the line; skips them.
  bool at_line_end() {
    skip_blanks();
    return place_ == end_ || is_line_end(*place_);
  }
  void next_line();
  // The rest of the line, without its end; goes on to the next.
  std::string_view line();
  // Skips blanks, line ends and, unless it is '\0', the rest of lines that start with `comment`.
  void skip_empty_lines(char comment = '\0');

  // The next token of the line, empty at its end. `peek` leaves it there.
  std::string_view token();
  std::string_view peek();

  // Fail with "expected <what>, found ..." unless the next token of the line is a finite number or an
  // integer.
  double number(const char* what);
  std::int64_t integer(const char* what);
  // An integer that may be followed by '/'-separated others, as the corners of OBJ faces: the first counts.
  std::int64_t corner(const char* what);
  void expect_line_end(const char* what);

  // Throw ReadFailure about the token at the cursor, or about `place`.
  [[noreturn]] void fail_expected(const char* what) const { fail_expected(what, place_); }
  [[noreturn]] void fail_expected(const char* what, const char* place) const;
  [[noreturn]] void fail(const std::string& message, const char* place) const;

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\v' || c == '\f'; }
  static bool is_line_end(char c) { return c == '\n' || c == '\r'; }
  bool ends_token(const char* place) const {
    return place == end_ || is_blank(*place) || is_line_end(*place) || (continuations_ && *place == '\\');
  }
  void skip_blanks() {
    for (; place_ != end_; ++place_) {
      while (*place_ == '\\' && skip_continuation()) {
        if (place_ == end_) return;
      }
      if (!is_blank(*place_)) return;
    }
  }
  bool skip_continuation();

  const char* begin_;
  const char* place_;
  const char* end_;
  std::string_view name_;
  bool continuations_;  // a backslash before a line end joins two lines
};

}  // namespace toccata::io
