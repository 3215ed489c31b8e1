#include "toccata/impact/linear_motion_columns.hpp"

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <new>

#include "base/large_pages.hpp"

namespace toccata {
namespace {

constexpr std::size_t line = 8, page = 512;  // doubles

// Whole cache lines, and eight more than whole pages: what a batch reads of the 24 columns at a time, eight
// lines of each, then spreads evenly over the first-level cache.
std::size_t stride_of(std::size_t size) {
  return (size + page - 1) / page * page + 8 * line;
}

double* allocate(std::size_t count) {
  const bool large = count * sizeof(double) >= 2 * large_page;
  const std::size_t alignment = large ? large_page : line * sizeof(double);
  const std::size_t bytes = (count * sizeof(double) + alignment - 1) / alignment * alignment;
  void* memory = std::aligned_alloc(alignment, bytes);
  if (memory == nullptr) throw std::bad_alloc();
  if (large) prefer_large_pages(memory, bytes);
  auto* values = static_cast<double*>(memory);
  std::fill(values, values + count, 0.0);
  return values;
}

}  // namespace

void LinearMotionColumns::Release::operator()(double* memory) const {
  std::free(memory);
}

LinearMotionColumns::LinearMotionColumns(std::size_t size)
    : size_(size), stride_(stride_of(size)), memory_(allocate(24 * stride_)) {}

LinearMotionColumns::LinearMotionColumns(const std::vector<LinearMotion4>& motions)
    : LinearMotionColumns(motions.size()) {
  for (std::size_t i = 0; i < motions.size(); ++i) set(i, motions[i]);
}

void LinearMotionColumns::set(std::size_t query, const LinearMotion4& motion) {
  assert(query < size_);
  static_assert(sizeof(LinearMotion4) == 24 * sizeof(double));
  const double* from = motion.t0[0].data();
  for (std::size_t k = 0; k < 24; ++k) column(k)[query] = from[k];
}

LinearMotionBatch LinearMotionColumns::batch() const {
  LinearMotionBatch batch;
  for (std::size_t k = 0; k < 24; ++k) batch.coordinates[k] = column(k);
  batch.size = size_;
  return batch;
}

}  // namespace toccata
