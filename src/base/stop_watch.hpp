#pragma once
// A question's view of its Stop: runs from when the question is asked. Shared by the threads that answer it.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>

#include "toccata/base/stop.hpp"

namespace toccata {

class StopWatch {
 public:
  explicit StopWatch(const Stop& stop) : stop_(stop) {
    // No limit, or a longer one than a clock counts.
    if (stop.seconds == 0.0 || stop.seconds > 1e9) return;
    limited_ = true;
    // What is no time at all is over at once.
    const std::chrono::duration<double> seconds(stop.seconds > 0.0 ? stop.seconds : 0.0);
    end_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(seconds);
  }

  // Null where nothing can stop the question, so that nothing need be looked at.
  const StopWatch* or_null() const { return limited_ || stop_.token.stop_possible() ? this : nullptr; }

  // Once true it stays so. Some thirty nanoseconds: see SparseLook.
  bool is_over() const { return stop_.token.stop_requested() || (limited_ && Clock::now() >= end_); }

  // What is left of it, for a question that is asked on the way.
  Stop rest() const {
    Stop stop = stop_;
    if (limited_ && stop.seconds > 0.0)
      stop.seconds = std::max(1e-9, std::chrono::duration<double>(end_ - Clock::now()).count());
    return stop;
  }

 private:
  using Clock = std::chrono::steady_clock;
  Stop stop_;
  bool limited_ = false;
  Clock::time_point end_{};
};

// Looks at a watch in one of `period` calls.
class SparseLook {
 public:
  SparseLook(const StopWatch* watch, int period) : watch_(watch), period_(period) {}

  bool is_over() {
    if (watch_ == nullptr || --left_ > 0) return over_;
    left_ = period_;
    over_ = over_ || watch_->is_over();
    return over_;
  }
  // As last seen.
  bool was_over() const { return over_; }

 private:
  const StopWatch* watch_;
  int period_;
  int left_ = 1;
  bool over_ = false;
};

// What is wrong with it; empty if nothing is.
inline std::string failure_of(const Stop& stop) {
  if (stop.seconds >= 0.0) return {};
  return "stop.seconds is " + std::to_string(stop.seconds) + ", but must be at least 0 (0 = no limit)";
}

}  // namespace toccata
