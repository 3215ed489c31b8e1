#pragma once
// --seconds of a command that asks many questions: a limit for all of them together.
#include <algorithm>
#include <chrono>

#include "command.hpp"
#include "toccata/base/stop.hpp"

namespace toccata::app {

inline Option seconds_option(double& seconds) {
  return {.names = "--seconds",
          .target = &seconds,
          .help = "Most seconds to take (0 = no limit): what is finished by then is the answer",
          .value = "SECONDS",
          .least = 0.0};
}

class TimeLimit {
 public:
  explicit TimeLimit(double seconds) : seconds_(seconds) {}  // from now on; 0: none

  bool is_over() const { return seconds_ > 0.0 && left() <= 0.0; }

  // For a question that is asked now.
  Stop stop() const {
    constexpr double at_once = 1e-9;  // 0 would be no limit
    return {.token = {}, .seconds = seconds_ > 0.0 ? std::max(left(), at_once) : 0.0};
  }

 private:
  double left() const {
    return seconds_ - std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

  double seconds_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace toccata::app
