#pragma once
// What ends a question before its answer is found: a request from elsewhere, or a limit in seconds.
//
//   const StopToken token = StopToken::create();      // copies ask and are asked alike
//   FirstContactOptions options;
//   options.stop = {.token = token, .seconds = 0.5};  // either may be left out
//   token.request_stop();                             // in another thread, say, or in a signal handler
//
// A question that is stopped ends OutOfBudget and says what is proven by then; where an answer has no status,
// it has a field `stopped`. It looks every few microseconds, between parts of its work: most end within a
// millisecond. As long as nothing stops it, the answer is the same as without.
#include <atomic>
#include <memory>

namespace toccata {

class StopToken {
 public:
  // Nobody can ask: costs nothing.
  StopToken() = default;
  static StopToken create() {
    StopToken token;
    token.asked_ = std::make_shared<std::atomic<bool>>(false);
    return token;
  }

  // For good, and for all copies. From any thread, and from a signal handler. Nothing to do if nobody can.
  void request_stop() const noexcept {
    if (asked_) asked_->store(true, std::memory_order_relaxed);
  }
  bool stop_requested() const noexcept { return asked_ && asked_->load(std::memory_order_relaxed); }
  bool stop_possible() const noexcept { return asked_ != nullptr; }

 private:
  static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may only touch such");
  std::shared_ptr<std::atomic<bool>> asked_;
};

// An option of every question that may take long.
struct Stop {
  StopToken token = {};
  // From when the question is asked, of a batch all in all; at least 0, 0 = no limit. What is finished by
  // then depends on the machine: for limits that do not, there is `budget`.
  double seconds = 0.0;
};

}  // namespace toccata
