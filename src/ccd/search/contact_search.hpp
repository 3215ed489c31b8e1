#pragma once
// First contact by best-first search in time over pairs of boxes.
//
// Every pair of boxes carries a time up to which it is proven apart. The pair with the earliest such time is
// opened: its larger box is replaced by its children, whose times follow from the pose at that moment. Pairs
// of pieces advance the same way, at the end in double precision, until they are within the tolerance. What
// is left in the queue is proven apart up to its own time, so the first pair of pieces that arrives is the
// answer. The search knows no kind of piece: piece_pair.hpp does.
#include <memory>

#include "ccd/search/pending_group.hpp"
#include "ccd/search/search_question.hpp"
#include "ccd/search/time_queue.hpp"

namespace toccata::search {

// Kept from one search to the next: it only saves the allocation. Made when first used: bodies of one convex
// piece each need none.
class SearchMemory {
 public:
  SearchMemory() {}
  ~SearchMemory() {
    if (is_made_) std::destroy_at(&queue_);
  }
  SearchMemory(const SearchMemory&) = delete;
  SearchMemory& operator=(const SearchMemory&) = delete;

  TimeQueue<PendingGroup>& queue() {
    if (!is_made_) std::construct_at(&queue_);
    is_made_ = true;
    return queue_;
  }

 private:
  // An optional would be filled with zeros first, four kilobytes of them.
  union {
    TimeQueue<PendingGroup> queue_;
  };
  bool is_made_ = false;
};

SearchAnswer search_contact(const SearchQuestion& question, SearchMemory& memory);

}  // namespace toccata::search
