#pragma once
// Ctrl-C during long work: the first one asks the work to stop where it is and show what it has, the second
// one ends the program at once. Outside such a scope Ctrl-C ends the program, as always.
#include <csignal>

#include "toccata/base/stop.hpp"

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

// Asked at the same time: a question that holds it ends where it is.
StopToken interrupt_token();

}  // namespace toccata::app
