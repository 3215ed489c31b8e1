#pragma once
// How the program speaks: results on stdout, errors and progress on stderr. Progress only where a person
// watches (a terminal), colour only where wanted (https://no-color.org).
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace toccata::app {

bool is_terminal(std::FILE* stream);

// The text in bold, green or red where `stream` shows colours, else as it is.
enum class Style { Bold, Good, Bad };
std::string styled(std::string_view text, Style style, std::FILE* stream = stdout);

std::string duration_text(double seconds);  // "12.3 us"

// A file as the reader of `stream` can use it: on a terminal a link to click on (file:///...), else its whole
// path.
std::string place_text(const std::string& path, std::FILE* stream);
// file:///home/ann/my%20page.html
std::string file_link(const std::string& path);

// A bar on stderr with the time that is left, drawn at most ten times a second and wiped at the end. Silent
// unless stderr is a terminal.
class Progress {
 public:
  Progress(std::string label, std::size_t total);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  void advance(std::size_t steps = 1);
  // Wipes the bar until the next advance, so that a line can be printed in its place.
  void hide();

 private:
  std::string label_;
  std::size_t total_;
  std::size_t done_ = 0;
  double started_;
  double last_drawn_ = 0;
  bool visible_;
  bool drawn_ = false;
};

}  // namespace toccata::app
