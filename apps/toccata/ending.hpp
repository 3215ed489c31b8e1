#pragma once
// How a command ends: 0 it ran; 1 with --check, something touches or is not proven apart; 2 wrong use or bad
// input (UsageError); 130 stopped by Ctrl-C, with what was found until then.
#include "command.hpp"

namespace toccata::app {

inline Option check_option(bool& check) {
  return {.names = "--check",
          .target = &check,
          .help = "Exit with 1 unless it is proven that there is no contact"};
}

struct Ending {
  bool touches = false;  // a contact, or no proof that there is none
  bool interrupted = false;
};

inline int exit_code(const Ending& ending, bool check) {
  if (ending.interrupted) return 130;
  return check && ending.touches ? 1 : 0;
}

}  // namespace toccata::app
