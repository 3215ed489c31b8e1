#pragma once
// --repeat: how long a question takes when it is asked again and again. The first pass is cold: nothing that
// it looks at is in the caches yet. Processor time is that of all threads of the program; what else the
// machine does hardly changes it.
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "command.hpp"
#include "json_text.hpp"

namespace toccata::app {

// In seconds.
struct PassTime {
  double processor = 0.0;
  double clock = 0.0;
};

PassTime time_now();

struct PassSummary {
  std::size_t passes = 0;
  PassTime first, least, median;  // processor and clock each by themselves
};

// Of one question or more: those of questions asked one after the other add up.
PassSummary& operator+=(PassSummary& sum, const PassSummary& next);

class PassTimes {
 public:
  // Runs a pass and keeps how long it took; gives back what the pass does.
  template <typename Pass>
  auto measure(Pass&& pass) {
    const PassTime start = time_now();
    auto result = std::forward<Pass>(pass)();
    const PassTime end = time_now();
    passes_.push_back({end.processor - start.processor, end.clock - start.clock});
    return result;
  }
  void forget_last() { passes_.pop_back(); }  // it was cut short

  int count() const { return static_cast<int>(passes_.size()); }
  double taken() const;  // by the clock, all in all
  PassSummary summary() const;

 private:
  std::vector<PassTime> passes_;
};

Option repeat_option(int& repeat);

// "5 passes: the first took 41.2 us of processor time, the fastest 12.3 us, ...", without an end of line.
std::string pass_sentence(const PassSummary& summary);
JsonObject pass_json(const PassSummary& summary);

}  // namespace toccata::app
