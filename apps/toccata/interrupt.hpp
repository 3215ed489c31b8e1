#pragma once
// Ctrl-C during long work: the first one asks the work to stop where it is and show what it has, the second
// one ends the program at once. Outside such a scope Ctrl-C ends the program, as always.
#include <csignal>

namespace toccata::app {

class InterruptScope {
 public:
  InterruptScope();
  InterruptScope(const InterruptScope&) = delete;
  InterruptScope& operator=(const InterruptScope&) = delete;
  ~InterruptScope();

 private:
  struct sigaction previous_ {};
};

// Asked to stop, in this or an earlier scope. May be called from any thread.
bool interrupted();

}  // namespace toccata::app
