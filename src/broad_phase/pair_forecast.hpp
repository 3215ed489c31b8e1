#pragma once
// Boxes that move a little from step to step. Each is grown by as far as it will get in a few steps; as long
// as boxes stay in their grown ones, only pairs of those can overlap.
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "broad_phase/float_box.hpp"
#include "toccata/broad_phase/overlapping_pairs.hpp"

namespace toccata::broad_phase {

// How far the sides of a box went along each axis: the upper halves of floats, of which two digits are right,
// as many as a forecast needs.
class RoughWay {
 public:
  void set(std::size_t axis, float way) {
    half_[axis] = static_cast<std::uint16_t>((std::bit_cast<std::uint32_t>(way) + 0x8000U) >> 16);
  }
  float operator[](std::size_t axis) const {
    return std::bit_cast<float>(static_cast<std::uint32_t>(half_[axis]) << 16);
  }

 private:
  std::array<std::uint16_t, 3> half_ = {0, 0, 0};
};

class PairForecast {
 public:
  bool is_there() const { return !grown_.empty(); }
  void forget();

  // ids: of the boxes that are not empty, increasing. moved: by id, how far the sides of a box went in the
  // last step. False: boxes are too far from the origin for their size.
  bool start(std::span<const Aabb> boxes, std::span<const RoughWay> moved, std::span<const std::int32_t> ids,
             int threads);

  // Brings it up to date with the changed boxes: those that have left their grown ones get others. False, and
  // it is forgotten: those are too many, or too far from the origin for their size.
  bool follow(std::span<const Aabb> boxes, std::span<const RoughWay> moved,
              std::span<const std::int32_t> changed);

  // Sorted: all pairs that overlap are among them.
  std::span<const IndexPair> candidates() const { return candidates_; }

 private:
  // As large as fits into the box that was grown.
  static FloatBox grown(const Aabb& box, const RoughWay& moved);
  static FloatBox grown_unbounded(const Aabb& box, const RoughWay& moved);
  bool regrow(std::span<const Aabb> boxes, std::span<const RoughWay> moved,
              std::span<const std::int32_t> left);

  std::vector<FloatBox> grown_;  // by id; where there is none: empty
  std::size_t regrown_ = 0;      // boxes since the start
  std::vector<IndexPair> candidates_;
};

}  // namespace toccata::broad_phase
