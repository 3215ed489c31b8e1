#pragma once
// A queue over time: what may be pending at a time t, in the order of buckets. Each bucket's items can be
// treated at the bucket's start: earlier is safe.
#include "base/bucket_queue.hpp"

namespace toccata::search {

template <typename Item>
class TimeQueue : public BucketQueue<Item> {
 public:
  using BucketQueue<Item>::bucket_count;

  // Empties the queue and spans [start, end].
  void reset(double start, double end) {
    this->clear();
    start_ = start;
    width_ = (end - start) / bucket_count;
    // bucket_of must not round up; where buckets are too short to be told apart by times in double, there is
    // but one.
    scale_ = width_ > 0x1p-30 ? static_cast<float>((1.0 - 0x1p-20) / width_) : 0.0F;
  }

  // A bucket that starts at or before start + offset, in real numbers, and hardly ever more than one earlier.
  int bucket_of(float offset) const {
    const float position = offset * scale_;
    return position < static_cast<float>(bucket_count - 1) ? static_cast<int>(position) : bucket_count - 1;
  }
  double start_of(int bucket) const { return start_ + bucket * width_; }
  // start_of(bucket) - start, not above it.
  float offset_of(int bucket) const { return static_cast<float>(bucket * width_ * (1.0 - 0x1p-22)); }

 private:
  double start_ = 0.0;
  double width_ = 0.0;
  float scale_ = 0.0F;
};

}  // namespace toccata::search
