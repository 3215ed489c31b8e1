#include "hierarchy/near_list.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hierarchy/near_list.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "toccata/base/rounding.hpp"

HWY_BEFORE_NAMESPACE();
namespace toccata::hierarchy {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<float, box_width>;
using V = hn::Vec<D>;

// The point, moved towards either bound of boxes by more than rounding does.
struct Seen {
  float for_lower[3], for_upper[3];
};

// unsure: how far the bounds may be from those of the triangles
HWY_INLINE Seen seen_from(const Vector3& point, const float* origin, double unsure) {
  Seen seen;
  for (int k = 0; k < 3; ++k) {
    const double from = point[k] - static_cast<double>(origin[k]);
    const auto place = static_cast<float>(from);
    const float pad = rounded_up(unsure + 0x1p-22 * std::abs(from));
    seen.for_lower[k] = place + pad;
    seen.for_upper[k] = place - pad;
  }
  return seen;
}

// The squares of gaps to boxes, a little less. Products and sums apart: the same on all instruction sets.
class SquaredGaps {
 public:
  explicit SquaredGaps(const Seen& seen) : seen_(seen), sum_(hn::Zero(D())) {}

  HWY_INLINE void add(int k, V lower, V upper) {
    const D tag;
    const V below = hn::Sub(lower, hn::Set(tag, seen_.for_lower[k]));
    const V above = hn::Sub(hn::Set(tag, seen_.for_upper[k]), upper);
    const V gap = hn::Max(hn::Max(below, above), hn::Zero(tag));
    sum_ = hn::Add(sum_, hn::Mul(gap, gap));
  }
  HWY_INLINE std::uint32_t no_more_than(float squared) const {
    const D tag;
    std::uint8_t bits[8] = {};
    hn::StoreMaskBits(tag, hn::Le(hn::Mul(sum_, hn::Set(tag, 1.0F - 0x1p-20F)), hn::Set(tag, squared)), bits);
    return bits[0];
  }

 private:
  const Seen& seen_;
  V sum_;
};

HWY_INLINE std::uint32_t near_children(const RayNode& node, const Seen& seen, float squared) {
  const D tag;
  std::uint32_t marks = 0;
  for (std::size_t at = 0; at < box_width; at += hn::Lanes(tag)) {
    SquaredGaps gaps(seen);
    for (int k = 0; k < 3; ++k)
      gaps.add(k, hn::Load(tag, node.bound[k] + at), hn::Load(tag, node.bound[3 + k] + at));
    marks |= gaps.no_more_than(squared) << at;
  }
  return marks;
}

HWY_INLINE std::uint32_t near_triangles(const RayLeaf& leaf, const Seen& seen, float squared) {
  const D tag;
  std::uint32_t marks = 0;
  for (std::size_t at = 0; at < box_width; at += hn::Lanes(tag)) {
    SquaredGaps gaps(seen);
    for (int k = 0; k < 3; ++k) {
      const V a = hn::Load(tag, leaf.corner[0][k] + at), b = hn::Load(tag, leaf.corner[1][k] + at),
              c = hn::Load(tag, leaf.corner[2][k] + at);
      gaps.add(k, hn::Min(a, hn::Min(b, c)), hn::Max(a, hn::Max(b, c)));
    }
    marks |= gaps.no_more_than(squared) << at;
  }
  return marks & ((1U << static_cast<unsigned>(leaf.count)) - 1U);
}

// Leaves that wait until their six lines of the cache are there.
struct WaitingLeaves {
  static constexpr std::size_t most = 16;
  std::int32_t leaf[most];
  std::size_t count = 0;
};

}  // namespace

std::size_t list_near_kernel(const RayTree& tree, const NearBall& ball, std::span<std::int32_t> room,
                             std::int32_t* stack) {
  constexpr float center[3] = {};
  const double padding = ball.padding * (1.0 + 1e-6);
  const Seen seen = seen_from(ball.middle, center, padding);
  const float squared = rounded_up(ball.radius * ball.radius * (1.0 + 0x1p-40) + 1e-37);
  std::size_t count = 0, waiting = 0;
  WaitingLeaves leaves;
  const auto push = [&](std::int32_t child) HWY_ATTR {
    if (child >= 0) {
      stack[waiting++] = child;
      return;
    }
    leaves.leaf[leaves.count++] = ~child;
    const auto* begin = reinterpret_cast<const char*>(&tree.leaves[static_cast<std::size_t>(~child)]);
    for (std::size_t at = 0; at < sizeof(RayLeaf); at += 64) __builtin_prefetch(begin + at);
  };
  push(tree.root);
  while (true) {
    while (waiting > 0 && leaves.count + box_width <= WaitingLeaves::most) {
      const RayNode& node = tree.nodes[static_cast<std::size_t>(stack[--waiting])];
      for (std::uint32_t marks = near_children(node, seen, squared); marks != 0; marks &= marks - 1)
        push(node.child[std::countr_zero(marks)]);
    }
    for (std::size_t i = 0; i < leaves.count; ++i) {
      const RayLeaf& leaf = tree.leaves[static_cast<std::size_t>(leaves.leaf[i])];
      const double unsure = padding + 0x1p-23 * static_cast<double>(leaf.reach);
      std::uint32_t marks = near_triangles(leaf, seen_from(ball.middle, leaf.origin, unsure), squared);
      for (; marks != 0; marks &= marks - 1) {
        if (count == room.size()) return count + 1;
        room[count++] = leaf.triangle[std::countr_zero(marks)];
      }
    }
    leaves.count = 0;
    if (waiting == 0) return count;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace toccata::hierarchy
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toccata::hierarchy {

HWY_EXPORT(list_near_kernel);

std::size_t list_near(const RayTree& tree, const NearBall& ball, std::span<std::int32_t> room) {
  constexpr int usual_depth = 24;
  if (tree.depth <= usual_depth) {
    std::int32_t stack[(usual_depth + 1) * box_width];
    return HWY_DYNAMIC_DISPATCH(list_near_kernel)(tree, ball, room, stack);
  }
  std::vector<std::int32_t> stack((static_cast<std::size_t>(tree.depth) + 1) * box_width);
  return HWY_DYNAMIC_DISPATCH(list_near_kernel)(tree, ball, room, stack.data());
}

}  // namespace toccata::hierarchy
#endif
