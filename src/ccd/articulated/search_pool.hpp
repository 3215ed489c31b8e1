#pragma once
// Searches that wait for their next path: planners ask for one edge at a time, from many threads. No locks.
#include <array>
#include <atomic>
#include <memory>

#include "ccd/articulated/path_search.hpp"

namespace toccata::articulated {

class SearchPool {
 public:
  SearchPool() = default;
  ~SearchPool() {
    for (auto& slot : idle_) delete slot.load();
  }
  SearchPool(const SearchPool&) = delete;
  SearchPool& operator=(const SearchPool&) = delete;

  // Given back when it ends.
  class Borrowed {
   public:
    Borrowed(SearchPool& pool, std::unique_ptr<PathSearch> search)
        : pool_(pool), search_(std::move(search)) {}
    ~Borrowed() { pool_.give_back(std::move(search_)); }
    Borrowed(const Borrowed&) = delete;
    Borrowed& operator=(const Borrowed&) = delete;
    PathSearch& operator*() const { return *search_; }
    PathSearch* operator->() const { return search_.get(); }

   private:
    SearchPool& pool_;
    std::unique_ptr<PathSearch> search_;
  };
  // precondition: the robot is the one that has this pool
  Borrowed borrow(const PreparedRobot& robot) {
    for (auto& slot : idle_) {
      if (slot.load(std::memory_order_relaxed) == nullptr) continue;
      if (PathSearch* found = slot.exchange(nullptr, std::memory_order_acquire))
        return {*this, std::unique_ptr<PathSearch>(found)};
    }
    return {*this, std::make_unique<PathSearch>(robot)};
  }

 private:
  void give_back(std::unique_ptr<PathSearch> search) {
    for (auto& slot : idle_) {
      PathSearch* none = nullptr;
      if (slot.compare_exchange_strong(none, search.get(), std::memory_order_release)) {
        search.release();
        return;
      }
    }
  }

  std::array<std::atomic<PathSearch*>, 16> idle_ = {};
};

}  // namespace toccata::articulated
