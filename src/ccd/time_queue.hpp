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
  static constexpr int bucket_count = 256;

  // Empties the queue and spans [begin, end].
  void reset(double begin, double end) {
    heads_.fill(-1);
    pending_.fill(0);
    pool_.clear();
    free_ = -1;
    begin_ = begin;
    width_ = (end - begin) / bucket_count;
    scale_ = width_ > 0.0 ? 1.0 / width_ : 0.0;
  }

  // The latest bucket that begins at or before t.
  int bucket_of(double t) const {
    const double position = (t - begin_) * scale_;
    int bucket = position >= bucket_count - 1 ? bucket_count - 1 : static_cast<int>(position);
    while (bucket > 0 && begin_of(bucket) > t) --bucket;
    return bucket;
  }
  double begin_of(int bucket) const { return begin_ + bucket * width_; }

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
  int first() const {
    for (int word = 0; word < bucket_count / 64; ++word) {
      if (pending_[word] != 0) return word * 64 + std::countr_zero(pending_[word]);
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

  // Calls visit(item) for all items of a bucket.
  template <typename Visit>
  void for_each(int bucket, Visit&& visit) const {
    for (std::int32_t at = heads_[bucket]; at >= 0; at = pool_[at].next) visit(pool_[at].item);
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
  double begin_ = 0.0;
  double width_ = 0.0;
  double scale_ = 0.0;
};

}  // namespace toccata
