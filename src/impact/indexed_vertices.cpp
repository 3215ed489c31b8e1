#include "impact/indexed_vertices.hpp"

#include <algorithm>
#include <cmath>

#include "base/large_pages.hpp"
#include "toccata/base/parallel.hpp"

namespace toccata::impact {
namespace {

constexpr std::size_t block = 4096;

struct Box {
  double lower[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
  double upper[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  double sum = 0.0;  // of zeros; NaN if a coordinate is not finite

  void take(const double* x) {
    for (int k = 0; k < 3; ++k) {
      lower[k] = std::min(lower[k], x[k]);
      upper[k] = std::max(upper[k], x[k]);
      sum += 0.0 * x[k];
    }
  }
  void take(const Box& other) {
    for (int k = 0; k < 3; ++k) {
      lower[k] = std::min(lower[k], other.lower[k]);
      upper[k] = std::max(upper[k], other.upper[k]);
    }
    sum += other.sum;
  }
};

// Never exchanges the order of two numbers: a difference, a product with a positive number, a sum, cutting to
// a range and cutting off what is behind the point do not, and nor do their roundings.
std::int16_t on_grid(double x) {
  const double steps = std::clamp(x * 32767.0 + 32768.0, 0.0, 65535.0);
  return static_cast<std::int16_t>(static_cast<int>(steps) - 32768);
}

template <typename T>
void make(std::vector<T>& list, std::size_t count) {
  list.reserve(count);
  prefer_large_pages(list.data(), count * sizeof(T));
  list.resize(count);
}

}  // namespace

IndexedVertices::IndexedVertices(std::span<const Vector3> t0, std::span<const Vector3> t1, int threads) {
  const std::size_t count = t0.size();
  make(vertices_, count);
  std::vector<Box> boxes((count + block - 1) / block);
  parallel_blocks(count, block, threads, [&](std::size_t begin, std::size_t end) {
    Box& box = boxes[begin / block];
    for (std::size_t v = begin; v < end; ++v) {
      std::copy_n(t0[v].data(), 3, vertices_[v].t0);
      std::copy_n(t1[v].data(), 3, vertices_[v].t1);
      box.take(vertices_[v].t0);
      box.take(vertices_[v].t1);
    }
  });
  Box all;
  for (const Box& box : boxes) all.take(box);
  finite_ = all.sum == 0.0;
  if (!finite_ || count == 0) return;
  double centre[3], half = 0.0;
  for (int k = 0; k < 3; ++k) {
    centre[k] = 0.5 * all.lower[k] + 0.5 * all.upper[k];
    half = std::max({half, all.upper[k] - centre[k], centre[k] - all.lower[k]});
  }
  int exponent = 0;
  std::frexp(half, &exponent);  // half < 2^exponent
  const double scale = half > 0.0 ? std::ldexp(1.0, std::clamp(-exponent, -1000, 1000)) : 1.0;
  may_round_ = std::abs(exponent) <= 200;
  make(rounded_, count);
  make(on_grid_, count);
  parallel_blocks(count, block, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      for (int k = 0; k < 3; ++k) {
        const double x0 = (vertices_[v].t0[k] - centre[k]) * scale;
        const double x1 = (vertices_[v].t1[k] - centre[k]) * scale;
        rounded_[v].t0[k] = static_cast<float>(x0);
        rounded_[v].t1[k] = static_cast<float>(x1);
        on_grid_[v].t0[k] = on_grid(x0);
        on_grid_[v].t1[k] = on_grid(x1);
      }
    }
  });
}

}  // namespace toccata::impact
