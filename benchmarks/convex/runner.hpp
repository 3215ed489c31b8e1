#pragma once
// A contestant at work on one row, in this process or in one of its own that may end without us.
#include <memory>
#include <vector>

#include "contestant.hpp"

namespace toccata::bench {

// The thread's CPU time, in ns a case; below zero if the contestant's process has ended.
struct PassTimes {
  double again = -1.0;         // right after a first time: its own data is in the cache
  double after_others = -1.0;  // the first time, after the other contestants had the cache
};

class Runner {
 public:
  virtual ~Runner() = default;
  // Answers every case twice, or once if that takes long.
  virtual PassTimes pass(std::vector<double>& answers) = 0;
};

// Prepares the contestant. Both must outlive the runner.
std::unique_ptr<Runner> runner_of(Contestant& contestant, const Row& row);

}  // namespace toccata::bench
