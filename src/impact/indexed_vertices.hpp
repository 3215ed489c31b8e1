#pragma once
// The vertices of queries that name their points, in three forms, each for one stage: the less memory, the
// more queries it has to serve.
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "impact/moving_features.hpp"
#include "toccata/base/vector.hpp"

namespace toccata::impact {

// A quarter of a cache line: both ends of the step on a grid of 2^16 steps over the box of nearly all
// vertices; those beyond are at its border. What is strictly above something here is so in double precision,
// since every step from there to here keeps the order of numbers, or makes them equal. The fourth number is
// 0.
struct alignas(16) GridVertex {
  std::int16_t t0[4] = {0, 0, 0, 0};
  std::int16_t t1[4] = {0, 0, 0, 0};
};

// Half a cache line: relative to the middle of that box and scaled by a power of two, so that no number
// within exceeds 1, then rounded to single precision; a number beyond is +-far_away. The same holds of the
// order.
struct alignas(32) RoundedVertex {
  float t0[4] = {0, 0, 0, 0};
  float t1[4] = {0, 0, 0, 0};
};
inline constexpr float far_away = 2.0f;

// A view. Every number of a point is that of a vertex, and all coordinates are finite.
struct IndexedQueries {
  const MovingVertex* vertices = nullptr;
  const RoundedVertex* rounded = nullptr;
  const GridVertex* on_grid = nullptr;
  const std::array<std::int32_t, 4>* points = nullptr;
  // The scale is between 2^-200 and 2^200: the error bounds of single precision hold.
  bool may_round = false;
};

class IndexedVertices {
 public:
  // As many vertices at both ends.
  IndexedVertices(std::span<const Vector3> t0, std::span<const Vector3> t1, int threads);

  // All coordinates are; else only vertices() may be read.
  bool are_finite() const { return finite_; }
  const std::vector<MovingVertex>& vertices() const { return vertices_; }
  IndexedQueries queries(const std::array<std::int32_t, 4>* points) const {
    return {vertices_.data(), rounded_.data(), on_grid_.data(), points, may_round_};
  }

 private:
  std::vector<MovingVertex> vertices_;
  std::vector<RoundedVertex> rounded_;
  std::vector<GridVertex> on_grid_;
  bool finite_ = false, may_round_ = false;
};

}  // namespace toccata::impact
