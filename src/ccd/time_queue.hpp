#pragma once
// A bucket queue over time: what may be pending at a time t is found in about constant time, in the order of
// buckets; within a bucket, last in first out (which descends into a hierarchy like a depth-first search and
// keeps the queue short). Each bucket's items can be treated at the bucket's begin: earlier is safe.
#include <array>
#include <bit>
#include <cassert>
#include <cstdint>
#include <vector>

namespace toccata {

template <typename Item>
class TimeQueue {
 public:
  static constexpr int bucket_count = 1024;

  // Empties the queue and spans [begin, end].
  void reset(double begin, double end) {
    heads_.fill(-1);
    pending_.fill(0);
    pool_.clear();
    word_ = 0;
    free_ = -1;
    begin_ = begin;
    width_ = (end - begin) / bucket_count;
    // bucket_of must not round up; where buckets are too short to be told apart by times in double, there is
    // but one.
    scale_ = width_ > 0x1p-30 ? static_cast<float>((1.0 - 0x1p-20) / width_) : 0.0F;
  }

  // A bucket that begins at or before begin + offset, in real numbers, and hardly ever more than one earlier.
  int bucket_of(float offset) const {
    const float position = offset * scale_;
    return position < static_cast<float>(bucket_count - 1) ? static_cast<int>(position) : bucket_count - 1;
  }
  double begin_of(int bucket) const { return begin_ + bucket * width_; }
  // begin_of(bucket) - begin, not above it.
  float offset_of(int bucket) const { return static_cast<float>(bucket * width_ * (1.0 - 0x1p-22)); }

  void push(int bucket, const Item& item) {
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
    pending_[bucket >> 6] |= std::uint64_t{1} << (bucket & 63);
  }

  // The first bucket that is not empty, or -1.
  int first() {
    for (; word_ < bucket_count / 64; ++word_) {
      if (pending_[word_] != 0) return word_ * 64 + std::countr_zero(pending_[word_]);
    }
    return -1;
  }

  // precondition: the bucket is not empty. Valid until the next push.
  Item& top(int bucket) { return pool_[heads_[bucket]].item; }

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

  std::array<std::int32_t, bucket_count> heads_{};
  std::array<std::uint64_t, bucket_count / 64> pending_{};
  std::vector<Slot> pool_;
  std::int32_t free_ = -1;
  int word_ = 0;
  double begin_ = 0.0;
  double width_ = 0.0;
  float scale_ = 0.0F;
};

}  // namespace toccata
