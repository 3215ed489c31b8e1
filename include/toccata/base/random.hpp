#pragma once
// A small seeded generator (splitmix64): the same numbers on every platform and compiler, which
// std::uniform_real_distribution does not promise.
#include <cmath>
#include <cstdint>

#include "toccata/base/vector.hpp"

namespace toccata {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }  // [0, 1)
  double uniform(double low, double high) { return low + (high - low) * unit(); }
  int integer(int low, int high) {  // both ends included
    return low + static_cast<int>(next() % static_cast<std::uint64_t>(high - low + 1));
  }
  Vector3 in_box(double half_width) {
    const double x = uniform(-half_width, half_width);
    const double y = uniform(-half_width, half_width);
    const double z = uniform(-half_width, half_width);
    return {x, y, z};
  }
  Vector3 on_sphere() {
    for (;;) {
      const Vector3 v = in_box(1.0);
      const double s = v.squaredNorm();
      if (s > 1e-6 && s <= 1.0) return v / std::sqrt(s);
    }
  }

 private:
  std::uint64_t state_;
};

}  // namespace toccata
