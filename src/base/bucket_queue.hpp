#pragma once
// A queue by buckets: the first bucket that is not empty is found in about constant time; within a bucket,
// last in first out (which descends into a hierarchy like a depth-first search and keeps the queue short).
#include <array>
#include <bit>
#include <cassert>
#include <cstdint>
#include <vector>

namespace toccata {

template <typename Item>
class BucketQueue {
 public:
  static constexpr int bucket_count = 1024;

  BucketQueue() { clear(); }

  void clear() {
    heads_.fill(-1);
    pending_.fill(0);
    pool_.clear();
    word_ = 0;
    free_ = -1;
  }

  Item& push(int bucket, const Item& item) {
    std::int32_t at = free_;
    if (at >= 0) {
      free_ = pool_[at].next;
      pool_[at].item = item;
    } else {
      at = static_cast<std::int32_t>(pool_.size());
      pool_.push_back({item, -1});
    }
    pool_[at].next = heads_[bucket];
    heads_[bucket] = at;
    const int word = bucket >> 6;
    pending_[word] |= std::uint64_t{1} << (bucket & 63);
    word_ = word < word_ ? word : word_;
    return pool_[at].item;
  }

  // The first bucket that is not empty, or -1.
  int first() {
    for (; word_ < bucket_count / 64; ++word_) {
      if (pending_[word_] != 0) return word_ * 64 + std::countr_zero(pending_[word_]);
    }
    return -1;
  }

  // precondition: the bucket is not empty
  Item pop(int bucket) {
    const std::int32_t at = heads_[bucket];
    assert(at >= 0);
    heads_[bucket] = pool_[at].next;
    if (heads_[bucket] < 0) pending_[bucket >> 6] &= ~(std::uint64_t{1} << (bucket & 63));
    pool_[at].next = free_;
    free_ = at;
    return pool_[at].item;
  }

 private:
  struct Slot {
    Item item;
    std::int32_t next;
  };

  std::array<std::int32_t, bucket_count> heads_;
  std::array<std::uint64_t, bucket_count / 64> pending_;  // a bit per bucket that is not empty
  std::vector<Slot> pool_;
  std::int32_t free_ = -1;
  int word_ = 0;  // all words of `pending_` before it are zero
};

}  // namespace toccata
