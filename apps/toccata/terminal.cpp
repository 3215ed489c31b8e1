#include "terminal.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdlib>

namespace toccata::app {
namespace {

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

bool terminal_is_dumb() {
  const char* term = std::getenv("TERM");
  return term == nullptr || std::string_view(term) == "dumb";
}

bool shows_colour(std::FILE* stream) {
  const char* no_color = std::getenv("NO_COLOR");
  const bool unwanted = no_color != nullptr && *no_color != '\0';
  return !unwanted && !terminal_is_dumb() && is_terminal(stream);
}

}  // namespace

bool is_terminal(std::FILE* stream) {
  return ::isatty(::fileno(stream)) == 1;
}

std::string styled(std::string_view text, Style style, std::FILE* stream) {
  if (!shows_colour(stream)) return std::string(text);
  const char* code = style == Style::Bold ? "1" : style == Style::Good ? "32" : "31";
  return fmt::format("\033[{}m{}\033[0m", code, text);
}

std::string duration_text(double seconds) {
  constexpr std::array<std::pair<double, const char*>, 4> units = {
      {{1.0, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}}};
  for (const auto& [size, name] : units) {
    if (seconds >= size || size == 1e-9) return fmt::format("{:.3g} {}", seconds / size, name);
  }
  return "0 ns";
}

Progress::Progress(std::string label, std::size_t total)
    : label_(std::move(label)),
      total_(total),
      visible_(is_terminal(stderr) && !terminal_is_dumb() && total > 0) {}

Progress::~Progress() {
  hide();
}

void Progress::hide() {
  if (!drawn_) return;
  fmt::print(stderr, "\r\033[K");
  drawn_ = false;
}

void Progress::advance(std::size_t steps) {
  done_ = std::min(total_, done_ + steps);
  if (!visible_ || seconds_now() - last_drawn_ < 0.1) return;
  last_drawn_ = seconds_now();
  drawn_ = true;
  constexpr std::size_t width = 30;
  const std::size_t filled = width * done_ / total_;
  fmt::print(stderr, "\r{} [{:#<{}}{:.<{}}] {}/{}", label_, "", filled, "", width - filled, done_, total_);
  std::fflush(stderr);
}

}  // namespace toccata::app
