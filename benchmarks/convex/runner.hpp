#pragma once
// A contestant at work on one row, in this process or in one of its own that may end without us.
#include <memory>
#include <vector>

#include "contestant.hpp"

namespace toccata::bench {

class Runner {
 public:
  virtual ~Runner() = default;
  // Answers every case once and returns the thread's CPU time, in ns a case; below zero if the contestant's
  // process has ended.
  virtual double pass(std::vector<double>& answers) = 0;
};

// Prepares the contestant. Both must outlive the runner.
std::unique_ptr<Runner> runner_of(Contestant& contestant, const Row& row);

}  // namespace toccata::bench
