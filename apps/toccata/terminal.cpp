#include "terminal.hpp"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>

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

// ", about 12 s left", as soon as a second tells how fast it goes.
std::string time_left(double elapsed, std::size_t done, std::size_t total) {
  if (elapsed < 1.0 || done == 0 || done >= total) return "";
  const double left = elapsed / static_cast<double>(done) * static_cast<double>(total - done);
  if (left < 1.0) return ", about 1 s left";
  if (left < 100.0) return fmt::format(", about {:.0f} s left", left);
  if (left < 6000.0) return fmt::format(", about {:.0f} min left", left / 60.0);
  return fmt::format(", about {:.0f} h left", left / 3600.0);
}

bool stays_in_a_link(char c) {
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  return letter || std::string_view("/-._~").find(c) != std::string_view::npos;
}

}  // namespace

std::string file_link(const std::string& path) {
  std::string link = "file://";
  for (const char c : std::filesystem::absolute(path).lexically_normal().string())
    link += stays_in_a_link(c) ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  return link;
}

std::string place_text(const std::string& path, std::FILE* stream) {
  return is_terminal(stream) ? file_link(path) : std::filesystem::absolute(path).string();
}

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
      started_(seconds_now()),
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
  fmt::print(stderr, "\r{} [{:#<{}}{:.<{}}] {}/{}{}\033[K", label_, "", filled, "", width - filled, done_,
             total_, time_left(seconds_now() - started_, done_, total_));
  std::fflush(stderr);
}

}  // namespace toccata::app
