#pragma once
// How the readers give up: thrown at the place of the fault, caught where a public function of io returns.
#include <string>

namespace toccata::io {

struct ReadFailure {
  std::string message;
};

// A piece of a file as it may be shown in a message: shortened, and with control characters replaced.
std::string quoted(const char* begin, const char* end);

}  // namespace toccata::io
