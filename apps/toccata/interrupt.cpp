#include "interrupt.hpp"

#include <unistd.h>

#include <atomic>
#include <string_view>

#include "terminal.hpp"

namespace toccata::app {
namespace {

std::atomic<bool> asked_to_stop = false;
std::atomic<bool> on_terminal = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may only touch such");
const StopToken running = StopToken::create();  // made before any handler is

void on_interrupt(int) {
  asked_to_stop = true;
  running.request_stop();
  if (!on_terminal) return;
  constexpr std::string_view message = "\nstopping; press Ctrl-C again to end at once\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, message.data(), message.size());
}

}  // namespace

InterruptScope::InterruptScope() {
  on_terminal = is_terminal(stderr);
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;  // the second one ends the program
  ::sigaction(SIGINT, &action, &previous_);
  // Started in the background by a script, the program was told to ignore Ctrl-C: that stays.
  if (previous_.sa_handler == SIG_IGN) ::sigaction(SIGINT, &previous_, nullptr);
}

InterruptScope::~InterruptScope() {
  ::sigaction(SIGINT, &previous_, nullptr);
}

bool interrupted() {
  return asked_to_stop;
}

StopToken interrupt_token() {
  return running;
}

}  // namespace toccata::app
