#pragma once
// A checksum for large blocks, at the speed of memory: it tells damage, not malice.
//
// 32 lanes take every 32nd word each: lane = rotate((lane ^ word) * odd, 32). Every step is a bijection of
// the lane for a given word and of the word for a given lane, so that a change within one word always changes
// the sum; other changes go unseen about once in 2^64. The factor has 32 bits, so that the product is one of
// halves.
//
// A Checksum takes the bytes while somebody else does something with them, so that they come from memory
// once.
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "io/shape_lanes.hpp"

namespace toccata::io {

class Checksum {
 public:
  explicit Checksum(std::string_view bytes) : bytes_(bytes) {
    for (std::size_t i = 0; i < sum_lanes; ++i) lane_[i] = odd * (i + 1);
  }

  // Takes what comes before `end`, but for a few bytes that are left to the next call.
  void advance(std::size_t end) {
    end = std::min(end, bytes_.size());
    const std::size_t groups = (std::max(end, at_) - at_) / sum_group;
    add_to_sum(lane_, bytes_.data() + at_, groups);
    at_ += groups * sum_group;
  }

  std::uint64_t of_all() {
    advance(bytes_.size());
    if (at_ < bytes_.size()) {
      char rest[sum_group] = {};
      std::memcpy(rest, bytes_.data() + at_, bytes_.size() - at_);
      at_ = bytes_.size();
      add_to_sum(lane_, rest, 1);
    }
    std::uint64_t sum = bytes_.size();
    for (const std::uint64_t value : lane_) sum = std::rotl((sum ^ value) * odd, 31);
    return sum ^ (sum >> 32);
  }

 private:
  static constexpr std::uint64_t odd = 0x9e3779b97f4a7c15ULL;

  std::string_view bytes_;
  std::size_t at_ = 0;
  std::uint64_t lane_[sum_lanes];
};

inline std::uint64_t checksum(std::string_view bytes) {
  return Checksum(bytes).of_all();
}

}  // namespace toccata::io
