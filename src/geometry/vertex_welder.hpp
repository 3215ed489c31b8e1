#pragma once
// Gives equal points one index, in the order of their first appearance. Equal means equal coordinates
// (0 and -0 are one point); no tolerance.
#include <bit>
#include <cstdint>
#include <vector>

#include "toccata/base/vector.hpp"

namespace toccata {

class VertexWelder {
 public:
  // weld = false gives every point its own index.
  VertexWelder(std::vector<Vector3>& vertices, bool weld) : vertices_(vertices), weld_(weld) {}

  std::int32_t index(const Vector3& point) {
    if (!weld_) return append(point);
    if (2 * (vertices_.size() + 1) > slots_.size()) grow();
    for (std::size_t slot = hash(point) & mask();; slot = (slot + 1) & mask()) {
      if (slots_[slot] < 0) return slots_[slot] = append(point);
      if (vertices_[static_cast<std::size_t>(slots_[slot])] == point) return slots_[slot];
    }
  }

 private:
  std::size_t mask() const { return slots_.size() - 1; }

  std::int32_t append(const Vector3& point) {
    vertices_.push_back(point);
    return static_cast<std::int32_t>(vertices_.size() - 1);
  }

  static std::size_t hash(const Vector3& point) {
    std::uint64_t h = 0;
    for (int axis = 0; axis < 3; ++axis) {
      h ^= std::bit_cast<std::uint64_t>(point[axis] + 0.0);  // -0.0 + 0.0 is 0.0
      h *= 0x9e3779b97f4a7c15u;
      h ^= h >> 32;
      h *= 0xd6e8feb86659fd93u;
      h ^= h >> 29;
    }
    return static_cast<std::size_t>(h);
  }

  void grow() {
    slots_.assign(slots_.empty() ? 1024 : 2 * slots_.size(), -1);
    for (std::size_t i = 0; i < vertices_.size(); ++i) {
      std::size_t slot = hash(vertices_[i]) & mask();
      while (slots_[slot] >= 0) slot = (slot + 1) & mask();
      slots_[slot] = static_cast<std::int32_t>(i);
    }
  }

  std::vector<Vector3>& vertices_;
  std::vector<std::int32_t> slots_;  // a power of two of them, at most half taken; -1 = free
  bool weld_;
};

}  // namespace toccata
