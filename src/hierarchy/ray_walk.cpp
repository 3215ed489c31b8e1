#include "hierarchy/ray_tree.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#ifndef TOCCATA_HIERARCHY_RAY_WALK_ONCE  // the rest is compiled once an instruction set
#define TOCCATA_HIERARCHY_RAY_WALK_ONCE
namespace toccata::hierarchy {
namespace {

// A child that the ray enters later: the bits of the float where it does, which order as that does, above
// those of the child.
using Waiting = std::int64_t;

inline Waiting waiting_of(float entry, std::int32_t child) {
  const std::uint64_t place = std::bit_cast<std::uint32_t>(entry);
  return static_cast<Waiting>(place << 32 | static_cast<std::uint32_t>(child));
}
inline std::int32_t child_of(Waiting waiting) {
  return static_cast<std::int32_t>(waiting);
}

// As what is larger than all that wait no later than this.
inline Waiting latest_of(float limit) {
  return waiting_of(limit, -1);
}

// Always inlined: g++ 12 leaves out calls of functions that only ask the memory ahead.
[[gnu::always_inline]] inline void prefetch(const RayTree& tree, std::int32_t child) {
  const auto* node = reinterpret_cast<const char*>(tree.nodes.data() + std::max(child, 0));
  const auto* leaf = reinterpret_cast<const char*>(tree.leaves.data() + std::max(~child, 0));
  const char* const begin = child >= 0 ? node : leaf;
  for (std::size_t at = 0; at < sizeof(RayNode); at += 64) __builtin_prefetch(begin + at);
}

}  // namespace
}  // namespace toccata::hierarchy
#endif

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hierarchy/ray_walk.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "toccata/base/rounding.hpp"

