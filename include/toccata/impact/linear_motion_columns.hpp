#pragma once
// Room for the queries of a batch, laid out as a batch is read fastest: columns that start at different
// places of a memory page, so that they do not evict each other from the cache, and large pages where the
// system has them.
#include <cstddef>
#include <memory>
#include <vector>

#include "toccata/impact/linear_motion.hpp"

namespace toccata {

class LinearMotionColumns {
 public:
  LinearMotionColumns() = default;
  // All coordinates zero.
  explicit LinearMotionColumns(std::size_t size);
  explicit LinearMotionColumns(const std::vector<LinearMotion4>& motions);

  std::size_t size() const { return size_; }
  // k = 12 * end + 3 * point + axis
  double* column(std::size_t k) { return memory_.get() + k * stride_; }
  const double* column(std::size_t k) const { return memory_.get() + k * stride_; }
  void set(std::size_t query, const LinearMotion4& motion);

  // Valid as long as this object.
  LinearMotionBatch batch() const;

 private:
  struct Release {
    void operator()(double* memory) const;
  };
  std::size_t size_ = 0;
  std::size_t stride_ = 0;
  std::unique_ptr<double[], Release> memory_;
};

}  // namespace toccata
