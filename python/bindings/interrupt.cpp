#include "interrupt.hpp"

#include <signal.h>
#include <unistd.h>

#include <atomic>

namespace toccata::python {
namespace {

// Never freed, since a handler may still look at it in another thread; a new one only after a Ctrl-C.
std::atomic<const StopToken*> watched = nullptr;
struct sigaction pythons = {};
int depth = 0;  // of questions inside motions of questions; of the main thread alone

extern "C" void on_interrupt(int signal) {
  if (const StopToken* token = watched.load()) token->request_stop();
  pythons.sa_handler(signal);  // notes it for Python
}

}  // namespace

SignalWatch::SignalWatch() {
  if (::gettid() != ::getpid()) return;  // Python's handlers run in the main thread only
  if (depth == 0) {
    struct sigaction now = {};
    ::sigaction(SIGINT, nullptr, &now);
    if ((now.sa_flags & SA_SIGINFO) != 0 || now.sa_handler == SIG_DFL || now.sa_handler == SIG_IGN) return;
    const StopToken* token = watched.load();
    if (token == nullptr || token->stop_requested()) watched.store(new StopToken(StopToken::create()));
    pythons = now;
    now.sa_handler = &on_interrupt;
    ::sigaction(SIGINT, &now, nullptr);
  }
  ++depth;
  installed_ = true;
  token_ = *watched.load();
}

SignalWatch::~SignalWatch() {
  if (installed_ && --depth == 0) ::sigaction(SIGINT, &pythons, nullptr);
}

}  // namespace toccata::python