HWY_BEFORE_NAMESPACE();
namespace toccata::hierarchy {
namespace HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

using RayTag = hn::CappedTag<float, box_width>;
using RayLane = hn::Vec<RayTag>;
inline constexpr std::size_t ray_lanes = hn::MaxLanes(RayTag());

// The ray against boxes: times at which it passes a bound are (bound - origin) inverse.
struct BoxRay {
  std::size_t near[3], far[3];  // which bounds it passes first and last
  RayLane near_inverse[3];      // a little smaller than it is, which outweighs the roundings of the products,
  RayLane far_inverse[3];       // and a little larger
  RayLane near_origin[3];  // times the inverse: moved against the bounds by the padding, so that it is never
  RayLane far_origin[3];   // late, and never early
};

// In single numbers: those of the ray were just stored one by one, and would keep a vector waiting.
HWY_INLINE BoxRay box_ray(const TreeRay& ray) {
  const RayTag tag;
  BoxRay result;
  const double far_out =
      std::max({std::abs(ray.origin[0]), std::abs(ray.origin[1]), std::abs(ray.origin[2])});
  const auto padding = static_cast<float>((1.0 + 1e-6) * ((ray.padding + 1e-37) + 0x1p-21 * far_out));
  for (std::size_t k = 0; k < 3; ++k) {
    const auto o = static_cast<float>(ray.origin[k]), along = static_cast<float>(ray.direction[k]);
    const float pad = std::copysign(padding, along);
    // What is hardly longer than nothing may as well be a little longer: the padding has room for it.
    const float inverse = 1.0F / (along + std::copysign(1e-18F, along));
    const float near = inverse * (1.0F - 0x1p-20F), far = inverse * (1.0F + 0x1p-20F);
    const std::size_t backward = 3 * static_cast<std::size_t>(std::bit_cast<std::uint32_t>(along) >> 31);
    result.near[k] = (k + backward) * box_width;
    result.far[k] = (k + 3 - backward) * box_width;
    result.near_inverse[k] = hn::Set(tag, near);
    result.far_inverse[k] = hn::Set(tag, far);
    result.near_origin[k] = hn::Set(tag, (o + pad) * near);
    result.far_origin[k] = hn::Set(tag, (o - pad) * far);
  }
  return result;
}

template <typename Mask>
HWY_INLINE std::uint32_t bits_of(Mask mask) {
#if HWY_TARGET <= HWY_AVX3
  return static_cast<std::uint32_t>(mask.raw);
#else
  std::uint8_t bits[8] = {};
  hn::StoreMaskBits(RayTag(), mask, bits);
  return bits[0];
#endif
}

// Marks the children that the ray may enter before the limit; `entry` is not after.
HWY_INLINE std::uint32_t entered(const RayNode& node, const BoxRay& ray, RayLane limit, float* entry) {
  const RayTag tag;
  std::uint32_t marks = 0;
  for (std::size_t at = 0; at < box_width; at += ray_lanes) {
    const float* const bounds = node.bound[0] + at;
    const auto first = [&](int k) HWY_ATTR {
      return hn::MulSub(hn::Load(tag, bounds + ray.near[k]), ray.near_inverse[k], ray.near_origin[k]);
    };
    const auto last = [&](int k) HWY_ATTR {
      return hn::MulSub(hn::Load(tag, bounds + ray.far[k]), ray.far_inverse[k], ray.far_origin[k]);
    };
    const RayLane begin = hn::Max(hn::Max(first(0), first(1)), hn::Max(first(2), hn::Zero(tag)));
    const RayLane end = hn::Min(hn::Min(last(0), last(1)), hn::Min(limit, last(2)));
    hn::Store(begin, tag, entry + at);
    marks |= bits_of(hn::Le(begin, end)) << at;
  }
  return marks;
}

// The ray against triangles, sheared along the largest of its components: a point x is at
// (x_0 - shear_0 x_2 - place_0, x_1 - shear_1 x_2 - place_1) beside it, at (x_2 - height) rate along it.
struct LeafRay {
  std::size_t axis[3];
  double shear[2], place[2], height, rate;
  float padding;
};

HWY_INLINE LeafRay leaf_ray(const TreeRay& ray) {
  const double x = std::abs(ray.direction[0]), y = std::abs(ray.direction[1]), z = std::abs(ray.direction[2]);
  // Without branches, which nothing foretells.
  const auto after_x = static_cast<std::size_t>(x < std::max(y, z)), by_z = static_cast<std::size_t>(y < z);
  const std::size_t along = after_x + (after_x & by_z);
  constexpr std::size_t others[3][2] = {{1, 2}, {2, 0}, {0, 1}};
  LeafRay result;
  result.axis[0] = others[along][0];
  result.axis[1] = others[along][1];
  result.axis[2] = along;
  result.height = ray.origin[along];
  result.rate = 1.0 / ray.direction[along];
  for (std::size_t k = 0; k < 2; ++k) {
    result.shear[k] = ray.direction[result.axis[k]] * result.rate;
    result.place[k] = ray.origin[result.axis[k]] - result.shear[k] * result.height;
  }
  result.padding = rounded_up(ray.padding);
  return result;
}

// Marks the triangles that the ray may meet.
HWY_INLINE std::uint32_t touched(const RayLeaf& leaf, const LeafRay& ray) {
  const RayTag tag;
  const auto from = [&](std::size_t k) { return static_cast<double>(leaf.origin[ray.axis[k]]); };
  const RayLane px = hn::Set(tag, static_cast<float>((ray.place[0] - from(0)) + ray.shear[0] * from(2)));
  const RayLane py = hn::Set(tag, static_cast<float>((ray.place[1] - from(1)) + ray.shear[1] * from(2)));
  const RayLane size = hn::Abs(px) + (hn::Abs(py) + hn::Set(tag, 2.0F * leaf.reach));
  const RayLane share = hn::MulAdd(size, hn::Set(tag, 26.0F * 0x1p-24F), hn::Set(tag, 10.0F * ray.padding));
  const RayLane band = hn::MulAdd(size, share, hn::Set(tag, 1e-37F));
  const RayLane shear_x = hn::Set(tag, static_cast<float>(ray.shear[0]));
  const RayLane shear_y = hn::Set(tag, static_cast<float>(ray.shear[1]));
  std::uint32_t marks = 0;
  for (std::size_t at = 0; at < box_width; at += ray_lanes) {
    RayLane x[3], y[3];
    for (std::size_t i = 0; i < 3; ++i) {
      const auto coordinate = [&](std::size_t k)
                                  HWY_ATTR { return hn::Load(tag, leaf.corner[i][ray.axis[k]] + at); };
      const RayLane height = coordinate(2);
      x[i] = hn::NegMulAdd(shear_x, height, coordinate(0)) - px;
      y[i] = hn::NegMulAdd(shear_y, height, coordinate(1)) - py;
    }
    const auto side = [&](std::size_t i, std::size_t j)
                          HWY_ATTR { return hn::NegMulAdd(y[i], x[j], x[i] * y[j]); };
    const RayLane first = side(0, 1), second = side(1, 2), third = side(2, 0);
    const RayLane least = hn::Min(hn::Min(first, second), third);
    const RayLane most = hn::Max(hn::Max(first, second), third);
    // The line passes corners on both sides for sure: it misses the triangle.
    const auto met = hn::Or(hn::Le(most, band), hn::Ge(least, hn::Neg(band)));
    marks |= bits_of(met) << at;
  }
  return marks & ((1U << static_cast<unsigned>(leaf.count)) - 1U);
}

// Where the ray may meet a triangle of the leaf at the earliest.
HWY_INLINE double earliest(const RayLeaf& leaf, const LeafRay& ray, std::size_t slot) {
  double least = std::numeric_limits<double>::infinity();
  const double from = static_cast<double>(leaf.origin[ray.axis[2]]) - ray.height;
  for (const auto& corner : leaf.corner)
    least = std::min(least, (from + static_cast<double>(corner[ray.axis[2]][slot])) * ray.rate);
  return least - (8.0 * 0x1p-24 * static_cast<double>(leaf.reach) + 4.0 * static_cast<double>(ray.padding));
}

}  // namespace

