#pragma once
// Eight pairs of boxes that wait for their time: the children of one node against one box of the other body.
#include <array>
#include <bit>
#include <cstdint>
#include <limits>

#include "hierarchy/box_tree.hpp"

namespace toccata::search {

// A child and until when it is proven apart from the other box. The three lowest bits of `when` name the
// child, which changes the time by less than 2^-20 of itself; what is stored is 2^-19 earlier than proven.
struct DueChild {
  float when = std::numeric_limits<float>::infinity();

  std::uint32_t slot() const { return std::bit_cast<std::uint32_t>(when) % box_width; }
};

struct PendingGroup {
  static constexpr std::uint32_t slot_bits = box_width - 1;
  static constexpr float never = std::numeric_limits<float>::infinity();

  // From the start of the window; no two are the same. `never`: nothing to do.
  alignas(16) std::array<float, box_width> when;
  float earliest = never;  // of those still to do: the others are smaller
  BoxId node = 0;
  BoxId other = 0;
  std::int16_t seen = 0;  // the bucket it was last tested in
  std::int16_t side = 0;  // of the node

  DueChild next() const { return {earliest}; }

  // The next child is done.
  void take_next() {
    // As integers, which order times alike: compilers make vectors of that, and no branches.
    const auto done = std::bit_cast<std::int32_t>(earliest);
    auto next = std::bit_cast<std::int32_t>(never);
    for (const float time : when) {
      const auto bits = std::bit_cast<std::int32_t>(time);
      const std::int32_t left = bits > done ? bits : std::bit_cast<std::int32_t>(never);
      next = left < next ? left : next;
    }
    earliest = std::bit_cast<float>(next);
  }

  void find_earliest() {
    earliest = -1.0F;
    take_next();
  }

  // No child is to be looked at but this one.
  void set_only(std::uint32_t slot, float time) {
    when.fill(never);
    set(slot, time);
    earliest = when[slot];
  }

  void set(std::uint32_t slot, float time) {
    when[slot] = std::bit_cast<float>((std::bit_cast<std::uint32_t>(time) & ~slot_bits) | slot);
  }
};

}  // namespace toccata::search
