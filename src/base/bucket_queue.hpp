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

  void push(int bucket, const Item& item) {
    const std::int32_t place = make_room();
    pool_[place].item = item;
    put(bucket, place);
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
    const std::int32_t place = take(bucket);
    free_room(place);
    return pool_[place].item;
  }

  // The same without copies: an item has a place, in a bucket or in the hands of the caller. Room that is
  // made may move all items elsewhere.
  std::int32_t make_room() {
    const std::int32_t place = free_;
    if (place >= 0) {
      free_ = pool_[place].next;
      return place;
    }
    pool_.emplace_back();
    return static_cast<std::int32_t>(pool_.size()) - 1;
  }
  void free_room(std::int32_t place) {
    pool_[place].next = free_;
    free_ = place;
  }
  void put(int bucket, std::int32_t place) {
    pool_[place].next = heads_[bucket];
    heads_[bucket] = place;
    const int word = bucket >> 6;
    pending_[word] |= std::uint64_t{1} << (bucket & 63);
    word_ = word < word_ ? word : word_;
  }
  // The one to be taken next. precondition: the bucket is not empty
  std::int32_t top(int bucket) const { return heads_[bucket]; }
  // precondition: the bucket is not empty
  std::int32_t take(int bucket) {
    const std::int32_t place = heads_[bucket];
    assert(place >= 0);
    heads_[bucket] = pool_[place].next;
    if (heads_[bucket] < 0) pending_[bucket >> 6] &= ~(std::uint64_t{1} << (bucket & 63));
    return place;
  }
  Item& at(std::int32_t place) { return pool_[place].item; }

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
