#pragma once
// A checksum for large blocks, at the speed of memory: it tells damage, not malice.
//
// Eight lanes take every eighth word each: lane = rotate((lane ^ word) * odd). Every step is a bijection of
// the lane for a given word and of the word for a given lane, so that a change within one word always changes
// the sum; other changes go unseen once in 2^64.
//
// A Checksum takes the bytes while somebody else does something with them, so that they come from memory
// once.
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace toccata::io {

class Checksum {
 public:
  explicit Checksum(std::string_view bytes) : bytes_(bytes) {
    for (std::size_t i = 0; i < lanes; ++i) lane_[i] = odd * (i + 1);
  }

  // Takes what comes before `end`, but for a few bytes that are left to the next call.
  void advance(std::size_t end) {
    end = std::min(end, bytes_.size());
    std::uint64_t lane[lanes];  // in registers
    std::copy_n(lane_, lanes, lane);
    for (; at_ + group <= end; at_ += group) take(lane, bytes_.data() + at_);
    std::copy_n(lane, lanes, lane_);
  }

  std::uint64_t of_all() {
    advance(bytes_.size());
    char rest[group] = {};
    if (at_ < bytes_.size()) {
      std::memcpy(rest, bytes_.data() + at_, bytes_.size() - at_);
      at_ = bytes_.size();
      take(lane_, rest);
    }
    std::uint64_t sum = bytes_.size();
    for (const std::uint64_t value : lane_) sum = std::rotl((sum ^ value) * odd, 31);
    return sum ^ (sum >> 32);
  }

 private:
  static constexpr std::uint64_t odd = 0x9e3779b97f4a7c15ULL;
  static constexpr std::size_t lanes = 8, group = 8 * lanes;

  static void take(std::uint64_t (&lane)[lanes], const char* from) {
    for (std::size_t i = 0; i < lanes; ++i) {
      std::uint64_t word;
      std::memcpy(&word, from + 8 * i, 8);
      lane[i] = std::rotl((lane[i] ^ word) * odd, 29);
    }
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
  std::uint64_t lane_[lanes];
};

inline std::uint64_t checksum(std::string_view bytes) {
  return Checksum(bytes).of_all();
}

}  // namespace toccata::io
