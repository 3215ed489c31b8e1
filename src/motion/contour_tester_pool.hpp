#pragma once
// Lends contour testers, which are large, to the threads of one question after the other.
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "motion/contour_test.hpp"

namespace toccata {

class ContourTesterPool {
 public:
  std::unique_ptr<ContourTester> take(std::size_t vertex_count) {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return std::make_unique<ContourTester>(vertex_count);
    auto tester = std::move(free_.back());
    free_.pop_back();
    return tester;
  }
  void give_back(std::unique_ptr<ContourTester> tester) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(tester));
  }
  void clear() { free_.clear(); }
  std::size_t size() const { return free_.size(); }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<ContourTester>> free_;
};

}  // namespace toccata