std::int64_t walk_kernel(const RayTree& tree, const TreeRay& ray, const RayVisitor& visitor, Waiting* stack) {
  const BoxRay boxes = box_ray(ray);
  const LeafRay sheared = leaf_ray(ray);
  double limit = ray.limit;
  float float_limit = float_above(limit);
  Waiting latest = latest_of(float_limit);
  std::int64_t tested = 0;
  Waiting* top = stack;
  std::int32_t child = tree.root;
  while (true) {
    if (child >= 0) {
      HWY_ALIGN float entry[box_width];
      const RayNode& node = tree.nodes[static_cast<std::size_t>(child)];
      std::uint32_t marks = entered(node, boxes, hn::Set(RayTag(), float_limit), entry);
      tested += box_width;
      if (marks != 0) {
        // The nearest is next; the others wait, the farthest at the bottom.
        const auto next = [&] {
          const int slot = std::countr_zero(marks);
          marks &= marks - 1;
          return waiting_of(entry[slot], node.child[slot]);
        };
        child = node.child[std::countr_zero(marks)];
        if ((marks & (marks - 1)) == 0) continue;
        const Waiting one = next(), two = next();
        Waiting nearest = std::min(one, two);
        const Waiting* const bottom = top;
        *top++ = std::max(one, two);
        while (marks != 0) {
          const Waiting found = next(), other = std::max(nearest, found);
          nearest = std::min(nearest, found);
          Waiting* place = top++;
          for (; place > bottom && place[-1] < other; --place) *place = place[-1];
          *place = other;
        }
        for (const Waiting* waiting = bottom; waiting < top; ++waiting) prefetch(tree, child_of(*waiting));
        child = child_of(nearest);
        continue;
      }
    } else {
      const RayLeaf& leaf = tree.leaves[static_cast<std::size_t>(~child)];
      for (std::uint32_t marks = touched(leaf, sheared); marks != 0; marks &= marks - 1) {
        const auto slot = static_cast<std::size_t>(std::countr_zero(marks));
        if (limit < ray.limit && earliest(leaf, sheared, slot) > limit) continue;
        limit = std::min(limit, visitor.visit(visitor.context, leaf.triangle[slot]));
        float_limit = float_above(limit);
        latest = latest_of(float_limit);
      }
    }
    do {
      if (top == stack) return tested;
      --top;
    } while (*top > latest);
    child = child_of(*top);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace toccata::hierarchy
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace toccata::hierarchy {

HWY_EXPORT(walk_kernel);

namespace {

// Farther out, times leave the range of floats.
constexpr double farthest_origin = 1e18;

std::int64_t visit_all(const RayTree& tree, const RayVisitor& visitor) {
  for (const RayLeaf& leaf : tree.leaves) {
    for (std::int32_t slot = 0; slot < leaf.count; ++slot)
      visitor.visit(visitor.context, leaf.triangle[slot]);
  }
  return 0;
}

}  // namespace

std::int64_t walk_ray(const RayTree& tree, const TreeRay& ray, const RayVisitor& visitor) {
  const double out = std::max({std::abs(ray.origin[0]), std::abs(ray.origin[1]), std::abs(ray.origin[2])});
  if (!(out < farthest_origin)) return visit_all(tree, visitor);
  constexpr int usual_depth = 24;
  if (tree.depth <= usual_depth) {
    Waiting stack[usual_depth * box_width];
    return HWY_DYNAMIC_DISPATCH(walk_kernel)(tree, ray, visitor, stack);
  }
  std::vector<Waiting> stack(static_cast<std::size_t>(tree.depth) * box_width);
  return HWY_DYNAMIC_DISPATCH(walk_kernel)(tree, ray, visitor, stack.data());
}

}  // namespace toccata::hierarchy
#endif
