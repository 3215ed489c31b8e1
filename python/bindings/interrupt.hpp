#pragma once
// Ctrl-C while a question is being answered. Python's own handler only notes the signal, which is looked at
// when Python runs again: minutes later, maybe. Here the signal also stops the question.
#include <utility>

#include "bindings.hpp"
#include "toccata/base/stop.hpp"

namespace toccata::python {

// While one lives in the main thread, SIGINT asks its token to stop, too. In other threads, which Python
// never interrupts, and where SIGINT is not Python's, it does nothing.
class SignalWatch {
 public:
  SignalWatch();
  ~SignalWatch();
  SignalWatch(const SignalWatch&) = delete;
  SignalWatch& operator=(const SignalWatch&) = delete;

  const StopToken& token() const { return token_; }

 private:
  StopToken token_;
  bool installed_ = false;
};

// An answer, and whether Ctrl-C ended the question before it was complete.
template <typename Result>
struct Interruptible {
  Result result;
  bool interrupted = false;
};

// Raises what a motion of Python's raised, or what a signal handler of Python's raises now. Returns false if
// that was KeyboardInterrupt, and `keep` asks for the answer nevertheless; true if all is well. Sets `again`
// if a signal ended the question but the handler wants to go on.
template <typename RaisePending>
bool finished(const StopToken& token, bool keep, RaisePending raise_pending, bool& again) {
  again = false;
  try {
    raise_pending();
    if (!token.stop_requested()) return true;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    again = true;
    return true;
  } catch (py::error_already_set& error) {
    if (!keep || !error.matches(PyExc_KeyboardInterrupt)) throw;
    return false;
  }
}

// ask(stop) is called without the GIL. With `keep`, what is finished when Ctrl-C comes is returned, marked as
// interrupted; without, KeyboardInterrupt is raised.
template <typename Ask, typename RaisePending>
auto answer_until_interrupted(double seconds, bool keep, Ask ask, RaisePending raise_pending)
    -> Interruptible<decltype(ask(Stop{}))> {
  for (;;) {
    const SignalWatch watch;
    auto result = [&] {
      const py::gil_scoped_release release;
      return ask(Stop{.token = watch.token(), .seconds = seconds});
    }();
    bool again = false;
    const bool complete = finished(watch.token(), keep, raise_pending, again);
    if (!again) return {std::move(result), !complete};
  }
}

template <typename Ask, typename RaisePending>
auto answered(double seconds, Ask ask, RaisePending raise_pending) {
  return answer_until_interrupted(seconds, false, ask, raise_pending).result;
}
template <typename Ask>
auto answered(double seconds, Ask ask) {
  return answered(seconds, ask, [] {});
}

}  // namespace toccata::python
