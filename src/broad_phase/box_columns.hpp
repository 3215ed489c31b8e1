#pragma once
// Boxes in single precision, rounded outwards: what is apart here is apart, what overlaps is looked at again.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "toccata/base/rounding.hpp"
#include "toccata/bound/aabb.hpp"

namespace toccata::broad_phase {

// One box of a list that is swept along its first axis.
struct SweptBox {
  float low[3];
  float high[3];
  std::int32_t id;
  std::uint16_t first_row[2];  // where it starts among the rows of the other two axes
};

inline bool is_empty(const Aabb& box) {
  return !(box.lower.x() <= box.upper.x() && box.lower.y() <= box.upper.y() &&
           box.lower.z() <= box.upper.z());
}

// The same boxes sorted by low[0], one array per coordinate. Behind the last one there is room for a whole
// vector of boxes that overlap nothing.
class BoxColumns {
 public:
  static constexpr std::size_t room = 16;

  // Contents are lost.
  void resize(std::size_t count);
  std::size_t size() const { return count_; }
  void set(std::size_t i, const SweptBox& box) {
    float* to = floats_.get() + i;
    for (std::size_t k = 0; k < 3; ++k) {
      to[k * stride_] = box.low[k];
      to[(3 + k) * stride_] = box.high[k];
    }
    names_[i] = {box.id, static_cast<std::uint32_t>(box.first_row[0]) << 16U | box.first_row[1]};
  }

  const float* low(std::size_t k) const { return floats_.get() + k * stride_; }
  const float* high(std::size_t k) const { return floats_.get() + (3 + k) * stride_; }
  std::int32_t id(std::size_t i) const { return names_[i].id; }
  std::uint32_t first_row(std::size_t i) const { return names_[i].first_row; }  // both, one in the upper half

 private:
  struct Name {
    std::int32_t id;
    std::uint32_t first_row;
  };

  std::unique_ptr<float[]> floats_;
  std::unique_ptr<Name[]> names_;
  std::size_t count_ = 0;
  std::size_t stride_ = 0;
};

// Two places in columns.
struct Meeting {
  std::uint32_t own;
  std::uint32_t other;
};

// Appends every pair (i, j), i < j, that overlaps in all three coordinates.
void sweep(const BoxColumns& boxes, std::vector<Meeting>& meetings);

// Appends every pair of a box of either list that overlaps one of the other: (place in a, place in b).
void sweep(const BoxColumns& a, const BoxColumns& b, std::vector<Meeting>& meetings);

}  // namespace toccata::broad_phase
