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

// Where nearly all vertices are, told from some of them: the middle, and how far around it they are looked at
// closely. A few that are far away, or a wide ground, do not make all others small.
struct Bulk {
  double centre[3] = {0, 0, 0};
  double half = 0.0;
};

Bulk bulk_of(const std::vector<MovingVertex>& vertices, const Box& all) {
  constexpr std::size_t samples = 1024;
  const std::size_t stride = vertices.size() / samples + 1;
  Bulk bulk;
  double reach = 0.0;
  for (std::size_t k = 0; k < 3; ++k) {
    std::vector<double> values;
    for (std::size_t v = 0; v < vertices.size(); v += stride) {
      values.push_back(vertices[v].t0[k]);
      values.push_back(vertices[v].t1[k]);
    }
    std::sort(values.begin(), values.end());
    const std::size_t outer = values.size() / 16;  // on either side
    const double low = values[outer], high = values[values.size() - 1 - outer];
    bulk.centre[k] = 0.5 * low + 0.5 * high;
    // Twice as wide, so that next to none is left out.
    bulk.half = std::max(bulk.half, 2.0 * (0.5 * high - 0.5 * low));
    reach = std::max({reach, all.upper[k] - bulk.centre[k], bulk.centre[k] - all.lower[k]});
  }
  bulk.half = bulk.half > 0.0 ? std::min(bulk.half, reach) : reach;
  return bulk;
}

// None of these exchanges the order of two numbers, nor does anything before: a difference, a product with a
// positive number, a sum, cutting to a range, cutting off what is behind the point and all roundings keep it,
// or make numbers equal.
std::int16_t on_grid(double x) {
  const double steps = std::clamp(x * 32767.0 + 32768.0, 0.0, 65535.0);
  return static_cast<std::int16_t>(static_cast<int>(steps) - 32768);
}

float rounded(double x) {
  const auto value = static_cast<float>(std::clamp(x, -2.0, 2.0));
  return std::abs(value) <= 1.0f ? value : std::copysign(far_away, value);
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
  const Bulk bulk = bulk_of(vertices_, all);
  int exponent = 0;
  std::frexp(bulk.half, &exponent);  // half < 2^exponent
  const double scale = bulk.half > 0.0 ? std::ldexp(1.0, std::clamp(-exponent, -1000, 1000)) : 1.0;
  may_round_ = std::abs(exponent) <= 200;
  make(rounded_, count);
  make(on_grid_, count);
  parallel_blocks(count, block, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      for (int k = 0; k < 3; ++k) {
        const double x0 = (vertices_[v].t0[k] - bulk.centre[k]) * scale;
        const double x1 = (vertices_[v].t1[k] - bulk.centre[k]) * scale;
        rounded_[v].t0[k] = rounded(x0);
        rounded_[v].t1[k] = rounded(x1);
        on_grid_[v].t0[k] = on_grid(x0);
        on_grid_[v].t1[k] = on_grid(x1);
      }
    }
  });
}

}  // namespace toccata::impact
