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

  alignas(16) std::array<float, box_width> when;  // from the start of the window; `never`: nothing to do
  BoxId node = 0;
  BoxId other = 0;
  std::int16_t seen = 0;  // the bucket it was last tested in
  std::int16_t side = 0;  // of the node

  DueChild earliest() const {
    const auto smaller = [](float x, float y) { return x < y ? x : y; };
    return {smaller(smaller(smaller(when[0], when[1]), smaller(when[2], when[3])),
                    smaller(smaller(when[4], when[5]), smaller(when[6], when[7])))};
  }

  // Of those later than the child: no two children have the same time.
  DueChild earliest_after(DueChild child) const {
    float next = never;
    for (const float time : when) next = time > child.when && time < next ? time : next;
    return {next};
  }

  void set(std::uint32_t slot, float time) {
    when[slot] = std::bit_cast<float>((std::bit_cast<std::uint32_t>(time) & ~slot_bits) | slot);
  }
};

}  // namespace toccata::search
