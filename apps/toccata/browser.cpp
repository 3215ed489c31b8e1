#include "browser.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <spawn.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "terminal.hpp"

extern char** environ;

namespace toccata::app {
namespace {

// Its own output would end up among the answers.
bool started(const std::string& program, const std::string& link) {
  posix_spawn_file_actions_t quiet;
  posix_spawn_file_actions_init(&quiet);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&quiet, stream, "/dev/null", O_RDWR, 0);
  char* const arguments[] = {const_cast<char*>(program.c_str()), const_cast<char*>(link.c_str()), nullptr};
  pid_t child = 0;
  const bool good = ::posix_spawnp(&child, program.c_str(), &quiet, nullptr, arguments, environ) == 0;
  posix_spawn_file_actions_destroy(&quiet);
  return good;
}

}  // namespace

void open_in_browser(const std::string& page) {
  std::vector<std::string> programs;
  if (const char* chosen = std::getenv("BROWSER"); chosen != nullptr && *chosen != '\0') {
    // A list, as xdg-open understands it.
    const std::string list(chosen);
    for (std::size_t begin = 0; begin <= list.size();) {
      const std::size_t end = std::min(list.find(':', begin), list.size());
      if (end > begin) programs.push_back(list.substr(begin, end - begin));
      begin = end + 1;
    }
  }
  programs.insert(programs.end(), {"xdg-open", "open"});
  for (const std::string& program : programs) {
    if (started(program, file_link(page))) return;
  }
  fmt::print(
      stderr,
      "toccata: --open: no program to open a page with (xdg-open, or the one $BROWSER names); it is {}\n",
      file_link(page));
}

}  // namespace toccata::app
